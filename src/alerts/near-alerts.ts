/**
 * The alerts that a listing matches, and those that it nearly does.
 *
 * Idea: walk over all alerts of users and count the clauses that fail. To parse a filter takes longest, so a walk parses a
 * bounded number of new ones and skips the rest. Parsed filters are kept (`FilterMemo`), so the next walk gets
 * further. Between two slices other requests have their turn.
 *
 * Example: with a bound of 2,000 new filters and 10,000 alerts after a restart, the first walk evaluates 2,000 of them and
 * says that its answer is not exact; the fifth one and all later ones evaluate all.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { type ExplainContext, type Explained, nearest } from "../filters/explain-filters.ts";
import { countFailures, type Failure, listFailures } from "../filters/language/describe-filter.ts";
import { type Filter, joinFilters } from "../filters/language/filter.ts";
import type { ListingFacts } from "../listings/listing.ts";
import { isOnOffer, type OfferState } from "../listings/offers.ts";
import type { NearConfigurations } from "../pricing/near-configurations.ts";

export interface ExplainedAlert extends Explained {
  readonly strategy: string;
  /** When it matched; absent if it never did. */
  readonly matched_at_ms?: number;
}

interface NearAlerts {
  readonly explained: ExplainedAlert[];
  /** False if some alerts were not evaluated. */
  readonly isExact: boolean;
}

interface AlertRow {
  readonly id: string;
  readonly name: string;
  readonly is_enabled: boolean;
  readonly strategy: string;
  readonly filters: string;
  readonly view_filters: string | null;
  readonly configuration_ids: readonly string[];
}

/** An alert that fails more clauses than this is not near. */
const FAILURES_MAX = 2;
const PAGE_MAX = 1_000;
const SLICE_MAX = 100;
const ALERTS_MAX = 20_000;
const MATCHED_MAX = 100;

type Near = Omit<NearConfigurations, "explained"> & { readonly offerState: OfferState };

export async function findNearAlerts(
  db: Database,
  listing: ListingFacts,
  context: ExplainContext & { readonly near: Near },
): Promise<NearAlerts> {
  const matchedAtMs = await listMatched(db, listing.id);
  const question = { listing, context };
  const ranking = createRanking(context.bounds.shownMax);
  const add = (alert: AlertRow): void => {
    const count = countAll(alert, question);
    if (count <= FAILURES_MAX || matchedAtMs.has(alert.id)) ranking.add(alert, count);
  };
  const first = await listConcerned(db, [...matchedAtMs.keys()], [...context.near.memberIds]);
  for (const alert of first) add(alert);
  let walkedCount = 0;
  let parsableCount = context.bounds.parsedMax;
  let isExact = true;
  for await (const slice of walkAlerts(db)) {
    walkedCount += slice.length;
    for (const alert of slice) {
      const isKnown = isParsed(alert, context);
      if (isKnown || parsableCount > 0) add(alert);
      else isExact = false;
      if (!isKnown) parsableCount = Math.max(0, parsableCount - 1);
    }
    if (ranking.isComplete()) break;
    if (walkedCount < ALERTS_MAX) continue;
    isExact = false;
    break;
  }
  const explained = ranking.list().map((alert) => {
    const atMs = matchedAtMs.get(alert.id);
    return { ...explain(alert, question), ...(atMs === undefined ? {} : { matched_at_ms: atMs }) };
  });
  return {
    explained: nearest(explained, context.bounds),
    isExact: isExact || ranking.isComplete(),
  };
}

interface Ranking {
  add(alert: AlertRow, failureCount: number): void;
  /** Returns true if no other alert can be nearer than those that are there. */
  isComplete(): boolean;
  list(): readonly AlertRow[];
}

/** Keeps the first alerts of each number of failures, so that it stays small however many are near. */
function createRanking(shownMax: number): Ranking {
  const byCount = new Map<number, Map<string, AlertRow>>();
  return {
    add: (alert, failureCount) => {
      const alerts = byCount.get(failureCount) ?? new Map<string, AlertRow>();
      byCount.set(failureCount, alerts);
      if (alerts.size < shownMax) alerts.set(alert.id, alert);
    },
    isComplete: () => byCount.get(0)?.size === shownMax,
    list: () => [...byCount.values()].flatMap((alerts) => [...alerts.values()]),
  };
}

/** All alerts of users, in slices between which other requests run. */
async function* walkAlerts(db: Database) {
  for (let afterId: string | undefined; ; ) {
    const page = await listOfUsers(db, afterId);
    for (let at = 0; at < page.length; at += SLICE_MAX) {
      yield page.slice(at, at + SLICE_MAX);
      await nextTurn();
    }
    if (page.length < PAGE_MAX) return;
    afterId = page.at(-1)?.id;
  }
}

