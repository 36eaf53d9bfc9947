/**
 * Alerts fire here: what was found becomes matches and deliveries. An alert on the market fires for what the matching step
 * matched (`recordBatch`), an alert on buys for the buys that a calculation found (`firePriceAlerts`). Both end in
 * `recordMatches`. An alert looks forward only, has one match for a listing, and is told once of an ask that is repeated, and once
 * more when a watch that was passed as too dear is back.
 */
import type { Database } from "../db/database.ts";
import type { FilterIndex } from "../filters/index/filter-index.ts";
import { findListingFacts } from "../listings/listing-store.ts";
import { findReplaced } from "../listings/offers.ts";
import type { MatchedBatch, MatchedListing, MatchedMessage } from "../matching/match-batch.ts";
import type { ListingMove, Move } from "../matching/resource-store.ts";
import type { BuySignal } from "../pricing/buy-signal.ts";
import { isStale } from "../pricing/cells/cell.ts";
import {
  type FiringRules,
  findFiringRules,
} from "../pricing/configurations/configuration-store.ts";
import { findHeadlines, type Headline } from "../pricing/headline-store.ts";
import { findSinceSequences, listPriceAlerts, type PriceAlert } from "./alert-store.ts";
import {
  dropPendingDeliveries,
  moveDeliveries,
  saveDeliveries,
} from "./deliveries/delivery-store.ts";
import {
  MESSAGE_CONTEXT,
  matchKeyOf,
  type NewMatch,
  toMarketContext,
  toPriceContext,
} from "./match.ts";
import {
  beginMatches,
  findKnownMatches,
  findMatchedIds,
  moveMatches,
  quietRepeats,
  releaseMatches,
  returnMatches,
  saveMatches,
} from "./match-write-store.ts";

/**
 * Records what a batch of the matching step matched: first moves the matches and deliveries of resources whose ids
 * changed, then saves the new matches. Call it last in the transaction of the batch.
 */
export async function recordBatch(tx: Database, batch: MatchedBatch): Promise<void> {
  const moves = [...(await selectListingMoves(tx, batch.listingMoves)), ...batch.messageMoves];
  if (moves.length > 0) {
    await beginMatches(tx);
    await moveMatches(tx, moves);
    await moveDeliveries(tx, moves);
  }
  const sinceOf = await findSinceSequences(
    tx,
    [...batch.listings, ...batch.messages].flatMap(({ alertIds, cameSequence }) =>
      cameSequence === undefined ? [] : alertIds,
    ),
  );
  const matches = [
    ...batch.listings.flatMap((listing) => toListingMatches(listing, sinceOf)),
    ...batch.messages.flatMap((message) => toMessageMatches(message, sinceOf)),
  ];
  await recordMatches(tx, matches, batch.matchedAtMs);
}

/** Most old ids of present listings have no match any more, so that no lock is needed for them. */
async function selectListingMoves(
  tx: Database,
  moves: readonly ListingMove[],
): Promise<readonly Move[]> {
  const others = moves.filter(({ may_fire }) => !may_fire);
  const matched = await findMatchedIds(
    tx,
    others.map(({ from }) => from),
  );
  return moves.filter(({ may_fire, from }) => may_fire || matched.has(from));
}

function toListingMatches(
  { shown, facts, market, alertIds, repeatAlertIds, cameSequence }: MatchedListing,
  sinceOf: ReadonlyMap<string, number>,
): readonly NewMatch[] {
  const match_context = toMarketContext(shown, facts, market);
  return arrivedFor(alertIds, cameSequence, sinceOf).map((alert_id) => ({
    alert_id,
    resource: "watch_listing",
    resource_id: shown.id,
    canonical_message_id: shown.canonical_message_id,
    match_context,
    is_outward: true,
    is_told_once: !repeatAlertIds.has(alert_id),
  }));
}

/** An alert looks forward only: what arrived before it, and changed since, does not fire it. */
function arrivedFor(
  alertIds: readonly string[],
  cameSequence: number | undefined,
  sinceOf: ReadonlyMap<string, number>,
): readonly string[] {
  if (cameSequence === undefined) return alertIds;
  return alertIds.filter((id) => cameSequence >= (sinceOf.get(id) ?? 0));
}

