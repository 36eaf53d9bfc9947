/** What the API and the senders read of matches, and the marks of people who have seen them. */
import type { Database } from "../db/database.ts";
import { takeLock } from "../db/locks.ts";
import { dropNulls } from "../db/row.ts";
import { recordset, type Sql, sql } from "../db/sql.ts";
import { isPassed } from "../deals/deal-store.ts";
import type { ListingFacts } from "../listings/listing.ts";
import { SEARCH_TEXT_BYTES_MAX } from "../listings/search-text.ts";
import { isBlockedContact } from "../messages/contacts/contact-note-store.ts";
import type { Match, MatchKey, MatchRow } from "./match.ts";

interface MatchPage {
  readonly items: readonly Match[];
  readonly total: number;
}

export interface MatchQuery {
  readonly alertId: string;
  readonly offset: number;
  readonly limit: number;
  readonly isUnseenOnly: boolean;
}

/**
 * One page of an alert's matches, newest first, ties by resource id. Returns undefined if there is no such alert. The total
 * comes from the counter in the same statement, so it fits the page. Rows before the offset are skipped in the index.
 */
export async function listMatches(db: Database, query: MatchQuery): Promise<MatchPage | undefined> {
  const selection = query.isUnseenOnly
    ? sql`alert_id = ${query.alertId} and seen_at_ms is null`
    : sql`alert_id = ${query.alertId}`;
  const total = query.isUnseenOnly ? sql`unseen` : sql`total`;
  const rows = await db.query<{ total: number } & MatchRow>(sql`
    with counted as (
      select alert_id, ${total} as total from alert_match_count where alert_id = ${query.alertId}
    ), page as materialized (
      select alert_id, resource, resource_id, matched_at_ms
        from alert_match
       where ${selection} and (select total from counted) > ${query.offset}
       order by matched_at_ms desc, resource_id
      offset ${query.offset}
       limit ${query.limit}
    )
    select counted.total, ${matchColumns()}
      from counted
      left join (page join alert_match as match using (alert_id, resource, resource_id))
        on page.alert_id = counted.alert_id
     order by page.matched_at_ms desc, page.resource_id`);
  const [first] = rows;
  if (first === undefined) return undefined;
  const items = rows
    .filter(({ resource_id }) => resource_id !== null)
    .map(({ total: _, ...match }) => dropNulls(match));
  return { items, total: first.total };
}

/** The columns of `MatchRow`, of the table called `match`. */
export function matchColumns(): Sql {
  return sql`
    match.alert_id, match.resource, match.resource_id, match.listing_id, match.canonical_message_id,
    match.matched_at_ms, match.seen_at_ms, match.match_context`;
}

export interface NamedMatch extends MatchRow {
  readonly alert_name: string;
  readonly sequence: number;
  /** The calculation of the listing's headline at that time; null for other strategies. */
  readonly headline: MatchRow["match_context"] | null;
}

/** Of the table called `match`. The headline is stored where it is not the rule that fired. */
export const MATCH_HEADLINE = sql`
  case when match.strategy = 'price_engine' then coalesce(match.headline, match.match_context) end as headline`;

/** The matches with these keys. Deleted ones are left out. */
export async function findMatches(
  db: Database,
  keys: readonly MatchKey[],
): Promise<readonly NamedMatch[]> {
  return db.query<NamedMatch>(sql`
    select ${matchColumns()}, ${MATCH_HEADLINE}, match.sequence, alert.name as alert_name
      from ${recordset(keys)} as wanted (alert_id uuid, resource text, resource_id uuid)
      join alert_match as match using (alert_id, resource, resource_id)
      join alert on alert.id = match.alert_id`);
}

/** Why no one is told of a listing or message. */
export type Silence = "passed" | "blocked";

