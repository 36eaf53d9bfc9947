import type { Database } from "../db/database.ts";
import { joinSql, rawSql, type Sql, sql } from "../db/sql.ts";
import type { MatchRow } from "./match.ts";
import { matchColumns } from "./match-store.ts";

/**
 * The matches of all alerts, one row per watch (or message): a watch that three alerts match is one row with three matches.
 * A row stands where its latest match stands.
 *
 * The statement walks the index of all matches from the newest on and skips a match if its watch has a later one. The index
 * has an order of its own for each strategy, for matches that are sent and for shadow matches, so the walk merges up to four
 * of them. What the query does not select costs nothing.
 *
 * Example: alert A matched watch 1 at 10:00 and watch 2 at 10:05, alert B matched watch 1 at 10:10. The rows are watch 1
 * (10:10, matches of B and A), then watch 2 (10:05).
 */

export interface WatchQuery {
  readonly strategy: Strategy | null;
  readonly alertId: string | null;
  readonly isUnseenOnly: boolean;
  readonly includesShadow: boolean;
}

const STRATEGIES = ["market_filter", "price_engine"] as const;
type Strategy = (typeof STRATEGIES)[number];

/** The place of a row: newest first, then by id. */
export interface WatchPosition {
  readonly matchedAtMs: number;
  readonly resourceId: string;
}

export interface WatchMatchRow extends MatchRow {
  readonly alert_name: string;
  readonly is_outward: boolean;
  /** When the latest match of the watch was made: the same in all of its rows. */
  readonly latest_at_ms: number;
}

/** A watch that very many alerts match shows the latest of them. */
const MATCHES_PER_WATCH_MAX = 100;
const UNSEEN_MAX = 10_000;

/** The matches of one page of watches, in the order of the page, each watch with its latest match first. */
export async function listWatchMatches(
  db: Database,
  query: WatchQuery,
  page: { readonly after?: WatchPosition; readonly limit: number },
): Promise<readonly WatchMatchRow[]> {
  const { after } = page;
  const start =
    after === undefined
      ? sql`true`
      : sql`matched_at_ms <= ${after.matchedAtMs}::bigint
            and (matched_at_ms < ${after.matchedAtMs}::bigint or resource_id > ${after.resourceId})`;
  const statement = sql`
    with head as materialized (
      select newest.matched_at_ms, newest.resource_id, newest.resource
        from (select distinct matched_at_ms, resource_id, resource
                from (${joinSql(listArms(query, start), " union all ")}) as arm
               order by matched_at_ms desc, resource_id, resource) as newest
       where not exists (
             select from alert_match as later
              where later.resource_id = newest.resource_id and later.resource = newest.resource
                and later.matched_at_ms > newest.matched_at_ms and ${selects(query, "later")})
       order by newest.matched_at_ms desc, newest.resource_id, newest.resource
       limit ${page.limit}
    )
    select ${matchColumns()}, match.is_outward, alert.name as alert_name, head.matched_at_ms as latest_at_ms
      from head
     cross join lateral (
           select alert_match.*
             from alert_match
            where alert_match.resource_id = head.resource_id and alert_match.resource = head.resource
              and ${selects(query, "alert_match")}
            order by alert_match.matched_at_ms desc, alert_match.alert_id
            limit ${MATCHES_PER_WATCH_MAX}) as match
      join alert on alert.id = match.alert_id
     order by head.matched_at_ms desc, head.resource_id, match.matched_at_ms desc, match.alert_id`;
  return db.query<WatchMatchRow>(statement, { isStatic: false });
}

/** How many watches have a match that is not seen. Stops at 10,000 matches. */
export async function countUnseenWatches(db: Database, query: WatchQuery): Promise<number> {
  const unseen = { ...query, isUnseenOnly: true };
  const arms = listArms(unseen, sql`true`);
  const statement = sql`
    select count(distinct resource_id) as count
      from (select resource_id from (${joinSql(arms, " union all ")}) as arm limit ${UNSEEN_MAX}) as unseen`;
  const [row] = await db.query<{ count: number }>(statement, { isStatic: false });
  return row?.count ?? 0;
}

/** Queries that together select the matches, each of which an index has in the order of the list. */
function listArms(query: WatchQuery, start: Sql): readonly Sql[] {
  const columns = sql`select matched_at_ms, resource_id, resource from alert_match`;
  if (query.alertId !== null) {
    return [sql`(${columns} where ${selects(query, "alert_match")} and ${start})`];
  }
  const strategies = query.strategy === null ? STRATEGIES : [query.strategy];
  const outwards = query.includesShadow ? [true, false] : [true];
  const isUnseen = query.isUnseenOnly ? sql`seen_at_ms is null` : sql`true`;
  return outwards.flatMap((isOutward) =>
    strategies.map(
      (strategy) => sql`
      (${columns} where is_outward = ${isOutward} and strategy = ${strategy} and ${isUnseen} and ${start})`,
    ),
  );
}

/** The same selection as a condition on a match. */
function selects(query: WatchQuery, table: string): Sql {
  const match = rawSql(table);
  return joinSql(
    [
      query.includesShadow ? sql`true` : sql`${match}.is_outward`,
      query.strategy === null ? sql`true` : sql`${match}.strategy = ${query.strategy}`,
      query.alertId === null ? sql`true` : sql`${match}.alert_id = ${query.alertId}`,
      query.isUnseenOnly ? sql`${match}.seen_at_ms is null` : sql`true`,
    ],
    " and ",
  );
}