function toMessageMatches(
  { id, alertIds, cameSequence }: MatchedMessage,
  sinceOf: ReadonlyMap<string, number>,
): readonly NewMatch[] {
  return arrivedFor(alertIds, cameSequence, sinceOf).map((alert_id) => ({
    alert_id,
    resource: "message",
    resource_id: id,
    canonical_message_id: id,
    match_context: MESSAGE_CONTEXT,
    is_outward: true,
  }));
}

/**
 * Saves the matches of price_engine alerts for the buys that a calculation found. Call it last in the transaction that
 * saves the calculation: it takes the lock of matches, and a transaction that holds this lock must not wait for another.
 */
export async function firePriceAlerts(
  tx: Database,
  signals: readonly BuySignal[],
  { index, nowMs }: { readonly index: FilterIndex; readonly nowMs: number },
): Promise<void> {
  if (signals.length === 0) return;
  const rules = await findFiringRules(tx, unique(signals.map((signal) => signal.configuration_id)));
  const firing = signals.filter((signal) =>
    mayFire(signal, rules.get(signal.configuration_id), nowMs),
  );
  if (firing.length === 0) return;
  await index.catchUp(tx);
  const listingIds = unique(firing.map(({ listing_id }) => listing_id));
  const found = await findFiltersOf(tx, listingIds, index);
  const alerts = await listPriceAlerts(
    tx,
    unique(firing.map(({ configuration_id }) => configuration_id)),
    unique([...found.values()].flatMap((ids) => [...ids])),
  );
  const buys = { firing, alerts, found, rules };
  // A calculation finds the same buys until they are old, so the rest is read only of those that may give a new match.
  const news = Object.values(await selectNews(tx, toPriceMatches(buys), nowMs)).flat();
  const openIds = unique(news.map(({ resource_id }) => resource_id));
  if (openIds.length === 0) return;
  const headlines = await findHeadlines(tx, openIds);
  const replaced = await findReplaced(tx, openIds);
  const isOpen = new Set(openIds.filter((id) => !replaced.has(id)));
  const open = firing.filter(({ listing_id }) => isOpen.has(listing_id));
  await recordMatches(tx, toPriceMatches({ ...buys, firing: open, headlines }), nowMs);
}

function mayFire(signal: BuySignal, rules: FiringRules | undefined, nowMs: number): boolean {
  if (rules?.buy_signals_enabled !== true) return false;
  return !isStale({ ...rules, last_success_at_ms: signal.snapshot_at_ms }, nowMs);
}

/** How many listings are read at once. Each may have 64 kB of text, and a calculation can find thousands of buys. */
const FACTS_MAX = 200;

/**
 * By listing: the price alerts with a saved filter that matches. Deleted listings are left out. An ask that is posted again
 * in other words can be a buy now, so it is no reason against a match that it is a duplicate.
 */
async function findFiltersOf(
  tx: Database,
  listingIds: readonly string[],
  index: FilterIndex,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = new Map<string, ReadonlySet<string>>();
  for (let at = 0; at < listingIds.length; at += FACTS_MAX) {
    for (const listing of await findListingFacts(tx, listingIds.slice(at, at + FACTS_MAX))) {
      const owners = index
        .match({ ...listing, is_duplicate: false })
        .filter(({ owner_kind }) => owner_kind === "price_alert");
      found.set(listing.id, new Set(owners.map(({ owner_id }) => owner_id)));
    }
  }
  return found;
}

