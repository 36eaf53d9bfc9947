import type { Database } from "../db/database.ts";
import { type Sql, sql } from "../db/sql.ts";
import {
  LISTING_COLUMNS,
  type ListingInText,
  type ListingRow,
  MESSAGE_TEXT,
  orderOf,
  type Sort,
} from "./listing-store.ts";

/** Ids in an order, 16 bytes each: a hundred thousand of them take as much memory as one response. */
export interface PackedIds {
  readonly count: number;
  slice(start: number, end: number): readonly string[];
}

const ID_BYTES = 16;

/** The first ids of the listings that `where` selects. */
export async function listPackedIds(
  db: Database,
  where: Sql,
  { sort, limit }: { readonly sort: Sort; readonly limit: number },
): Promise<PackedIds> {
  const statement = sql`
    select string_agg(uuid_send(id), ''::bytea) as ids
      from (select id from listing where ${where} order by ${orderOf(sort)} limit ${limit}) as ordered`;
  const [row] = await db.query<{ ids: Buffer | null }>(statement, { isStatic: false });
  const bytes = row?.ids ?? Buffer.alloc(0);
  const idAt = (at: number) => toUuid(bytes.toString("hex", at * ID_BYTES, (at + 1) * ID_BYTES));
  const count = bytes.length / ID_BYTES;
  return {
    count,
    slice: (start, end) =>
      Array.from({ length: Math.min(end, count) - start }, (_, at) => idAt(start + at)),
  };
}

/** The listings with these ids in their order. Those that were deleted meanwhile are left out. */
export async function findListingsInOrder(
  db: Database,
  ids: readonly string[],
  { hasText }: { readonly hasText: boolean },
): Promise<readonly (ListingRow & Partial<ListingInText>)[]> {
  const text = hasText ? sql`, ${MESSAGE_TEXT}` : sql``;
  return db.query<ListingRow & Partial<ListingInText>>(sql`
    select ${LISTING_COLUMNS} ${text}
      from unnest(${ids}::uuid[]) with ordinality as own (listing_id, at)
      join listing on listing.id = own.listing_id
     order by own.at
     limit ${ids.length}`);
}

function toUuid(hex: string): string {
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join("-");
}
