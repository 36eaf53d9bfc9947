/**
 * What an alert would have matched within a period, if it had been there: the listings whose message was posted in that time
 * while the filter held. Every post counts as if it had arrived when it was sent, and each listing matches once. The listings
 * are as they are now, so an edit, a revocation or a sale since then shows. If the filter selects too many listings, those
 * of a sample are checked, and the counts are scaled to all.
 */
import { DAY_MS, dayStartOf } from "../base/clock.ts";
import { groupBy } from "../base/group-by.ts";
import type { Database } from "../db/database.ts";
import { type Sql, sql } from "../db/sql.ts";
import type { Directory } from "../filters/language/attributes.ts";
import type { Filter } from "../filters/language/filter.ts";
import { compileSql, loadDirectory } from "../filters/sql/compile-sql.ts";
import {
  estimateListings,
  inSample,
  type Share,
  scaleCount,
  shareOf,
} from "../listings/figures/sample.ts";
import { findReplaced } from "../listings/offers.ts";
import { median } from "../pricing/cells/statistics.ts";
import { findPastBuys, type PriceBasis } from "../pricing/find-past-buys.ts";
import { isBuyable } from "../pricing/past-buy-store.ts";
import {
  changingClauses,
  listMoments,
  type Period,
  type Post,
  relaxFilter,
  withDuplicates,
} from "./preview-moments.ts";

export interface PreviewRequest {
  /** The conditions of the alert and of its view. */
  readonly filter: Filter;
  readonly period: Period;
  /** Only for price_engine alerts. */
  readonly buys?: BuyOptions;
  /** How many listings are checked. Smaller in tests. */
  readonly candidatesMax?: number;
  /** Many others wait: a small sample is enough. */
  readonly isCrowded?: boolean;
}

interface BuyOptions {
  /** Empty: the headline. */
  readonly configurationIds: readonly string[];
  readonly alertWindowMs: number;
}

/** A listing that would have matched, and when. */
interface PreviewMatch {
  readonly id: string;
  readonly matchedAtMs: number;
  /** Only of buys. */
  readonly profitEurMinor?: number;
}

interface PreviewDay {
  readonly day_start_ms: number;
  readonly match_count: number;
  readonly price_basis?: PriceBasis;
}

interface Overlap {
  readonly alert_id: string;
  readonly name: string;
  readonly shared_count: number;
}

/** What the buys of a preview were worth. */
interface PreviewMoney {
  /** Absent without a buy. */
  readonly profit_median_eur_minor?: number;
  readonly profit_sum_eur_minor: number;
  /** How many of them are still on offer. */
  readonly still_on_offer_count: number;
}

/** Only a preview of buys has the members of money. */
interface Preview extends Partial<PreviewMoney> {
  readonly total: number;
  /** False if the figures come from a sample, or if the listings have more posts than are read. */
  readonly is_exact: boolean;
  /** Every UTC day of the period, oldest first. */
  readonly days: readonly PreviewDay[];
  /** The latest ones, latest first. */
  readonly latestIds: readonly string[];
  readonly overlaps: readonly Overlap[];
}

const CANDIDATES_MAX = 10_000;
/** Each of these is compared with the history of its cells. */
const ASKS_MAX = 3_000;
/** While many others wait. */
const CROWDED_MAX = 500;
const POSTS_MAX = 100_000;
/** An estimate can be too low, and then the sample is still too large. */
const ATTEMPTS_MAX = 4;
const SHOWN_MAX = 20;
const OVERLAPS_MAX = 20;