/** Without `headlines`, each rule may be the headline of its listing. */
function toPriceMatches(input: {
  readonly firing: readonly BuySignal[];
  readonly alerts: readonly PriceAlert[];
  readonly found: ReadonlyMap<string, ReadonlySet<string>>;
  readonly rules: ReadonlyMap<string, FiringRules>;
  readonly headlines?: ReadonlyMap<string, Headline>;
}): readonly NewMatch[] {
  // If several configurations find the same buy, the one with the highest profit counts, then the lower id.
  const best = input.firing.toSorted(
    (left, right) =>
      right.profit_opportunity_eur_minor - left.profit_opportunity_eur_minor ||
      (left.configuration_id < right.configuration_id ? -1 : 1),
  );
  const matches = new Map<string, NewMatch>();
  for (const signal of best) {
    const found = input.found.get(signal.listing_id);
    if (found === undefined) continue;
    const match_context = toPriceContext(signal);
    const headline = input.headlines?.get(signal.listing_id);
    const isHeadline =
      input.headlines === undefined || headline?.configuration_id === signal.configuration_id;
    const rules = input.rules.get(signal.configuration_id);
    const is_outward = rules?.status === "live";
    const { came_sequence } = signal;
    if (came_sequence < (rules?.since_sequence ?? 0)) continue;
    for (const alert of input.alerts) {
      if (came_sequence < alert.since_sequence) continue;
      if (!asksFor(alert, { signal, isHeadline, found })) continue;
      const key = `${alert.id} ${signal.listing_id}`;
      const first = matches.get(key) ?? {
        alert_id: alert.id,
        resource: "watch_listing",
        resource_id: signal.listing_id,
        canonical_message_id: signal.canonical_message_id,
        match_context,
        ...(isHeadline || headline === undefined ? {} : { headline: toPriceContext(headline) }),
        is_outward,
        is_told_once: true,
      };
      // One live configuration is enough to send the match.
      matches.set(key, { ...first, is_outward: first.is_outward || is_outward });
    }
  }
  return [...matches.values()];
}

/** An alert that names rules is judged by those, any other by the headline. */
function asksFor(
  alert: PriceAlert,
  {
    signal,
    isHeadline,
    found,
  }: {
    readonly signal: BuySignal;
    readonly isHeadline: boolean;
    readonly found: ReadonlySet<string>;
  },
): boolean {
  const { configuration_ids: ids } = alert;
  if (ids.length === 0 ? !isHeadline : !ids.includes(signal.configuration_id)) return false;
  return !alert.has_filter || found.has(alert.id);
}

function unique(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)];
}

/**
 * Saves the matches that are new, and their deliveries. Most matches of a changed listing are stored already, so this is
 * checked first: without a new match it does not take the lock of matches.
 */
export async function recordMatches(
  tx: Database,
  matches: readonly NewMatch[],
  nowMs: number,
): Promise<void> {
  const { added, released, returning } = await selectNews(tx, matches, nowMs);
  if (added.length + released.length + returning.length === 0) return;
  await beginMatches(tx);
  // What is new comes last, because it can repeat a match that is told now.
  const returned = await returnMatches(tx, returning, nowMs);
  const sent = await releaseMatches(tx, await quietRepeats(tx, released), nowMs);
  const saved = await saveMatches(tx, await quietRepeats(tx, added), nowMs);
  await dropPendingDeliveries(tx, returned);
  await saveDeliveries(tx, [...saved, ...sent, ...returned], nowMs);
}

interface News {
  /** Not stored yet. */
  readonly added: readonly NewMatch[];
  /** Stored as shadow, and may be sent. */
  readonly released: readonly NewMatch[];
  /** Stored before the watch was passed, which is back since. */
  readonly returning: readonly NewMatch[];
}

async function selectNews(
  tx: Database,
  matches: readonly NewMatch[],
  nowMs: number,
): Promise<News> {
  if (matches.length === 0) return { added: [], released: [], returning: [] };
  const stored = await findKnownMatches(tx, matches, nowMs);
  const known = new Map(stored.map((match) => [matchKeyOf(match), match]));
  const isReturning = (match: NewMatch) => known.get(matchKeyOf(match))?.is_returning === true;
  return {
    added: matches.filter((match) => !known.has(matchKeyOf(match))),
    released: matches.filter(
      (match) =>
        match.is_outward &&
        known.get(matchKeyOf(match))?.is_outward === false &&
        !isReturning(match),
    ),
    returning: matches.filter(isReturning),
  };
}
