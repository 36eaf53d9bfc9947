/**
 * The matches of all alerts, one row per watch (or message): a watch that three alerts match is one row with three matches.
 * A row stands where its latest match stands.
 *
 * The statement walks the index of all matches from the newest on and skips a match if its watch has a later one. The index
 * has an order of its own for each strategy, for matches that are sent and for shadow matches. So there are up to four walks,
 * each as long as a page, and the page is the newest of them. What the query does not select costs nothing.
 *
 * Example: alert A matched watch 1 at 10:00 and watch 2 at 10:05, alert B matched watch 1 at 10:10. The rows are watch 1
 * (10:10, matches of B and A), then watch 2 (10:05).
 */
import { assert } from "../base/errors.ts";
import { groupBy } from "../base/group-by.ts";
import type { Database } from "../db/database.ts";
import type { StatementOptions } from "../db/driver/statement.ts";
import { dropNulls } from "../db/row.ts";
import { joinSql, rawSql, type Sql, sql } from "../db/sql.ts";
import { isPassed } from "../deals/deal-store.ts";
import { isBlockedContact } from "../messages/contacts/contact-note-store.ts";
import type { Match } from "./match.ts";
import { MATCH_HEADLINE, matchColumns, type NamedMatch } from "./match-store.ts";

const STRATEGIES = ["market_filter", "price_engine"] as const;
type Strategy = (typeof STRATEGIES)[number];
/** A watch that very many alerts match shows the latest of them. */
const MATCHES_PER_WATCH_MAX = 100;
const UNSEEN_MAX = 10_000;

/** Which watches are left out. Who may not read deals must not learn from a list what was passed. */
export type LeftOut = "none" | "blocked" | "blocked_and_passed";

export interface WatchQuery {
  readonly strategy: Strategy | null;
  readonly alertId: string | null;
  readonly isUnseenOnly: boolean;
  readonly includesShadow: boolean;
  readonly leftOut: LeftOut;
  /** Only matches since then. */
  readonly sinceMs: number | null;
  /** A condition on the table `listing`: only matches of such watches. */
  readonly listing: Sql | null;
}

/** A watch or message, with its matches. */
export interface WatchMatches {
  readonly resource: Match["resource"];
  readonly resource_id: string;
  /** Of the latest match. */
  readonly matched_at_ms: number;
  /** When the last of the matches was marked as seen; absent as long as one is not. */
  readonly seen_at_ms?: number;
  /** True if no match was sent. */
  readonly is_shadow: boolean;
  readonly matches: readonly {
    readonly alert: { readonly id: string; readonly name: string };
    readonly match: Match;
    readonly headline?: Match["match_context"];
  }[];
}

/** Without a filter there are few statements. They take longer to plan than to run, so the server keeps their plans. */
function optionsOf({ listing }: WatchQuery): StatementOptions {
  return { isStatic: listing === null };
}

/** The place of a row: newest first, then by id. */
export interface WatchPosition {
  readonly matchedAtMs: number;
  readonly resourceId: string;
}

/** The next watches, latest match first. */
export async function listWatches(
  db: Database,
  query: WatchQuery,
  page: { readonly after?: WatchPosition; readonly limit: number },
): Promise<readonly WatchMatches[]> {
  return toWatches(await listMatchesOf(db, query, newestWatches(query, page)));
}

/** These watches, in no order. One without a match that the query selects is left out. */
export async function findWatches(
  db: Database,
  query: WatchQuery,
  listingIds: readonly string[],
): Promise<readonly WatchMatches[]> {
  const watches = sql`
    select max(matched_at_ms) as matched_at_ms, resource_id, resource
      from alert_match
     where resource_id = any(${listingIds}::uuid[]) and resource = 'watch_listing' and ${selects(query, "alert_match")}
       and ${isShown(query)}
     group by resource_id, resource`;
  return toWatches(await listMatchesOf(db, query, watches));
}

/** A listing that was matched, and what its ask is counted by. */
interface MatchedListing {
  readonly listing_id: string;
  readonly ask_key: string;
}

