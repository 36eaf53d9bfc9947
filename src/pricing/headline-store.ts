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
  // Materialised and lateral: in a young store the planner would rather walk all members of the few rules that there are.
  const rows = await db.query<HeadlineRow>(sql`
    with ask as materialized (
      select listing.id as listing_id, listing.canonical_message_id, listing.price_eur_minor, listing.year,
             lower(listing.condition) as condition_bucket, model.configuration_id, model.source_market
        from unnest(${listingIds}::uuid[]) as own (id)
       cross join lateral (select * from listing where listing.id = own.id limit 1) as listing
       cross join lateral (select * from listing_model where listing_id = own.id offset 0) as model
       where ${IS_PRICEABLE}
    )
    select ask.listing_id, ask.canonical_message_id, ask.price_eur_minor, ask.source_market,
           configuration.id as configuration_id, configuration.configuration_key, configuration.specificity,
           configuration.buy_signals_enabled, configuration.calculator_mapping_id, configuration.brand_lower as brand,
           configuration.reference, profile.hk_markup_rate_bps, profile.hk_markup_fixed_eur_minor, cell.year,
           cell.condition_bucket, cell.market_average_eur_minor as baseline_average_eur_minor,
           cell.market_median_eur_minor as baseline_median_eur_minor, cell.minimum_profit_eur_minor,
           snapshot.calculated_at_ms as snapshot_at_ms, snapshot.source_sequence, snapshot.calculation_version
      from ask
      join price_configuration as configuration
        on configuration.id = ask.configuration_id and configuration.deleted_at_ms is null
      join price_profile as profile on profile.id = configuration.profile_id
      join price_snapshot as snapshot on snapshot.configuration_id = configuration.id
      join price_cell as cell
        on cell.configuration_id = configuration.id and cell.year = ask.year
       and cell.condition_bucket = ask.condition_bucket and cell.status = 'available'`);
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
