import { DAY_MS, dayStartOf, MINUTE_MS } from "../base/clock.ts";
import { groupBy } from "../base/group-by.ts";
import type { Database } from "../db/database.ts";
import { REPEAT_MS } from "../listings/listing-write-store.ts";
import { findReplacements, type Replacement } from "../listings/offers.ts";
import { hkMarkupOf } from "./cells/cell.ts";
import { isSuspect } from "./cells/statistics.ts";
import { compareHeadlines } from "./listing-price.ts";
import {
  type AskWindow,
  findRecordedWindows,
  listPastAsks,
  type PastAsk,
} from "./past-buy-store.ts";
import { toComparableAsk } from "./thresholds.ts";

/**
 * Finds which asks were buys when they were posted, by the prices that were calculated then. From each post on, an ask is
 * compared with its cell for as long as it may fire an alert, but not while it was replaced by another price. Where the history of a
 * cell does not go back so far, the prices of today take its place. Which asks are suspect is known for today only.
 *
 * Without configurations the headline decides, as it was then: a rule counts while no rule that ranks before it was available.
 *
 * Example (window 24 hours): an ask of 9,000 was posted at 10:00 and again at 12:00, so its window is 10:00 to 12:00 on the
 * next day. The maximum was 8,900 until 18:00 and 9,100 from then on. The ask was a buy at 18:00.
 */

interface PastBuyOptions {
  /** Empty: the headline. */
  readonly configurationIds: readonly string[];
  readonly alertWindowMs: number;
  /** No buy after this time. */
  readonly toMs: number;
}

export type PriceBasis = "recorded" | "current";

interface PastBuy {
  readonly id: string;
  /** The first time. */
  readonly matchedAtMs: number;
  /** By the prices of that time, if they were recorded. */
  readonly profitEurMinor: number;
}

interface PastBuys {
  /** One for each listing that was a buy. */
  readonly matches: readonly PastBuy[];
  /** By which prices the asks of a UTC day were compared; `current` if any of them was. */
  readonly basisOf: (dayStartMs: number) => PriceBasis;
}

/** A new ask is calculated into its cell within a second; a busy worker may take longer. */
const SETTLING_MS = MINUTE_MS;

/** `momentsOf` has, by listing, the times at which it was posted, in order. */
export async function findPastBuys(
  db: Database,
  momentsOf: ReadonlyMap<string, readonly number[]>,
  options: PastBuyOptions,
): Promise<PastBuys> {
  const ids = [...momentsOf].flatMap(([id, { length }]) => (length === 0 ? [] : [id]));
  const asks = await listPastAsks(db, ids, options.configurationIds);
  const replacements = await findReplacements(db, ids);
  const windows = [...groupBy(asks, (ask) => ask.listing_id)].flatMap(([id, own]) => {
    const spans = toSpans(momentsOf.get(id) ?? [], replacements.get(id) ?? [], options);
    return toWindows(own, spans, options);
  });
  const recorded = await findRecordedWindows(
    db,
    windows.map(({ window }) => window),
  );
  const first = new Map<string, PastBuy>();
  const currentDays = new Set<number>();
  let recordedFromMs = Number.POSITIVE_INFINITY;
  for (const { at, first_at_ms, buy_at_ms, average_eur_minor } of recorded) {
    const judged = windows[at];
    if (judged === undefined) continue;
    const isRecorded = first_at_ms !== null && first_at_ms <= judged.window.end_ms;
    if (!isRecorded) currentDays.add(dayStartOf(judged.window.start_ms));
    recordedFromMs = Math.min(recordedFromMs, first_at_ms ?? Number.POSITIVE_INFINITY);
    if (buy_at_ms === null) continue;
    const id = judged.ask.listing_id;
    const profitEurMinor = (average_eur_minor ?? 0) - judged.window.comparable_ask_eur_minor;
    const buy = { id, matchedAtMs: buy_at_ms, profitEurMinor };
    const known = first.get(id);
    if (known === undefined || isBefore(buy, known)) first.set(id, buy);
  }
  return {
    matches: leaveOutRepeats(
      [...first.values()],
      new Map(asks.map((ask) => [ask.listing_id, ask])),
    ),
    basisOf: (day) =>
      currentDays.has(day) || day + DAY_MS <= recordedFromMs ? "current" : "recorded",
  };
}

/** Of several rules at one time, the one with the highest profit counts, as when alerts fire. */
function isBefore(left: PastBuy, right: PastBuy): boolean {
  if (left.matchedAtMs !== right.matchedAtMs) return left.matchedAtMs < right.matchedAtMs;
  return left.profitEurMinor > right.profitEurMinor;
}