/** The listings with the latest matches, at most `max`. One that was deleted is counted by its own id. */
export async function listMatchedListings(
  db: Database,
  query: WatchQuery,
  max: number,
): Promise<readonly MatchedListing[]> {
  const arms = listArms(query, sql`resource = 'watch_listing'`).map(
    (arm) => sql`
      (select matched_at_ms, resource_id from ${arm} as newest
        order by matched_at_ms desc, resource_id limit ${max})`,
  );
  const statement = sql`
    select newest.resource_id as listing_id, coalesce(listing.ask_key, newest.resource_id) as ask_key
      from (select resource_id, max(matched_at_ms) as matched_at_ms
              from (${joinSql(arms, " union all ")}) as arm
             group by resource_id
             order by 2 desc, 1
             limit ${max}) as newest
      left join listing on listing.id = newest.resource_id`;
  return db.query<MatchedListing>(statement, optionsOf(query));
}

interface WatchMatchRow extends Omit<NamedMatch, "sequence"> {
  readonly is_outward: boolean;
  /** When the latest match of the watch was made: the same in all of its rows. */
  readonly latest_at_ms: number;
}

function toWatches(rows: readonly WatchMatchRow[]): readonly WatchMatches[] {
  return Array.from(groupBy(rows, (row) => `${row.resource} ${row.resource_id}`).values(), toWatch);
}

function toWatch(rows: readonly WatchMatchRow[]): WatchMatches {
  const [first] = rows;
  assert(first !== undefined, "a watch of the list has a match");
  const seen = rows.flatMap(({ seen_at_ms }) => seen_at_ms ?? []);
  return {
    resource: first.resource,
    resource_id: first.resource_id,
    matched_at_ms: first.latest_at_ms,
    ...(seen.length < rows.length ? {} : { seen_at_ms: Math.max(...seen) }),
    is_shadow: !rows.some(({ is_outward }) => is_outward),
    matches: rows.map(({ alert_name, headline, is_outward: _, latest_at_ms: __, ...match }) => ({
      alert: { id: match.alert_id, name: alert_name },
      match: dropNulls(match),
      ...(headline === null ? {} : { headline }),
    })),
  };
}

function newestWatches(
  query: WatchQuery,
  { after, limit }: { readonly after?: WatchPosition; readonly limit: number },
): Sql {
  const start =
    after === undefined
      ? sql`true`
      : sql`matched_at_ms <= ${after.matchedAtMs}::bigint
            and (matched_at_ms < ${after.matchedAtMs}::bigint or resource_id > ${after.resourceId})`;
  const arms = listArms(query, sql`${start} and ${isLatest(query)}`).map(
    (arm) => sql`
      (select distinct matched_at_ms, resource_id, resource
         from ${arm} as newest
        order by matched_at_ms desc, resource_id, resource
        limit ${limit})`,
  );
  return sql`
    select distinct matched_at_ms, resource_id, resource
      from (${joinSql(arms, " union all ")}) as arm
     order by matched_at_ms desc, resource_id, resource
     limit ${limit}`;
}

