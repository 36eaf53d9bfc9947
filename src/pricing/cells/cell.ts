import { assert } from "../../base/errors.ts";
import { type HkMarkup, maximumBuy, maximumHkAsk } from "../thresholds.ts";
import {
  type Fences,
  findFences,
  findPlausibleRange,
  isOutlier,
  isSuspect,
  mean,
  median,
  type PlausibilityRules,
  type PlausibleRange,
  quantile,
  type SortedAmounts,
  shareOf,
} from "./statistics.ts";

/** In the order in which the cells of one year are shown. */
export const CONDITION_BUCKETS = ["new", "like_new", "used"] as const;
export type ConditionBucket = (typeof CONDITION_BUCKETS)[number];

export interface CellKey {
  readonly year: number;
  readonly condition_bucket: ConditionBucket;
}

/** The newest year first, then new, like_new, used. */
export function compareCells(left: CellKey, right: CellKey): number {
  return (
    right.year - left.year ||
    CONDITION_BUCKETS.indexOf(left.condition_bucket) -
      CONDITION_BUCKETS.indexOf(right.condition_bucket)
  );
}

export type CellStatus = "available" | "insufficient" | "pending";

/** The cell of the API (section 2.6 of the seed). */
export interface Cell extends CellKey {
  readonly lookback_days: number;
  readonly listing_count: number;
  readonly status: CellStatus;
  readonly source_sequence?: number;
  readonly calculation_version?: string;
  readonly calculated_at_ms?: number;
  readonly market_average_eur_minor?: number;
  readonly consumer_min_eur_minor?: number;
  readonly consumer_max_eur_minor?: number;
  readonly minimum_profit_eur_minor: number;
  readonly maximum_buy_eur_minor?: number;
}

export interface MinimumProfitOverride extends CellKey {
  readonly amount_eur_minor: number;
}

export const CALCULATION_VERSION = "price-engine.v1";

/** The rules for calculating cells, from a profile and a configuration. */
export interface PriceRules extends PlausibilityRules {
  readonly lookback_days: number;
  readonly minimum_listings: number;
  readonly minimum_profit_eur_minor: number;
  readonly hk_markup_rate_bps: number;
  readonly hk_markup_fixed_eur_minor: number;
  readonly consumer_low_quantile_bps: number;
  readonly consumer_high_quantile_bps: number;
  readonly consumer_margin_bps: number;
  /** True if the configuration or its filters ask for it. */
  readonly excludes_outliers: boolean;
  readonly minimum_profit_overrides: readonly MinimumProfitOverride[];
}

/** Market and consumer prices and maximums are null unless the cell is available. */
export interface CalculatedCell extends CellKey {
  readonly status: "available" | "insufficient";
  readonly lookback_days: number;
  readonly listing_count: number;
  readonly market_average_eur_minor: number | null;
  readonly market_median_eur_minor: number | null;
  readonly consumer_min_eur_minor: number | null;
  readonly consumer_max_eur_minor: number | null;
  readonly minimum_profit_eur_minor: number;
  readonly maximum_buy_eur_minor: number | null;
  readonly maximum_hk_ask_eur_minor: number | null;
  /** An ask outside these bounds is suspect. Null if there are none. */
  readonly plausible_min_eur_minor: number | null;
  readonly plausible_max_eur_minor: number | null;
  readonly ask_median_eur_minor: number | null;
  readonly suspect_count: number;
  /** Of the asks that count. */
  readonly quartile_low_eur_minor: number | null;
  readonly quartile_high_eur_minor: number | null;
  /** Of all asks on offer that are not suspect, whether they count or not: no ask has a higher profit. */
  readonly lowest_ask_eur_minor: number | null;
}

export interface RefreshState {
  readonly last_success_at_ms: number | null;
  readonly stale_after_ms: number;
  /** The configuration was changed since it was calculated. Compares revisions: times of two machines have no order. */
  readonly is_changed: boolean;
}

/** True if nothing was calculated yet, or too long ago, or if the configuration was changed since. */
export function isStale(state: RefreshState, nowMs: number): boolean {
  const { last_success_at_ms: successAtMs } = state;
  if (successAtMs === null || state.is_changed) return true;
  return nowMs > successAtMs + state.stale_after_ms;
}

const BPS = 10_000;
const LOW_BPS = BPS / 4;
const HIGH_BPS = 3 * LOW_BPS;

/** What decides which asks of a cell count: those within both bounds. An absent bound drops none. */
export interface CellBounds {
  readonly range?: PlausibleRange;
  readonly fences?: Fences;
}

/** Why an ask of the population does not count, or that it counts. */
export function judgeAsk(
  comparableAsk: number,
  { range, fences }: CellBounds,
): "counted" | "outlier" | "suspect" {
  if (range !== undefined && isSuspect(comparableAsk, range)) return "suspect";
  if (fences !== undefined && isOutlier(comparableAsk, fences)) return "outlier";
  return "counted";
}

