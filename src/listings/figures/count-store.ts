import { DAY_MS } from "../../base/clock.ts";
import type { Database } from "../../db/database.ts";
import { type Sql, sql } from "../../db/sql.ts";

interface DayCount {
  readonly day_start_ms: number;
  readonly listing_count: number;
}

export interface ListingCounts {
  readonly listing_count: number;
  readonly for_sale_count: number;
  readonly want_to_buy_count: number;
  readonly contact_count: number;
  readonly group_count: number;
  readonly message_count: number;
  /** By the UTC day on which the listings were last seen, oldest first; days without a listing are left out. */
  readonly days: readonly DayCount[];
}

/** The days of a year and a little more. */
const DAYS_MAX = 400;

/** Counts the listings that `where` selects, in one pass. */
export async function countMarket(db: Database, where: Sql): Promise<ListingCounts> {
  const statement = sql`
    with matched as materialized (
      select side, contact_id, canonical_message_id, group_ids, last_seen_at_ms from listing where ${where})
    select count(*) as listing_count,
           count(*) filter (where side = 'for_sale') as for_sale_count,
           count(*) filter (where side = 'want_to_buy') as want_to_buy_count,
           count(distinct contact_id) as contact_count,
           (select count(distinct group_id) from matched, unnest(group_ids) as group_id) as group_count,
           count(distinct canonical_message_id) as message_count,
           (select coalesce(json_agg(day order by day.day_start_ms), '[]')
              from (select last_seen_at_ms / ${DAY_MS} * ${DAY_MS} as day_start_ms,
                           count(*) as listing_count
                      from matched
                     group by 1
                     order by 1 desc
                     limit ${DAYS_MAX}) as day) as days
      from matched`;
  const [row] = await db.query<ListingCounts>(statement, { isStatic: false });
  return row ?? NOTHING;
}

const NOTHING: ListingCounts = {
  listing_count: 0,
  for_sale_count: 0,
  want_to_buy_count: 0,
  contact_count: 0,
  group_count: 0,
  message_count: 0,
  days: [],
};

export async function countListings(db: Database, where: Sql): Promise<number> {
  const statement = sql`select count(*) as total from listing where ${where}`;
  const [row] = await db.query<{ total: number }>(statement, { isStatic: false });
  return row?.total ?? 0;
}

export async function countContacts(db: Database, where: Sql): Promise<number> {
  const statement = sql`select count(distinct contact_id) as count from listing where ${where}`;
  const [row] = await db.query<{ count: number }>(statement, { isStatic: false });
  return row?.count ?? 0;
}

export async function countMessages(db: Database, where: Sql): Promise<number> {
  const statement = sql`
    select count(distinct canonical_message_id) as count from listing where ${where}`;
  const [row] = await db.query<{ count: number }>(statement, { isStatic: false });
  return row?.count ?? 0;
}

interface ContactListingCounts {
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