/** The matches of the watches that `watches` selects, the watch with the latest match first, and so its matches. */
async function listMatchesOf(
  db: Database,
  query: WatchQuery,
  watches: Sql,
): Promise<readonly WatchMatchRow[]> {
  const statement = sql`
    with head as materialized (${watches})
    select ${matchColumns()}, ${MATCH_HEADLINE}, match.is_outward, alert.name as alert_name, head.matched_at_ms as latest_at_ms
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
  return db.query<WatchMatchRow>(statement, optionsOf(query));
}

interface WatchCounts {
  /** Watches with a match that is not seen. Stops at 10,000 matches. */
  readonly unseenCount: number;
  /** Watches that the query leaves out, of the latest 1,000. */
  readonly hiddenCount: number;
}

export async function countWatches(db: Database, query: WatchQuery): Promise<WatchCounts> {
  const arms = listArms({ ...query, isUnseenOnly: true, leftOut: "none" }, sql`true`);
  const statement = sql`
    select count(distinct resource_id) as count
      from (select resource_id from (${joinSql(arms, " union all ")}) as arm limit ${UNSEEN_MAX}) as unseen`;
  const [row] = await db.query<{ count: number }>(statement, optionsOf(query));
  const hidden = await countLeftOut(db, query);
  return {
    unseenCount: Math.max(0, (row?.count ?? 0) - hidden.unseen_count),
    hiddenCount: hidden.count,
  };
}

/** As in `countWatches`, without the other count. */
export async function countHidden(db: Database, query: WatchQuery): Promise<number> {
  return (await countLeftOut(db, query)).count;
}

/** The latest watches that are looked at to count what is left out. A page of buys has far fewer. */
const LEFT_OUT_MAX = 1_000;

interface LeftOutCounts {
  readonly count: number;
  /** Of these, those with a match that is not seen. */
  readonly unseen_count: number;
}

/** How many of the latest 1,000 watches and messages are left out. */
async function countLeftOut(db: Database, query: WatchQuery): Promise<LeftOutCounts> {
  const none = { count: 0, unseen_count: 0 };
  if (query.leftOut === "none") return none;
  const all = { ...query, leftOut: "none" } as const;
  const statement = sql`
    select count(*) as count,
           count(*) filter (where exists (
             select from alert_match as unseen
              where unseen.resource_id = latest.resource_id and ${selects({ ...all, isUnseenOnly: true }, "unseen")}))
             as unseen_count
      from (${newestWatches(all, { limit: LEFT_OUT_MAX })}) as latest
     where ${isLeftOut(query, "latest")}`;
  const [row] = await db.query<LeftOutCounts>(statement, optionsOf(query));
  return row ?? none;
}

/** True if the query leaves out the watch of the row called so, a match or its resource. */
function isLeftOut({ leftOut }: WatchQuery, table: string): Sql {
  const match = rawSql(table);
  const passed = leftOut === "blocked_and_passed" ? sql`or ${isPassed("listing")}` : sql``;
  return sql`
    case when ${match}.resource = 'watch_listing'
         then exists (select from listing
                       where listing.id = ${match}.resource_id
                         and (${isBlockedContact(sql`listing.contact_id`)} ${passed}))
         else exists (select from canonical_message as message
                       where message.id = ${match}.resource_id and ${isBlockedContact(sql`message.contact_id`)}) end`;
}

function isShown(query: WatchQuery): Sql {
  return query.leftOut === "none" ? sql`true` : sql`not ${isLeftOut(query, "alert_match")}`;
}

/** `offset 0` keeps the planner from joining all matches: the walk ends after a few. */
function isLatest(query: WatchQuery): Sql {
  return sql`
    not exists (
      select from alert_match as later
       where later.resource_id = alert_match.resource_id and later.resource = alert_match.resource
         and later.matched_at_ms > alert_match.matched_at_ms and ${selects(query, "later")}
      offset 0)`;
}

/** Queries that together select the matches, each of which an index has in the order of the list. */
function listArms(query: WatchQuery, place: Sql): readonly Sql[] {
  const start = sql`${place} and ${isShown(query)}`;
  const columns = sql`select matched_at_ms, resource_id, resource from alert_match`;
  // Few matches: they are found by their alert or by their listings, and then sorted.
  const ofListing =
    query.listing === null
      ? sql`true`
      : sql`resource_id = any(array(select listing.id from listing where ${query.listing}))`;
  if (query.alertId !== null || query.listing !== null) {
    return [sql`(${columns} where ${selects(query, "alert_match")} and ${ofListing} and ${start})`];
  }
  const since = query.sinceMs === null ? sql`true` : sql`matched_at_ms >= ${query.sinceMs}::bigint`;
  const strategies = query.strategy === null ? STRATEGIES : [query.strategy];
  const outwards = query.includesShadow ? [true, false] : [true];
  const isUnseen = query.isUnseenOnly ? sql`seen_at_ms is null` : sql`true`;
  return outwards.flatMap((isOutward) =>
    strategies.map(
      (strategy) => sql`
      (${columns} where is_outward = ${isOutward} and strategy = ${strategy} and ${isUnseen} and ${since} and ${start})`,
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
      query.sinceMs === null ? sql`true` : sql`${match}.matched_at_ms >= ${query.sinceMs}::bigint`,
    ],
    " and ",
  );
}