/** Of the listings and messages, those about which no one is told: the watch was passed, or the dealer is blocked. */
export async function findSilenced(
  db: Database,
  resources: readonly Pick<MatchKey, "resource" | "resource_id">[],
): Promise<ReadonlyMap<string, Silence>> {
  if (resources.length === 0) return new Map();
  const keys = resources.map(({ resource, resource_id }) => ({ resource, resource_id }));
  const isBlocked = isBlockedContact(sql`coalesce(listing.contact_id, message.contact_id)`);
  const rows = await db.query<{ resource_id: string; silence: Silence }>(sql`
    select wanted.resource_id, case when ${isBlocked} then 'blocked' else 'passed' end as silence
      from ${recordset(keys)} as wanted (resource text, resource_id uuid)
      left join listing_alias as alias on alias.old_id = wanted.resource_id
      left join listing on wanted.resource = 'watch_listing' and listing.id in (wanted.resource_id, alias.listing_id)
      left join message_alias as moved on moved.old_id = wanted.resource_id
      left join canonical_message as message
             on wanted.resource = 'message' and message.id in (wanted.resource_id, moved.canonical_message_id)
     where ${isBlocked}
        or (listing.id is not null and ${isPassed("listing")})`);
  return new Map(rows.map(({ resource_id, silence }) => [resource_id, silence]));
}

interface StreamedMatch {
  readonly match: NamedMatch;
  /** It follows from a profile in shadow. */
  readonly isShadow: boolean;
}

/** The matches after a sequence number, in the order of their commits, without those that were made while muted. */
export async function listMatchesAfter(
  db: Database,
  page: { readonly afterSequence: number; readonly limit: number },
): Promise<readonly StreamedMatch[]> {
  const rows = await db.query<NamedMatch & { readonly is_outward: boolean }>(sql`
    select ${matchColumns()}, ${MATCH_HEADLINE}, match.sequence, match.is_outward, alert.name as alert_name
      from alert_match as match
      join alert on alert.id = match.alert_id
     where match.sequence > ${page.afterSequence} and not match.is_muted
     order by match.sequence
     limit ${page.limit}`);
  return rows.map(({ is_outward, ...match }) => ({ match, isShadow: !is_outward }));
}

/** Of the sequence numbers, those whose match is stored. */
export async function findPresentSequences(
  db: Database,
  sequences: readonly number[],
): Promise<ReadonlySet<number>> {
  if (sequences.length === 0) return new Set();
  const rows = await db.query<{ sequence: number }>(sql`
    select sequence from alert_match
     where sequence = any(${[...sequences]}::bigint[])
     order by sequence
     limit ${sequences.length}`);
  return new Set(rows.map(({ sequence }) => sequence));
}

/** The sequence number of the latest committed match; 0 if there is none. */
export async function findLatestSequence(db: Database): Promise<number> {
  const [row] = await db.query<{ sequence: number }>(sql`
    select sequence from alert_match order by sequence desc limit 1`);
  return row?.sequence ?? 0;
}

export interface MatchPair {
  readonly alert_id: string;
  readonly resource_id: string;
}

/** Marks one match as seen. The first time stays. Returns undefined if there is no such match. */
export async function markMatchSeen(
  db: Database,
  match: { readonly alertId: string; readonly resourceId: string },
  nowMs: number,
): Promise<Match | undefined> {
  const pair = { alert_id: match.alertId, resource_id: match.resourceId };
  await markPairsSeen(db, [pair], nowMs);
  const [row] = await db.query<MatchRow>(sql`
    select ${matchColumns()}
      from alert_match as match
     where match.alert_id = ${match.alertId}
       and match.resource_id = any(array[${match.resourceId}::uuid] || ${currentIds(sql`${match.resourceId}::uuid`)})
     order by match.resource_id = ${match.resourceId}::uuid
     limit 1`);
  return row === undefined ? undefined : dropNulls(row);
}

/** Returns how many were marked. Also accepts ids from before a merge, whether the matches were moved already or not. */
export async function markPairsSeen(
  db: Database,
  pairs: readonly MatchPair[],
  nowMs: number,
): Promise<number> {
  const first = await markPairsOnce(db, pairs, nowMs);
  // The first statement may have waited for a merge that moved these matches. The second one finds them.
  return first + (await markPairsOnce(db, pairs, nowMs));
}

async function markPairsOnce(
  db: Database,
  pairs: readonly MatchPair[],
  nowMs: number,
): Promise<number> {
  return db.execute(sql`
    with chosen as materialized (
      select distinct match.alert_id, match.resource, match.resource_id
        from ${recordset(pairs)} as pair (alert_id uuid, resource_id uuid)
       cross join lateral unnest(array[pair.resource_id] || ${currentIds(sql`pair.resource_id`)}) as current (id)
        join alert_match as match on match.alert_id = pair.alert_id and match.resource_id = current.id
       where match.seen_at_ms is null
    )
    ${markChosen(nowMs)}`);
}