/** The fences are those of the asks that are not suspect. */
export function findBounds(comparableAsks: SortedAmounts, rules: PriceRules): CellBounds {
  const range = findPlausibleRange(comparableAsks, rules);
  const plausible =
    range === undefined ? comparableAsks : comparableAsks.filter((ask) => !isSuspect(ask, range));
  const fences = rules.excludes_outliers ? findFences(plausible) : undefined;
  return { ...(range === undefined ? {} : { range }), ...(fences === undefined ? {} : { fences }) };
}

/**
 * `comparableAsks` are the comparable asks of all contacts, ascending. Suspect asks and outliers do not count. `offered` are
 * all asks of the cell, in any order.
 */
export function calculateCell(
  key: CellKey,
  comparableAsks: SortedAmounts,
  rules: PriceRules,
  {
    bounds = findBounds(comparableAsks, rules),
    offered = comparableAsks,
  }: { readonly bounds?: CellBounds; readonly offered?: readonly number[] } = {},
): CalculatedCell {
  const asks = comparableAsks.filter((ask) => judgeAsk(ask, bounds) === "counted");
  const isAvailable = asks.length > 0 && asks.length >= rules.minimum_listings;
  const minimumProfit = minimumProfitOf(key, rules);
  return {
    year: key.year,
    condition_bucket: key.condition_bucket,
    status: isAvailable ? "available" : "insufficient",
    lookback_days: rules.lookback_days,
    listing_count: asks.length,
    minimum_profit_eur_minor: minimumProfit,
    ...(isAvailable ? priceCell(asks, minimumProfit, rules) : NO_PRICES),
    ...(bounds.range ?? NO_RANGE),
    suspect_count: comparableAsks.filter((ask) => judgeAsk(ask, bounds) === "suspect").length,
    lowest_ask_eur_minor: findLowest(offered, bounds.range),
  };
}

/** Null if all asks are suspect. */
function findLowest(asks: readonly number[], range: PlausibleRange | undefined): number | null {
  let lowest: number | null = null;
  for (const ask of asks) {
    if (lowest !== null && ask >= lowest) continue;
    if (range === undefined || !isSuspect(ask, range)) lowest = ask;
  }
  return lowest;
}

export function hkMarkupOf(
  rules: Pick<PriceRules, "hk_markup_rate_bps" | "hk_markup_fixed_eur_minor">,
): HkMarkup {
  return { rateBps: rules.hk_markup_rate_bps, fixedEurMinor: rules.hk_markup_fixed_eur_minor };
}

const NO_PRICES = {
  market_average_eur_minor: null,
  market_median_eur_minor: null,
  consumer_min_eur_minor: null,
  consumer_max_eur_minor: null,
  maximum_buy_eur_minor: null,
  maximum_hk_ask_eur_minor: null,
  quartile_low_eur_minor: null,
  quartile_high_eur_minor: null,
} as const;

const NO_RANGE: { readonly [Name in keyof PlausibleRange]: null } = {
  plausible_min_eur_minor: null,
  plausible_max_eur_minor: null,
  ask_median_eur_minor: null,
};

function priceCell(asks: SortedAmounts, minimumProfit: number, rules: PriceRules) {
  const average = mean(asks);
  const maximum = maximumBuy(average, minimumProfit);
  assert(Number.isSafeInteger(maximum), "the maximum buy is above 2^53");
  const [low, high] = [quantile(asks, LOW_BPS), quantile(asks, HIGH_BPS)];
  // Most profiles use the quartiles, which are calculated already.
  const quantileOf = (bps: number) =>
    bps === LOW_BPS ? low : bps === HIGH_BPS ? high : quantile(asks, bps);
  const toConsumer = (bps: number) => shareOf(quantileOf(bps), BPS + rules.consumer_margin_bps);
  return {
    market_average_eur_minor: average,
    market_median_eur_minor: median(asks),
    consumer_min_eur_minor: toConsumer(rules.consumer_low_quantile_bps),
    consumer_max_eur_minor: toConsumer(rules.consumer_high_quantile_bps),
    maximum_buy_eur_minor: maximum,
    maximum_hk_ask_eur_minor: maximumHkAsk(maximum, hkMarkupOf(rules)),
    quartile_low_eur_minor: low,
    quartile_high_eur_minor: high,
  };
}

function minimumProfitOf(key: CellKey, rules: PriceRules): number {
  const override = rules.minimum_profit_overrides.find(
    ({ year, condition_bucket }) => year === key.year && condition_bucket === key.condition_bucket,
  );
  return override?.amount_eur_minor ?? rules.minimum_profit_eur_minor;
}

/** The cells before the first calculation: one for each override, with its minimum profit and no prices. */
export function pendingCells(
  overrides: readonly MinimumProfitOverride[],
  lookbackDays: number,
): readonly Cell[] {
  const isFirst = (override: CellKey, at: number) =>
    overrides.findIndex((other) => compareCells(other, override) === 0) === at;
  const sorted = overrides.filter(isFirst).sort(compareCells);
  return sorted.map((override) => ({
    year: override.year,
    condition_bucket: override.condition_bucket,
    lookback_days: lookbackDays,
    listing_count: 0,
    status: "pending",
    minimum_profit_eur_minor: override.amount_eur_minor,
  }));
}