/**
 * An ask that is posted again in other words is another listing, and fires once: the first of them that was a buy; of two at
 * one time, the one that was posted first.
 */
function leaveOutRepeats(
  matches: PastBuys["matches"],
  askOf: ReadonlyMap<string, PastAsk>,
): PastBuys["matches"] {
  const told = new Map<string, PastAsk[]>();
  const postedAtMs = ({ id }: PastBuy) => askOf.get(id)?.message_timestamp_ms ?? 0;
  const sorted = matches.toSorted(
    (left, right) =>
      left.matchedAtMs - right.matchedAtMs ||
      postedAtMs(left) - postedAtMs(right) ||
      (left.id < right.id ? -1 : 1),
  );
  return sorted.filter(({ id }) => {
    const ask = askOf.get(id);
    if (ask === undefined || ask.ask_key === null) return true;
    const { ask_key, variant_folded, price_amount_minor, price_currency } = ask;
    const key = JSON.stringify([ask_key, variant_folded, price_amount_minor, price_currency]);
    const earlier = told.get(key) ?? [];
    if (earlier.some((other) => isRepeat(ask, other))) return false;
    told.set(key, [...earlier, ask]);
    return true;
  });
}

function isRepeat(ask: PastAsk, other: PastAsk): boolean {
  return (
    ask.canonical_message_id !== other.canonical_message_id &&
    Math.abs(ask.message_timestamp_ms - other.message_timestamp_ms) <= REPEAT_MS
  );
}

interface Judged {
  readonly ask: PastAsk;
  readonly window: AskWindow;
}

interface Span {
  readonly startMs: number;
  endMs: number;
}

/** Posts whose windows meet share one. While the dealer asked another price there is none. */
function toSpans(
  moments: readonly number[],
  replacements: readonly Replacement[],
  { alertWindowMs, toMs }: PastBuyOptions,
): readonly Span[] {
  const spans: Span[] = [];
  for (const atMs of moments) {
    for (const span of leaveOut(replacements, { startMs: atMs, endMs: atMs + alertWindowMs })) {
      const last = spans.at(-1);
      if (last !== undefined && span.startMs <= last.endMs) {
        last.endMs = Math.max(last.endMs, span.endMs);
      } else spans.push(span);
    }
  }
  return spans.flatMap(({ startMs, endMs }) =>
    startMs > toMs ? [] : [{ startMs, endMs: Math.min(endMs, toMs) }],
  );
}

/** What is left of the window without the replacements, in order. */
function leaveOut(replacements: readonly Replacement[], { startMs, endMs }: Span): readonly Span[] {
  const left: Span[] = [];
  let fromMs = startMs;
  for (const replaced of replacements) {
    if (replaced.untilMs <= fromMs || replaced.fromMs > endMs) continue;
    if (replaced.fromMs > fromMs) left.push({ startMs: fromMs, endMs: replaced.fromMs - 1 });
    fromMs = replaced.untilMs;
  }
  return fromMs <= endMs ? [...left, { startMs: fromMs, endMs }] : left;
}

/** The windows of one listing in each of its rules. A rule by which the ask is suspect has none, but stands before others. */
function toWindows(
  asks: readonly PastAsk[],
  spans: readonly Span[],
  { configurationIds }: PastBuyOptions,
): readonly Judged[] {
  const ranked = asks.toSorted(compareHeadlines);
  return ranked.flatMap((ask, rank) => {
    const { comparableAskEurMinor } = toComparableAsk(
      ask.price_eur_minor,
      ask.source_market,
      hkMarkupOf(ask),
    );
    if (isSuspect(comparableAskEurMinor, ask)) return [];
    const better = configurationIds.length === 0 ? ranked.slice(0, rank) : [];
    return spans.map(({ startMs, endMs }) => ({
      ask,
      window: {
        configuration_id: ask.configuration_id,
        year: ask.year,
        condition_bucket: ask.condition_bucket,
        comparable_ask_eur_minor: comparableAskEurMinor,
        start_ms: startMs,
        settled_ms: Math.max(startMs, Math.min(startMs + SETTLING_MS, endMs)),
        end_ms: endMs,
        market_average_eur_minor: ask.market_average_eur_minor,
        maximum_buy_eur_minor: ask.maximum_buy_eur_minor,
        better_ids: better.map(({ configuration_id }) => configuration_id),
        better_available: better.map(({ cell_status }) => cell_status === "available"),
      },
    }));
  });
}