/** The ids that replaced an id after a merge. */
function currentIds(id: Sql) {
  return sql`
    array(select listing_id from listing_alias where old_id = ${id}
          union all
          select canonical_message_id from message_alias where old_id = ${id})`;
}

/** Marks all matches of these listings. Takes no lock if they are seen already. */
export async function markListingsSeen(
  db: Database,
  listingIds: readonly string[],
  nowMs: number,
): Promise<void> {
  const unseen = sql`
    select alert_id, resource, resource_id
      from alert_match
     where resource_id = any(${listingIds}::uuid[]) and resource = 'watch_listing' and seen_at_ms is null`;
  if ((await db.query(sql`${unseen} limit 1`)).length === 0) return;
  await db.execute(sql`with chosen as materialized (${unseen}) ${markChosen(nowMs)}`);
}

/**
 * Marks the oldest unseen matches up to a time, at most `limit`. Returns how many it marked. It takes the lock before it
 * chooses: otherwise two calls could choose the same matches, and the second would mark none and report that it is done.
 */
export async function markSeenUpTo(
  tx: Database,
  selection: { readonly alertId?: string; readonly beforeMs: number; readonly limit: number },
  nowMs: number,
): Promise<number> {
  const { alertId, beforeMs, limit } = selection;
  await takeLock(tx, "matches");
  return tx.execute(sql`
    with chosen as materialized (
      select alert_id, resource, resource_id
        from alert_match
       where seen_at_ms is null and matched_at_ms <= ${beforeMs}
         and ${alertId === undefined ? sql`true` : sql`alert_id = ${alertId}`}
       order by matched_at_ms, alert_id, resource_id
       limit ${limit}
    )
    ${markChosen(nowMs)}`);
}

function markChosen(nowMs: number) {
  return sql`
    update alert_match as match
       set seen_at_ms = ${nowMs}
      from chosen
     where match.alert_id = chosen.alert_id and match.resource = chosen.resource
       and match.resource_id = chosen.resource_id and match.seen_at_ms is null`;
}

/** A listing that was a buy in a configuration. */
interface RecentBuy {
  readonly configuration_id: string;
  readonly listing_id: string;
  readonly full_set_status: ListingFacts["full_set_status"];
}

/** The buys since a time, each listing once for each configuration; the latest are read if there are more matches than `limit`. */
export async function listRecentBuys(
  db: Database,
  { sinceMs, limit }: { readonly sinceMs: number; readonly limit: number },
): Promise<readonly RecentBuy[]> {
  return db.query<RecentBuy>(sql`
    with match as materialized (
      select match_context ->> 'configuration_id' as configuration_id, listing_id
        from alert_match
       where is_outward in (true, false) and strategy = 'price_engine' and matched_at_ms >= ${sinceMs}
       order by matched_at_ms desc, resource_id, alert_id
       limit ${limit}
    )
    select distinct match.configuration_id, match.listing_id, listing.full_set_status
      from match
      join listing on listing.id = match.listing_id
     where match.configuration_id is not null
     order by match.configuration_id, match.listing_id
     limit ${limit}`);
}

/** A match on a listing, and what the listing says now. */
interface MatchedText {
  readonly alert_id: string;
  readonly alert_name: string;
  readonly canonical_message_id: string;
  readonly search_text: string;
}

/** The latest matches of these alerts on listings since a time: at most `eachMax` of an alert, and `limit` of all. */
export async function listMatchedTexts(
  db: Database,
  alertIds: readonly string[],
  {
    sinceMs,
    eachMax,
    limit,
  }: { readonly sinceMs: number; readonly eachMax: number; readonly limit: number },
): Promise<readonly MatchedText[]> {
  return db.query<MatchedText>(sql`
    select alert.id as alert_id, alert.name as alert_name, listing.canonical_message_id,
           left(listing.search_text, ${SEARCH_TEXT_BYTES_MAX}::integer) as search_text
      from alert
     cross join lateral (
             select listing_id
               from alert_match
              where alert_id = alert.id and matched_at_ms >= ${sinceMs} and resource = 'watch_listing'
              order by matched_at_ms desc, resource_id
              limit ${eachMax}) as match
      join listing on listing.id = match.listing_id
     where alert.id = any(${alertIds}::uuid[])
     order by alert.id, listing.id
     limit ${limit}`);
}
