export type ConditionBucket = "new" | "like_new" | "used";
export type CellStatus = "available" | "insufficient" | "pending";

/** Seed 2.6. */
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

export interface RefreshTimes {
  readonly updated_at_ms: number;
  readonly last_success_at_ms: number | null;
  readonly stale_after_ms: number;
}

/** Nothing was calculated yet, or too long ago, or the configuration is no longer the one that was calculated. */
export function isStale(times: RefreshTimes, nowMs: number): boolean {
  const { last_success_at_ms: successAtMs } = times;
  if (successAtMs === null || times.updated_at_ms > successAtMs) return true;
  return nowMs > successAtMs + times.stale_after_ms;
}

export function configurationStatus(
  cells: readonly Cell[],
  lastSuccessAtMs: number | null,
): CellStatus {
  if (lastSuccessAtMs === null) return "pending";
  return cells.some(({ status }) => status === "available") ? "available" : "insufficient";
}

/** Newest first. */
export function availableYears(cells: readonly Cell[]): readonly number[] {
  const years = cells.filter(({ status }) => status === "available").map(({ year }) => year);
  return [...new Set(years)].sort((left, right) => right - left);
}
