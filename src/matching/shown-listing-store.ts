import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/** What a match shows of its listing, besides what filters read. */
export interface ShownListing {
  readonly id: string;
  readonly canonical_message_id: string;
  readonly brand: string | null;
  readonly reference: string | null;
}

/** By id. Deleted listings are left out. */
export async function findShownListings(
  tx: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ShownListing>> {
  const rows = await tx.query<ShownListing>(sql`
    select id, canonical_message_id, brand, reference
      from listing
     where id = any(${ids}::uuid[])
     order by id
     limit ${ids.length}`);
  return new Map(rows.map((row) => [row.id, row]));
}