export async function previewAlert(db: Database, request: PreviewRequest): Promise<Preview> {
  const { period, buys } = request;
  const filter = buys === undefined ? request.filter : withDuplicates(request.filter);
  const directory = await loadDirectory(db, filter);
  const condition = compileSql(relaxFilter(filter), directory);
  const where: Sql =
    buys === undefined ? condition : sql`${condition} and ${isBuyable(buys.configurationIds)}`;
  const usualMax = buys === undefined ? CANDIDATES_MAX : ASKS_MAX;
  const candidatesMax =
    request.candidatesMax ?? (request.isCrowded === true ? CROWDED_MAX : usualMax);
  const { candidates, share } = await takeSample(db, where, { period, limit: candidatesMax });
  const { momentsOf, isExact } = await findMoments(db, candidates, {
    ...request,
    filter,
    directory,
  });
  const judged: Judged =
    buys === undefined
      ? takeFirst(momentsOf)
      : await findPastBuys(db, momentsOf, { ...buys, toMs: period.toMs });
  const matches = judged.matches.toSorted(
    (left, right) => right.matchedAtMs - left.matchedAtMs || (left.id < right.id ? -1 : 1),
  );
  const ids = matches.map(({ id }) => id);
  return {
    total: scaleCount(matches.length, share),
    is_exact: isExact && share === 1,
    days: countDays(matches, period, judged.basisOf).map((day) => ({
      ...day,
      match_count: scaleCount(day.match_count, share),
    })),
    ...(buys === undefined ? {} : await sumUp(db, matches, share)),
    latestIds: ids.slice(0, SHOWN_MAX),
    overlaps: (await listOverlaps(db, ids, OVERLAPS_MAX)).map((overlap) => ({
      ...overlap,
      shared_count: scaleCount(overlap.shared_count, share),
    })),
  };
}

async function sumUp(
  db: Database,
  matches: readonly PreviewMatch[],
  share: Share,
): Promise<PreviewMoney> {
  const profits = matches.map(({ profitEurMinor = 0 }) => profitEurMinor);
  const sum = profits.reduce((total, profit) => total + profit, 0);
  const ids = matches.map(({ id }) => id);
  return {
    ...(profits.length === 0
      ? {}
      : { profit_median_eur_minor: median(profits.toSorted((left, right) => left - right)) }),
    profit_sum_eur_minor: scaleCount(sum, share),
    // None is gone: a preview has visible listings only.
    still_on_offer_count: scaleCount(ids.length - (await findReplaced(db, ids)).size, share),
  };
}

/** All candidates if there are at most `limit`, otherwise a sample of them. */
async function takeSample(
  db: Database,
  where: Sql,
  { period, limit }: { readonly period: Period; readonly limit: number },
): Promise<{ readonly candidates: readonly Candidate[]; readonly share: Share }> {
  let share: Share = 1;
  for (let attempt = 1; ; attempt += 1) {
    const own = sql`${where} and ${inSample(share)}`;
    const found = await listCandidates(db, own, { period, limit: limit + 1 });
    if (found.length <= limit || attempt === ATTEMPTS_MAX)
      return { candidates: found.slice(0, limit), share };
    const { rowCount } = await estimateListings(db, sql`${own} and ${isPosted(period)}`);
    share *= shareOf(Math.max(rowCount, limit + 1), limit);
  }
}

/** A listing that may have matched within the period. */
interface Candidate {
  readonly id: string;
  readonly canonical_message_id: string;
  readonly first_seen_at_ms: number;
  readonly last_seen_at_ms: number;
}

/** The listings that `where` selects among those that were posted within the period, last seen first. */
async function listCandidates(
  db: Database,
  where: Sql,
  { period, limit }: { readonly period: Period; readonly limit: number },
): Promise<readonly Candidate[]> {
  const statement = sql`
    select id, canonical_message_id, first_seen_at_ms, last_seen_at_ms
      from listing
     where ${where} and ${isPosted(period)}
     order by last_seen_at_ms desc, id
     limit ${limit}`;
  return db.query<Candidate>(statement, { isStatic: false });
}

/** A condition on `listing`: it may have been posted within the period. */
function isPosted({ fromMs, toMs }: Period): Sql {
  return sql`(last_seen_at_ms >= ${fromMs}::bigint and first_seen_at_ms <= ${toMs}::bigint)`;
}

