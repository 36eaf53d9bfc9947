import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";

export interface ContactListingCounts {
  readonly for_sale_count: number;
  readonly want_to_buy_count: number;
  /** With hidden and revoked ones. */
  readonly counted_count: number;
}

/** Counts the latest listings of a contact by side, at most `listingsMax` of them. Hidden and revoked ones do not count. */
export async function countListingsOf(
  db: Database,
  contactId: string,
  { listingsMax }: { readonly listingsMax: number },
): Promise<ContactListingCounts> {
  const [row] = await db.query<ContactListingCounts>(sql`
    select count(*) filter (where is_shown and side = 'for_sale') as for_sale_count,
           count(*) filter (where is_shown and side = 'want_to_buy') as want_to_buy_count,
           count(*) as counted_count
      from (select side, not is_hidden and not is_revoked as is_shown
              from listing
             where contact_id = ${contactId}
             order by last_seen_at_ms desc, id
             limit ${listingsMax}) as latest`);
  return row ?? { for_sale_count: 0, want_to_buy_count: 0, counted_count: 0 };
}

/** How many listings these messages have, hidden ones too. */
export async function countListingsOfMessages(
  db: Database,
  messageIds: readonly string[],
): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from listing where canonical_message_id = any(${[...messageIds]}::uuid[])`);
  return row?.count ?? 0;
}

/** When the latest listing but `rowsMax` was last seen; undefined if there are not so many. */
export async function findListingHorizon(
  db: Database,
  { rowsMax }: { readonly rowsMax: number },
): Promise<number | undefined> {
  const [row] = await db.query<{ last_seen_at_ms: number }>(sql`
    select last_seen_at_ms from listing order by last_seen_at_ms desc, id offset ${rowsMax} limit 1`);
  return row?.last_seen_at_ms;
}

/** How many visible listings that were last seen after `afterMs` each group has. */
export async function countListingsByGroup(
  db: Database,
  { afterMs, groupsMax }: { readonly afterMs: number; readonly groupsMax: number },
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ group_id: string; count: number }>(sql`
    select group_id, count(*) as count
      from listing
     cross join unnest(group_ids) as posted (group_id)
     where last_seen_at_ms > ${afterMs} and not is_hidden and not is_revoked
     group by group_id
     order by group_id
     limit ${groupsMax}`);
  return new Map(rows.map(({ group_id, count }) => [group_id, count]));
}
