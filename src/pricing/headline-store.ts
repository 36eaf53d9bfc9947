import { DAY_MS } from "../base/clock.ts";
import type { Database } from "../db/database.ts";
import { type Sql, sql } from "../db/sql.ts";
import { isReplaced } from "../listings/offers.ts";
import type { SourceMarket } from "../matching/membership-store.ts";
import { type BuySignal, toCalculation } from "./buy-signal.ts";
import { hkMarkupOf, type RefreshState } from "./cells/cell.ts";
import { IS_PRICEABLE } from "./cells/refresh-store.ts";
import {
  type BuyTerms,
  compareHeadlines,
  HEADLINE_ORDER,
  type HeadlineRank,
} from "./listing-price.ts";
import { toComparableAsk } from "./thresholds.ts";

/** An ask on offer, with its headline. */
export interface HeadlineAsk extends BuyTerms, RefreshState {
  readonly listing_id: string;
  readonly last_seen_at_ms: number;
  readonly price_eur_minor: number;
  readonly configuration_id: string;
  readonly source_market: SourceMarket;
  readonly market_average_eur_minor: number;
  readonly buy_signals_enabled: boolean;
}

/** The columns of a row called `candidate`, from `listing`: what its cell and its offer state depend on. */
export const CANDIDATE_COLUMNS = sql`
  listing.id, listing.year, lower(listing.condition) as condition_bucket, listing.price_eur_minor, listing.last_seen_at_ms,
  listing.ask_key, listing.canonical_message_id, listing.side, listing.variant_folded, listing.price_amount_minor,
  listing.price_currency, listing.asks`;

/** The columns of `HeadlineAsk`, from `candidate` and the row of `HEADLINE`. */
export const HEADLINE_ASK_COLUMNS = sql`
  candidate.id as listing_id, candidate.last_seen_at_ms, candidate.price_eur_minor, cell.configuration_id,
  cell.source_market, cell.market_average_eur_minor, cell.maximum_buy_eur_minor, cell.plausible_min_eur_minor,
  cell.plausible_max_eur_minor, cell.hk_markup_rate_bps, cell.hk_markup_fixed_eur_minor, cell.buy_signals_enabled,
  cell.last_success_at_ms, cell.stale_after_ms,
  cell.revision is distinct from (select snapshot.revision from price_snapshot as snapshot
                                   where snapshot.configuration_id = cell.configuration_id) as is_changed`;

/** The headline of `candidate`, as a row called `cell`. */
export const HEADLINE = sql`
  lateral (
    select model.configuration_id, model.source_market, price_cell.market_average_eur_minor,
           price_cell.maximum_buy_eur_minor, price_cell.plausible_min_eur_minor, price_cell.plausible_max_eur_minor,
           profile.hk_markup_rate_bps, profile.hk_markup_fixed_eur_minor, profile.lookback_days, profile.stale_after_ms,
           configuration.buy_signals_enabled, configuration.last_success_at_ms, configuration.revision
      from listing_model as model
      join price_configuration as configuration
        on configuration.id = model.configuration_id and configuration.deleted_at_ms is null
      join price_profile as profile on profile.id = configuration.profile_id
      join price_cell
        on price_cell.configuration_id = model.configuration_id and price_cell.year = candidate.year
       and price_cell.condition_bucket = candidate.condition_bucket and price_cell.status = 'available'
     where model.listing_id = candidate.id
     order by ${HEADLINE_ORDER}
     limit 1
  ) as cell`;

/** Whether `candidate` is on offer, and was seen within the look-back of `cell`. */
export function isOffered(nowMs: number): Sql {
  return sql`
    candidate.last_seen_at_ms >= ${nowMs} - cell.lookback_days * ${DAY_MS}::bigint
    and not ${isReplaced("candidate")}`;
}

interface HeadlineSelection {
  readonly where?: Sql;
  readonly nowMs: number;
  /** Leaves out most of what is no buy: an ask above the most to pay, whatever it costs landed. */
  readonly isForBuys?: boolean;
  /** Also those that were last seen before the look-back of their headline: they may be buys. */
  readonly isOfAnyAge?: boolean;
}

/** Of these listings, those with a headline that are on offer and that `where` selects, in no order. */
export async function findHeadlineAsks(
  db: Database,
  listingIds: readonly string[],
  { where, nowMs, isForBuys = false, isOfAnyAge = false }: HeadlineSelection,
): Promise<readonly HeadlineAsk[]> {
  if (listingIds.length === 0) return [];
  const isLow = isForBuys
    ? sql`candidate.price_eur_minor <= cell.maximum_buy_eur_minor`
    : sql`true`;
  const isSeen = isOfAnyAge
    ? sql`true`
    : sql`listing.last_seen_at_ms
             >= ${nowMs} - (select max(lookback_days) from price_profile) * ${DAY_MS}::bigint`;
  const statement = sql`
    with candidate as materialized (
      select ${CANDIDATE_COLUMNS}
        from unnest(${listingIds}::uuid[]) as own (own_id)
        -- Looked up one by one: in a small store the planner would rather walk all that was seen lately.
       cross join lateral (select * from listing where listing.id = own.own_id limit 1) as listing
       where ${IS_PRICEABLE} and ${where ?? sql`true`} and ${isSeen}
    )
    select ${HEADLINE_ASK_COLUMNS}
      from candidate
     cross join ${HEADLINE}
     where ${isLow} and ${isOfAnyAge ? sql`not ${isReplaced("candidate")}` : isOffered(nowMs)}`;
  return db.query<HeadlineAsk>(statement, { isStatic: where === undefined });
}

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
