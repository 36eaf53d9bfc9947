/** In the order in which the cells of one year are shown. */
export const CONDITION_BUCKETS = ["new", "like_new", "used"] as const;
export type ConditionBucket = (typeof CONDITION_BUCKETS)[number];
export type CellStatus = "available" | "insufficient" | "pending";

/** The cell of the API (section 2.6 of the seed). */
export interface Cell {
  readonly year: number;
  readonly condition_bucket: ConditionBucket;
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

export interface MinimumProfitOverride {
  readonly year: number;
  readonly condition_bucket: ConditionBucket;
  readonly amount_eur_minor: number;
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

export function configurationStatus(
  availableYears: readonly number[],
  lastSuccessAtMs: number | null,
): CellStatus {
  if (lastSuccessAtMs === null) return "pending";
  return availableYears.length > 0 ? "available" : "insufficient";
}
