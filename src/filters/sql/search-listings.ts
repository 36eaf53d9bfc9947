import { createHash } from "node:crypto";
import { AppError } from "../../base/errors.ts";
import { isUuid } from "../../base/ids.ts";
import type { Database } from "../../db/database.ts";
import {
  countListings,
  type ListingRow,
  listListings,
  type Position,
  positionOf,
  type Sort,
} from "../../listings/listing-store.ts";
import type { AttributeName } from "../language/clause.ts";
import { type Filter, parseFilter } from "../language/filter.ts";
import { compileSql } from "./compile-sql.ts";
import { loadDirectory } from "./directory-store.ts";

export interface ListingSearch {
  readonly filters: unknown;
  readonly sort: Sort;
  readonly limit: number;
  readonly cursor?: string;
  readonly isTotalAsked: boolean;
}

export interface FoundListings {
  readonly rows: readonly ListingRow[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
  readonly total?: number;
}

/** One page of the listings that a filter selects. */
export async function searchListings(db: Database, search: ListingSearch): Promise<FoundListings> {
  const filter = parseFilter(search.filters);
  const digest = digestOf(filter, search.sort);
  const after = search.cursor === undefined ? undefined : parseCursor(search.cursor, digest);
  const where = compileSql(filter, await loadDirectory(db, filter));
  // One more than asked for tells whether there is a next page.
  const rows = await listListings(db, where, {
    sort: search.sort,
    limit: search.limit + 1,
    isSelective: isSelective(filter, search.sort),
    ...(after === undefined ? {} : { after }),
  });
  const shown = rows.slice(0, search.limit);
  const last = shown.at(-1);
  return {
    rows: shown,
    ...(rows.length > shown.length && last !== undefined
      ? { nextCursor: toCursor(positionOf(last, search.sort), digest) }
      : {}),
    ...(search.isTotalAsked ? { total: await countListings(db, where) } : {}),
  };
}

/**
 * A planner that reckons with a limit walks the index of the order and expects to meet enough listings soon. It errs by
 * seconds where filter and order go together, as a reference and its price do; so there it is not left the choice. A
 * brand has indexes of its own for each order.
 */
function isSelective(filter: Filter, sort: Sort): boolean {
  if (sort === "newest" || sort === "oldest") return false;
  return filter.clauses.some(
    (clause) => clause.kind === "any_of" && SELECTIVE_ATTRIBUTES.has(clause.attribute),
  );
}

const SELECTIVE_ATTRIBUTES: ReadonlySet<AttributeName> = new Set([
  "reference",
  "model",
  "phone_number",
  "contact_id",
  "canonical_message_id",
]);

/** A cursor says where a page ended, and of which search it is. It holds no secret, and nothing of it is trusted. */
function toCursor({ value, id }: Position, digest: string): string {
  return Buffer.from(JSON.stringify([digest, value, id])).toString("base64url");
}

function parseCursor(text: string, digest: string): Position {
  const [of, value, id] = readArray(Buffer.from(text, "base64url").toString());
  const isValue = value === null || Number.isSafeInteger(value);
  if (typeof of !== "string" || !isValue || typeof id !== "string" || !isUuid(id)) {
    throw new AppError("invalid_payload", "cursor: is not one that a search gave");
  }
  if (of !== digest) {
    throw new AppError("invalid_payload", "cursor: belongs to a search with other filters or sort");
  }
  return { value: value as number | null, id };
}

function readArray(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    // Not JSON, which is the answer.
    return [];
  }
}

function digestOf(filter: Filter, sort: Sort): string {
  const text = JSON.stringify([sort, filter.clauses]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 12);
}
