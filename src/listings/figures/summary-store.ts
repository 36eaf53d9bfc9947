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
