import { dropNulls } from "../db/row.ts";
import { hkMarkupOf } from "../pricing/cells/cell.ts";
import { isStale } from "../pricing/configurations/configuration.ts";
import type { ModelCellRow } from "../pricing/configurations/model-cell-store.ts";
import { meetsThreshold, toComparableAsk } from "../pricing/thresholds.ts";
import type { ListingModelRow } from "./listing-model-store.ts";

export type ListingMatch = ReturnType<typeof toListingMatch>;

/** How one configuration prices the listing's ask (section 2.4 of the seed). */
export function toListingMatch(model: ListingModelRow, row: ModelCellRow, nowMs: number) {
  const ask = toComparableAsk(model.original_ask_eur_minor, model.source_market, hkMarkupOf(row));
  const average = row.market_average_eur_minor;
  const maximum = row.maximum_buy_eur_minor;
  return dropNulls({
    configuration_id: row.configuration_id,
    brand: row.brand,
    reference: row.reference,
    market_reference_normalized: row.market_reference_normalized,
    filters: row.filters,
    filter_summary: row.filter_summary,
    exclude_outliers: row.exclude_outliers,
    price_engine_status: row.price_engine_status,
    buy_signals_enabled: row.buy_signals_enabled,
    is_stale: isStale(row, nowMs),
    year: row.year,
    condition_bucket: row.condition_bucket,
    source_market: model.source_market,
    cell_status: row.cell_status,
    lookback_days: row.lookback_days,
    listing_count: row.listing_count,
    original_ask_eur_minor: ask.originalAskEurMinor,
    comparable_ask_eur_minor: ask.comparableAskEurMinor,
    hk_markup_eur_minor: ask.hkMarkupEurMinor,
    calculated_at_ms: row.calculated_at_ms,
    calculation_version: row.calculation_version,
    configuration_key: row.configuration_key,
    configuration_label: row.configuration_label,
    market_average_eur_minor: average,
    consumer_min_eur_minor: row.consumer_min_eur_minor,
    consumer_max_eur_minor: row.consumer_max_eur_minor,
    minimum_profit_eur_minor: row.minimum_profit_eur_minor,
    maximum_eu_ask_eur_minor: maximum,
    maximum_hk_ask_eur_minor: row.maximum_hk_ask_eur_minor,
    profit_opportunity_eur_minor: average === null ? null : average - ask.comparableAskEurMinor,
    meets_buy_threshold:
      row.cell_status === "available" &&
      maximum !== null &&
      meetsThreshold(ask.comparableAskEurMinor, maximum),
    alert: toAlertState(model),
  });
}

/** The highest profit first, matches without a profit last; ties are ordered by configuration id. */
export function compareListingMatches(left: ListingMatch, right: ListingMatch): number {
  const profitOf = (match: ListingMatch) =>
    match.profit_opportunity_eur_minor ?? Number.NEGATIVE_INFINITY;
  if (profitOf(left) !== profitOf(right)) return profitOf(right) - profitOf(left);
  return left.configuration_id < right.configuration_id ? -1 : 1;
}

function toAlertState(row: ListingModelRow) {
  if (row.alert_id === null || row.alert_name === null || row.alert_enabled === null) return null;
  return dropNulls({
    id: row.alert_id,
    name: row.alert_name,
    enabled: row.alert_enabled,
    triggered: row.matched_at_ms !== null,
    matched_at_ms: row.matched_at_ms,
    seen_at_ms: row.seen_at_ms,
  });
}
