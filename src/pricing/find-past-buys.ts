import { DAY_MS, dayStartOf, MINUTE_MS } from "../base/clock.ts";
import type { Database } from "../db/database.ts";
import { REPEAT_MS } from "../listings/listing-write-store.ts";
import { hkMarkupOf } from "./cells/cell.ts";
import { isSuspect } from "./cells/statistics.ts";
import {
  type AskWindow,
  findRecordedWindows,
  listPastAsks,
  type PastAsk,
  type RecordedWindow,
} from "./past-buy-store.ts";
import { meetsThreshold, toComparableAsk } from "./thresholds.ts";

/**
 * Finds which asks were buys when they were posted, by the prices that were calculated then. From each post on, an ask is
 * compared with its cell for as long as it may fire an alert. Where the history of the cell does not go back so far, the
 * prices of today take its place. Which asks are suspect is known for today only.
 *
 * Example (window 24 hours): an ask of 9,000 was posted at 10:00 and again at 12:00, so its window is 10:00 to 12:00 on the
 * next day. The maximum was 8,900 until 18:00 and 9,100 from then on. The ask was a buy at 18:00.
 */

interface PastBuyOptions {
  /** Empty: any configuration. */
  readonly configurationIds: readonly string[];
  readonly alertWindowMs: number;
  /** No buy after this time. */
  readonly toMs: number;
}

export type PriceBasis = "recorded" | "current";

interface PastBuys {
  /** One for each listing that was a buy, with the first time. */
  readonly matches: readonly { readonly id: string; readonly matchedAtMs: number }[];
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
  const windows = asks.flatMap((ask) => toWindows(ask, momentsOf.get(ask.listing_id), options));
  const recorded = await findRecordedWindows(
    db,
    windows.map(({ window }) => window),
  );
  const firstAtMs = new Map<string, number>();
  const currentDays = new Set<number>();
  let recordedFromMs = Number.POSITIVE_INFINITY;
  for (const found of recorded) {
    const judged = windows[found.at];
    if (judged === undefined) continue;
    const isRecorded = found.first_at_ms !== null && found.first_at_ms <= judged.window.end_ms;
    if (!isRecorded) currentDays.add(dayStartOf(judged.window.start_ms));
    recordedFromMs = Math.min(recordedFromMs, found.first_at_ms ?? Number.POSITIVE_INFINITY);
    const atMs = isRecorded ? found.buy_at_ms : judgeNow(judged);
    if (atMs === null) continue;
    const id = judged.ask.listing_id;
    firstAtMs.set(id, Math.min(atMs, firstAtMs.get(id) ?? atMs));
  }
  const matches = Array.from(firstAtMs, ([id, matchedAtMs]) => ({ id, matchedAtMs }));
  return {
    matches: leaveOutRepeats(matches, new Map(asks.map((ask) => [ask.listing_id, ask]))),
    basisOf: (day) =>
      currentDays.has(day) || day + DAY_MS <= recordedFromMs ? "current" : "recorded",
  };
}

/** An ask that is posted again in other words is another listing, and fires once: the first of them that was a buy. */
function leaveOutRepeats(
  matches: PastBuys["matches"],
  askOf: ReadonlyMap<string, PastAsk>,
): PastBuys["matches"] {
  const told = new Map<string, PastAsk[]>();
  const sorted = matches.toSorted(
    (left, right) => left.matchedAtMs - right.matchedAtMs || (left.id < right.id ? -1 : 1),
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

/** Posts whose windows meet share one. A suspect ask has none. */
function toWindows(
  ask: PastAsk,
  moments: readonly number[] = [],
  { alertWindowMs, toMs }: PastBuyOptions,
): readonly Judged[] {
  const { comparableAskEurMinor } = toComparableAsk(
    ask.price_eur_minor,
    ask.source_market,
    hkMarkupOf(ask),
  );
  if (isSuspect(comparableAskEurMinor, ask)) return [];
  const spans: { startMs: number; endMs: number }[] = [];
  for (const atMs of moments) {
    const last = spans.at(-1);
    if (last !== undefined && atMs <= last.endMs) last.endMs = atMs + alertWindowMs;
    else spans.push({ startMs: atMs, endMs: atMs + alertWindowMs });
  }
  return spans.map(({ startMs, endMs }) => ({
    ask,
    window: {
      configuration_id: ask.configuration_id,
      year: ask.year,
      condition_bucket: ask.condition_bucket,
      comparable_ask_eur_minor: comparableAskEurMinor,
      start_ms: startMs,
      settled_ms: startMs + SETTLING_MS,
      end_ms: Math.min(endMs, toMs),
    },
  }));
}

/** By the prices of today, an ask is a buy from its first post on, or never. */
function judgeNow({ ask, window }: Judged): RecordedWindow["buy_at_ms"] {
  const isBuy =
    ask.cell_status === "available" &&
    ask.maximum_buy_eur_minor !== null &&
    meetsThreshold(window.comparable_ask_eur_minor, ask.maximum_buy_eur_minor);
  return isBuy ? window.start_ms : null;
}
