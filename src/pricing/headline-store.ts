import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { type BuySignal, toCalculation } from "./buy-signal.ts";
import { hkMarkupOf } from "./cells/cell.ts";
import { IS_PRICEABLE } from "./cells/refresh-store.ts";
import { compareHeadlines, type HeadlineRank } from "./listing-price.ts";
import { toComparableAsk } from "./thresholds.ts";

/** The calculation of the headline of a listing, whether it is a buy or not. */
export type Headline = Omit<BuySignal, "came_sequence">;

type HeadlineRow = HeadlineRank &
  Pick<
    Headline,
    | "listing_id"
    | "canonical_message_id"
    | "configuration_id"
    | "configuration_key"
    | "calculator_mapping_id"
    | "brand"
    | "reference"
    | "year"
    | "condition_bucket"
    | "source_market"
    | "baseline_average_eur_minor"
    | "baseline_median_eur_minor"
    | "minimum_profit_eur_minor"
    | "snapshot_at_ms"
    | "source_sequence"
    | "calculation_version"
  > & {
    readonly price_eur_minor: number;
    readonly hk_markup_rate_bps: number;
    readonly hk_markup_fixed_eur_minor: number;
  };

/** By listing, as the cells are stored. A listing without an available cell has none. */
export async function findHeadlines(
  db: Database,
  listingIds: readonly string[],
): Promise<ReadonlyMap<string, Headline>> {
  const rows = await db.query<HeadlineRow>(sql`
    select listing.id as listing_id, listing.canonical_message_id, listing.price_eur_minor, model.source_market,
           configuration.id as configuration_id, configuration.configuration_key, configuration.specificity,
           configuration.buy_signals_enabled, configuration.calculator_mapping_id, configuration.brand_lower as brand,
           configuration.reference, profile.hk_markup_rate_bps, profile.hk_markup_fixed_eur_minor, cell.year,
           cell.condition_bucket, cell.market_average_eur_minor as baseline_average_eur_minor,
           cell.market_median_eur_minor as baseline_median_eur_minor, cell.minimum_profit_eur_minor,
           snapshot.calculated_at_ms as snapshot_at_ms, snapshot.source_sequence, snapshot.calculation_version
      from listing
      join listing_model as model on model.listing_id = listing.id
      join price_configuration as configuration
        on configuration.id = model.configuration_id and configuration.deleted_at_ms is null
      join price_profile as profile on profile.id = configuration.profile_id
      join price_snapshot as snapshot on snapshot.configuration_id = configuration.id
      join price_cell as cell
        on cell.configuration_id = configuration.id and cell.year = listing.year
       and cell.condition_bucket = lower(listing.condition) and cell.status = 'available'
     where listing.id = any(${listingIds}::uuid[]) and ${IS_PRICEABLE}`);
  const found = new Map<string, HeadlineRow>();
  for (const row of rows) {
    const known = found.get(row.listing_id);
    if (known === undefined || compareHeadlines(row, known) < 0) found.set(row.listing_id, row);
  }
  return new Map(Array.from(found, ([id, row]) => [id, toHeadline(row)]));
}

function toHeadline({
  specificity: _specificity,
  buy_signals_enabled: _signals,
  price_eur_minor,
  hk_markup_rate_bps,
  hk_markup_fixed_eur_minor,
  ...row
}: HeadlineRow): Headline {
  const markup = hkMarkupOf({ hk_markup_rate_bps, hk_markup_fixed_eur_minor });
  const ask = toComparableAsk(price_eur_minor, row.source_market, markup);
  return { ...row, ...toCalculation(ask, row.baseline_average_eur_minor) };
}