function isParsed({ filters, view_filters }: AlertRow, { memo }: ExplainContext): boolean {
  return memo.has(filters) && (view_filters === null || memo.has(view_filters));
}

interface Question {
  readonly listing: ListingFacts;
  readonly context: ExplainContext & { readonly near: Near };
}

/** How many conditions fail; infinite for an alert on messages. */
function countAll(alert: AlertRow, { listing, context }: Question): number {
  const filter = toFilter(alert, context);
  if (filter === undefined) return Number.POSITIVE_INFINITY;
  const otherCount = listOtherFailures(alert, context.near).length;
  return otherCount + countFailures(filter, asRead(alert, listing), context);
}

function explain(alert: AlertRow, { listing, context }: Question): ExplainedAlert {
  const filter = toFilter(alert, context) ?? { clauses: [] };
  const failures = [
    ...listOtherFailures(alert, context.near),
    ...listFailures(filter, asRead(alert, listing), context),
  ];
  const { id, name, strategy } = alert;
  return { id, name, strategy, is_match: failures.length === 0, failures };
}

/** An alert on buys does not leave duplicates out. */
function asRead({ strategy }: AlertRow, listing: ListingFacts): ListingFacts {
  return strategy === "price_engine" ? { ...listing, is_duplicate: false } : listing;
}

/** Returns undefined for an alert on messages. */
function toFilter(
  { filters, view_filters }: AlertRow,
  { memo }: ExplainContext,
): Filter | undefined {
  // Checked in the text first: most filters do not have the word.
  if (filters.includes('"resource"') && isOfMessages(filters)) return undefined;
  const own = memo.parse(filters);
  return view_filters === null ? own : joinFilters([own, memo.parse(view_filters)]);
}

function isOfMessages(filters: string): boolean {
  return (JSON.parse(filters) as { readonly resource?: unknown }).resource === "messages";
}

/** What an alert asks for besides its filters. */
function listOtherFailures(
  { is_enabled, strategy, configuration_ids: ids }: AlertRow,
  { memberIds, buyIds, sendingIds, headlineId, offerState }: Near,
): readonly Failure[] {
  const failures: Failure[] = [];
  if (!is_enabled) failures.push({ member: "enabled", expected: "true", actual: "false" });
  const asksFor = (known: ReadonlySet<string>): boolean =>
    ids.length === 0 ? known.has(headlineId ?? "") : ids.some((id) => known.has(id));
  if (ids.length > 0 && !asksFor(memberIds))
    failures.push({
      member: "configuration_ids",
      expected: "a listing of one of its configurations",
    });
  else if (strategy === "price_engine" && !asksFor(buyIds))
    failures.push({ member: "strategy", expected: "a buy of the price engine", actual: "no buy" });
  else if (strategy === "price_engine" && !asksFor(sendingIds))
    failures.push({ member: "buy_signals_enabled", expected: "true", actual: "false" });
  if (strategy === "price_engine" && !isOnOffer(offerState))
    failures.push({ member: "offer_state", expected: "an ask on offer", actual: offerState });
  return failures;
}

async function listMatched(db: Database, listingId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ alert_id: string; matched_at_ms: number }>(sql`
    select alert_id, matched_at_ms
      from alert_match
     where resource_id = ${listingId} and resource = 'watch_listing'
     order by matched_at_ms desc, alert_id
     limit ${MATCHED_MAX}`);
  return new Map(rows.map((row) => [row.alert_id, row.matched_at_ms]));
}

const COLUMNS = sql`
  alert.id, alert.name, alert.is_enabled, alert.strategy, alert.filters::text as filters,
  view.filters::text as view_filters,
  array_remove(alert.configuration_ids || alert.configuration_id::text, null) as configuration_ids`;

/** Those that matched the listing, and the system alerts of its configurations. */
function listConcerned(
  db: Database,
  matchedIds: readonly string[],
  configurationIds: readonly string[],
): Promise<readonly AlertRow[]> {
  return db.query<AlertRow>(sql`
    select ${COLUMNS}
      from (select id from alert where id = any(${matchedIds}::uuid[])
            union
            select id from alert where configuration_id = any(${configurationIds}::uuid[])) as concerned
      join alert using (id)
      left join market_view as view on view.id = alert.view_id
     order by alert.id
     limit ${matchedIds.length + configurationIds.length}`);
}

function listOfUsers(db: Database, afterId: string | undefined): Promise<readonly AlertRow[]> {
  const start = afterId === undefined ? sql`true` : sql`alert.id > ${afterId}`;
  return db.query<AlertRow>(sql`
    select ${COLUMNS}
      from alert
      left join market_view as view on view.id = alert.view_id
     where not alert.is_system and ${start}
     order by alert.id
     limit ${PAGE_MAX}`);
}