/** By listing: the times within the period at which the alert looks at it and its filter holds, in order. */
async function findMoments(
  db: Database,
  candidates: readonly Candidate[],
  { filter, period, buys, directory }: PreviewRequest & { readonly directory: Directory },
): Promise<{
  readonly momentsOf: ReadonlyMap<string, readonly number[]>;
  readonly isExact: boolean;
}> {
  const clauses = changingClauses(filter);
  // Only the first post matters without prices, and a message that was posted once has no other.
  const isPlain = ({ first_seen_at_ms: atMs, last_seen_at_ms }: Candidate) =>
    clauses.length === 0 &&
    atMs >= period.fromMs &&
    (buys === undefined || atMs === last_seen_at_ms);
  const messageIds = candidates.flatMap((one) => (isPlain(one) ? [] : [one.canonical_message_id]));
  const posts = await findPosts(db, [...new Set(messageIds)], { period, limit: POSTS_MAX });
  const postCount = [...posts.values()].reduce((sum, { length }) => sum + length, 0);
  return {
    momentsOf: new Map(
      candidates.map((candidate) => [
        candidate.id,
        isPlain(candidate)
          ? [candidate.first_seen_at_ms]
          : listMoments(posts.get(candidate.canonical_message_id) ?? [], {
              clauses,
              directory,
              period,
            }),
      ]),
    ),
    isExact: postCount < POSTS_MAX,
  };
}

/** By message: its posts until the end of the period, in the order of time. Revoked ones are left out. */
async function findPosts(
  db: Database,
  messageIds: readonly string[],
  { period, limit }: { readonly period: Period; readonly limit: number },
): Promise<ReadonlyMap<string, readonly Post[]>> {
  if (messageIds.length === 0) return new Map();
  const rows = await db.query<Post & { readonly canonical_message_id: string }>(sql`
    select message.id as canonical_message_id, post.sent_at_ms, post.group_id, post.has_media
      from unnest(${messageIds}::uuid[]) as message (id)
     cross join lateral (
             -- "offset 0" keeps the index: for some hundred messages the planner would read the whole table.
             select occurrence.id, sent_at_ms, group_id, has_media
               from occurrence
              where canonical_message_id = message.id and not is_revoked and sent_at_ms <= ${period.toMs}
             offset 0) as post
     order by message.id, post.sent_at_ms, post.id
     limit ${limit}`);
  return groupBy(rows, (row) => row.canonical_message_id);
}

interface Judged {
  readonly matches: readonly PreviewMatch[];
  readonly basisOf: (dayStartMs: number) => PriceBasis | undefined;
}

/** An alert without prices matches at the first of these times. */
function takeFirst(momentsOf: ReadonlyMap<string, readonly number[]>): Judged {
  const matches = [...momentsOf].flatMap(([id, [matchedAtMs]]) =>
    matchedAtMs === undefined ? [] : [{ id, matchedAtMs }],
  );
  return { matches, basisOf: () => undefined };
}

function countDays(
  matches: readonly PreviewMatch[],
  { fromMs, toMs }: Period,
  basisOf: Judged["basisOf"],
): readonly PreviewDay[] {
  const counts = new Map<number, number>();
  for (const { matchedAtMs } of matches) {
    const day = dayStartOf(matchedAtMs);
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  const days: PreviewDay[] = [];
  for (let day = dayStartOf(fromMs); day <= toMs; day += DAY_MS) {
    const basis = basisOf(day);
    const match_count = counts.get(day) ?? 0;
    days.push({
      day_start_ms: day,
      match_count,
      ...(basis === undefined ? {} : { price_basis: basis }),
    });
  }
  return days;
}

/** The alerts that matched some of these listings, those with the most first. */
async function listOverlaps(
  db: Database,
  listingIds: readonly string[],
  limit: number,
): Promise<readonly Overlap[]> {
  if (listingIds.length === 0) return [];
  return db.query<Overlap>(sql`
    select match.alert_id, alert.name, match.shared_count
      from (select alert_id, count(*) as shared_count
              from unnest(${listingIds}::uuid[]) as listing (id)
              join alert_match on alert_match.resource_id = listing.id and alert_match.resource = 'watch_listing'
             group by alert_id) as match
      join alert on alert.id = match.alert_id
     order by match.shared_count desc, match.alert_id
     limit ${limit}`);
}
