/** How configurations price the ask of a listing, and what became of their system alerts. */
import type { Database } from "../db/database.ts";
import { dropNulls } from "../db/row.ts";
import { type Sql, sql } from "../db/sql.ts";
import type { SourceMarket } from "../matching/membership-store.ts";
import { type ConditionBucket, hkMarkupOf, isStale } from "../pricing/cells/cell.ts";
import type { ModelCellRow } from "../pricing/configurations/model-cell-store.ts";
import { compareHeadlines } from "../pricing/listing-price.ts";
import { meetsThreshold, toComparableAsk } from "../pricing/thresholds.ts";

/** A configuration that a listing is a member of, its source market, and the state of the system alert. */
export interface ListingModelRow {
  readonly configuration_id: string;
  readonly source_market: SourceMarket;
  readonly original_ask_eur_minor: number;
  readonly price_amount_minor: number;
  readonly price_currency: string;
  /** When the ask was last said, in the text or in a reply. Its rate converts the ask. */
  readonly asked_at_ms: number;
  readonly year: number;
  readonly condition_bucket: ConditionBucket;
  readonly alert_id: string | null;
  readonly alert_name: string | null;
  readonly alert_enabled: boolean | null;
  readonly matched_at_ms: number | null;
  readonly seen_at_ms: number | null;
}

/** By requested id. An id that is neither a visible listing nor an alias of one is left out. */
export type ListingModels = ReadonlyMap<string, readonly ListingModelRow[]>;

export async function findListingModels(
  db: Database,
  listingIds: readonly string[],
): Promise<ListingModels> {
  const found = await findModelsOf(
    db,
    sql`(select id, id from unnest(${listingIds}::uuid[]) as id)`,
  );
  const missing = listingIds.filter((id) => !found.has(id));
  if (missing.length === 0) return found;
  // Rare: ids from before contacts merged.
  const moved = await findModelsOf(
    db,
    sql`(select old_id, listing_id from listing_alias where old_id = any(${missing}::uuid[]))`,
  );
  return new Map([...found, ...moved]);
}

interface FoundRow extends ListingModelRow {
  readonly requested_id: string;
}

/** `ids` selects pairs: the requested id, and the id of the listing. */
async function findModelsOf(
  db: Database,
  ids: Sql,
): Promise<Map<string, readonly ListingModelRow[]>> {
  const rows = await db.query<
    FoundRow | { readonly requested_id: string; readonly configuration_id: null }
  >(sql`
    select requested.requested_id, model.configuration_id, model.source_market,
           listing.price_eur_minor as original_ask_eur_minor, listing.price_amount_minor, listing.price_currency,
           coalesce((listing.asks -> -1 ->> 'asked_at_ms')::bigint, listing.message_timestamp_ms) as asked_at_ms, listing.year,
           lower(listing.condition) as condition_bucket, alert.id as alert_id, alert.name as alert_name,
           alert.is_enabled as alert_enabled, match.matched_at_ms, match.seen_at_ms
      from ${ids} as requested (requested_id, listing_id)
      join listing on listing.id = requested.listing_id and not listing.is_hidden and not listing.is_revoked
      left join listing_model as model
        on model.listing_id = listing.id and listing.side = 'for_sale' and listing.price_eur_minor is not null
       and listing.year is not null and listing.condition is not null
      left join alert on alert.configuration_id = model.configuration_id
      left join alert_match as match
        on match.alert_id = alert.id and match.resource = 'watch_listing' and match.resource_id = listing.id`);
  const found = new Map<string, ListingModelRow[]>();
  for (const row of rows) {
    const models = found.get(row.requested_id) ?? [];
    if (row.configuration_id !== null) models.push(row);
    found.set(row.requested_id, models);
  }
  return found;
}

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

/** One rule of a listing: the item of the API, and what it was made of. */
export interface PricedModel {
  readonly model: ListingModelRow;
  readonly cell: ModelCellRow;
  readonly item: ListingMatch;
}

/** The headline first if there is one, then the highest profit, then by configuration id. */
export function orderModels(models: readonly PricedModel[]): readonly PricedModel[] {
  const headline = models
    .filter(({ cell }) => cell.cell_status === "available")
    .toSorted((left, right) => compareHeadlines(left.cell, right.cell))[0];
  return models.toSorted((left, right) => {
    if (left === headline || right === headline) return left === headline ? -1 : 1;
    return compareByProfit(left.item, right.item);
  });
}

function compareByProfit(left: ListingMatch, right: ListingMatch): number {
  const profitOf = (match: ListingMatch) =>
    match.profit_opportunity_eur_minor ?? Number.NEGATIVE_INFINITY;
  if (profitOf(left) !== profitOf(right)) return profitOf(right) - profitOf(left);
  return left.configuration_id < right.configuration_id ? -1 : 1;
}

/** Undefined if no rule has an available cell. `models` are in the order of `orderModels`. */
export function headlineOf(models: readonly PricedModel[]): PricedModel | undefined {
  const [first] = models;
  return first?.cell.cell_status === "available" ? first : undefined;
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
