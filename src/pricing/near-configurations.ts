import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { type ExplainContext, type Explained, SHOWN_MAX } from "../filters/explain-filters.ts";
import { countFailures, type Failure, listFailures } from "../filters/language/describe-filter.ts";
import { type Filter, joinFilters } from "../filters/language/filter.ts";
import type { ListingFacts } from "../listings/listing.ts";
import type { SourceMarket } from "../matching/membership-store.ts";
import { hkMarkupOf, type PriceRules } from "./cells/cell.ts";
import { RULE_COLUMNS } from "./cells/refresh-store.ts";
import { isSuspect } from "./cells/statistics.ts";
import { ownFilters } from "./configurations/configuration.ts";
import { CONFIGURATION_LABEL } from "./configurations/configuration-store.ts";
import { meetsThreshold, toComparableAsk } from "./thresholds.ts";

export interface NearConfigurations {
  readonly explained: Explained[];
  readonly memberIds: ReadonlySet<string>;
  /** The configurations for which the listing is a buy. */
  readonly buyIds: ReadonlySet<string>;
  /** Those of them that send buys. */
  readonly sendingIds: ReadonlySet<string>;
}

type Candidate = Pick<PriceRules, "hk_markup_rate_bps" | "hk_markup_fixed_eur_minor"> & {
  readonly id: string;
  readonly name: string;
  readonly brand: string;
  readonly market_reference: string;
  readonly filters: string;
  readonly buy_signals_enabled: boolean;
  /** Null if the listing is not a member. */
  readonly source_market: SourceMarket | null;
  readonly maximum_buy_eur_minor: number | null;
  readonly plausible_min_eur_minor: number | null;
  readonly plausible_max_eur_minor: number | null;
};

/** So many of those that contain the listing, of its reference, and of its brand are evaluated. */
const CANDIDATES_MAX = 100;

/** The configurations that contain the listing, and those of its reference or brand that nearly do. */
export async function findNearConfigurations(
  db: Database,
  listing: ListingFacts,
  context: ExplainContext,
): Promise<NearConfigurations> {
  const candidates = await listCandidates(db, listing);
  const members = candidates.filter(({ source_market }) => source_market !== null);
  const buys = members.filter((member) => isBuy(member, listing));
  return {
    explained: explainNearest(candidates, listing, context),
    memberIds: toIds(members),
    buyIds: toIds(buys),
    sendingIds: toIds(buys.filter(({ buy_signals_enabled }) => buy_signals_enabled)),
  };
}

function toIds(candidates: readonly Candidate[]): ReadonlySet<string> {
  return new Set(candidates.map(({ id }) => id));
}

/** To count the failures of a candidate is cheaper than to describe them, so only those that are shown are described. */
function explainNearest(
  candidates: readonly Candidate[],
  listing: ListingFacts,
  context: ExplainContext,
): Explained[] {
  const ranked = candidates.map((candidate) => {
    const filter = toFilter(candidate, context);
    const isMember = candidate.source_market !== null;
    const rank = isMember ? 0 : Math.max(1, countFailures(filter, listing, context));
    return { candidate, filter, rank };
  });
  return ranked
    .toSorted((left, right) => left.rank - right.rank)
    .slice(0, SHOWN_MAX)
    .map(({ candidate, filter }) => explain(candidate, listFailures(filter, listing, context)));
}

function toFilter(candidate: Candidate, { memo }: ExplainContext): Filter {
  const { brand, market_reference, filters } = candidate;
  const options = { readsDuplicates: true };
  const own = ownFilters(brand, market_reference);
  return joinFilters([memo.parse(JSON.stringify(own), options), memo.parse(filters, options)]);
}

function explain({ id, name, source_market }: Candidate, failures: readonly Failure[]): Explained {
  if (source_market !== null) return { id, name, is_match: true, failures: [] };
  // Its filter holds, so it is for want of a source view, or the listing is still queued for matching.
  const missing = { member: "source_view", expected: "a source view that selects the listing" };
  return { id, name, is_match: false, failures: failures.length === 0 ? [missing] : [...failures] };
}

/** As the price engine decides it, but from the cell as it is now. */
function isBuy(member: Candidate, { price_eur_minor }: ListingFacts): boolean {
  const { source_market, maximum_buy_eur_minor: maximum } = member;
  if (source_market === null || price_eur_minor === null || maximum === null) return false;
  const ask = toComparableAsk(price_eur_minor, source_market, hkMarkupOf(member));
  return (
    meetsThreshold(ask.comparableAskEurMinor, maximum) &&
    !isSuspect(ask.comparableAskEurMinor, member)
  );
}

async function listCandidates(db: Database, listing: ListingFacts): Promise<readonly Candidate[]> {
  const { id, reference_normalized, year, condition } = listing;
  return db.query<Candidate>(sql`
    with candidate as (
      (select configuration_id as id, 0 as rank from listing_model where listing_id = ${id}
        order by configuration_id limit ${CANDIDATES_MAX})
      union all
      (select id, 1 from price_configuration where market_reference_normalized = ${reference_normalized} and deleted_at_ms is null
        order by market_reference_normalized, configuration_key limit ${CANDIDATES_MAX})
      union all
      (select id, 2 from price_configuration
        where brand_lower = (select lower(brand) from listing where id = ${id}) and deleted_at_ms is null
        order by brand_lower, configuration_key limit ${CANDIDATES_MAX})
    ), near as materialized (
      select id, min(rank) as rank from candidate group by id
    )
    select configuration.id, ${CONFIGURATION_LABEL} as name, configuration.brand,
           coalesce(configuration.market_reference, configuration.reference) as market_reference,
           configuration.filters::text as filters, configuration.buy_signals_enabled, profile.hk_markup_rate_bps,
           profile.hk_markup_fixed_eur_minor, model.source_market, cell.maximum_buy_eur_minor,
           cell.plausible_min_eur_minor, cell.plausible_max_eur_minor
      from near
      join price_configuration as configuration on configuration.id = near.id and configuration.deleted_at_ms is null
      join price_profile as profile on profile.id = configuration.profile_id
      left join listing_model as model on model.listing_id = ${id} and model.configuration_id = configuration.id
      left join price_cell as cell
        on cell.configuration_id = configuration.id and cell.year = ${year}
       and cell.condition_bucket = ${condition?.toLowerCase() ?? null}
     order by near.rank, configuration.configuration_key
     limit ${3 * CANDIDATES_MAX}`);
}

/** Follows an alias from before contacts merged; returns other ids as they are. */
export async function findCurrentListingId(db: Database, id: string): Promise<string> {
  const [row] = await db.query<{ id: string }>(sql`
    select listing_id as id from listing_alias where old_id = ${id}`);
  return row?.id ?? id;
}

/** A configuration with the brand or reference of a listing, or that contains it, with the listing's cell if any. */
export interface NearConfiguration extends PriceRules {
  readonly id: string;
  readonly configuration_key: string;
  readonly configuration_label: string;
  readonly brand: string;
  readonly market_reference: string;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly buy_signals_enabled: boolean;
  /** Null if the listing is not a member. */
  readonly source_market: SourceMarket | null;
  readonly cell_status: string | null;
  readonly listing_count: number | null;
  readonly market_average_eur_minor: number | null;
  readonly market_median_eur_minor: number | null;
  readonly consumer_min_eur_minor: number | null;
  readonly consumer_max_eur_minor: number | null;
  readonly maximum_buy_eur_minor: number | null;
  readonly maximum_hk_ask_eur_minor: number | null;
  readonly plausible_min_eur_minor: number | null;
  readonly plausible_max_eur_minor: number | null;
  readonly ask_median_eur_minor: number | null;
  readonly cell_minimum_profit_eur_minor: number | null;
  readonly calculated_at_ms: number | null;
  /** The listing that counts for the contact in that cell: last seen, then lowest ask, then lowest id. */
  readonly counted_listing_id: string | null;
}

/** A brand has hundreds of configurations. The caller shows the nearest. */
const NEAR_MAX = 10_000;
const VIEWS_MAX = 1_000;

/** Only for members, because the others are in no cell. */
const COUNTED_LISTING_ID = sql`
  case when model.source_market is not null then (
   select other.id
     from listing as other
     join listing_model as member
       on member.listing_id = other.id and member.configuration_id = configuration.id
    where other.contact_id = listing.contact_id and other.year = listing.year
      and other.condition = listing.condition and other.side = 'for_sale'
      and not other.is_hidden and not other.is_revoked and other.price_eur_minor is not null
    order by other.last_seen_at_ms desc, other.price_eur_minor, other.id
    limit 1) end`;

/** First those that contain the listing, then those of its reference, then those of its brand. */
export async function listNearConfigurations(
  db: Database,
  listingId: string,
): Promise<readonly NearConfiguration[]> {
  return db.query<NearConfiguration>(sql`
    select configuration.id, configuration.configuration_key, ${CONFIGURATION_LABEL} as configuration_label,
           configuration.brand, coalesce(configuration.market_reference, configuration.reference) as market_reference,
           configuration.filters, configuration.buy_signals_enabled, ${RULE_COLUMNS}, model.source_market,
           cell.status as cell_status, cell.listing_count, cell.market_average_eur_minor,
           cell.market_median_eur_minor, cell.consumer_min_eur_minor, cell.consumer_max_eur_minor,
           cell.maximum_buy_eur_minor, cell.maximum_hk_ask_eur_minor, cell.plausible_min_eur_minor,
           cell.plausible_max_eur_minor, cell.ask_median_eur_minor,
           cell.minimum_profit_eur_minor as cell_minimum_profit_eur_minor, snapshot.calculated_at_ms,
           ${COUNTED_LISTING_ID} as counted_listing_id
      from listing
      join price_configuration as configuration
        on configuration.brand_lower = lower(listing.brand)
        or configuration.market_reference_normalized = listing.reference_normalized
        or configuration.id in (select configuration_id from listing_model where listing_id = listing.id)
      join price_profile as profile on profile.id = configuration.profile_id
      left join listing_model as model
        on model.listing_id = listing.id and model.configuration_id = configuration.id
      left join price_snapshot as snapshot on snapshot.configuration_id = configuration.id
      left join price_cell as cell
        on cell.configuration_id = configuration.id and cell.year = listing.year
       and cell.condition_bucket = lower(listing.condition)
     where listing.id = ${listingId} and configuration.deleted_at_ms is null
     order by model.source_market is null,
              configuration.market_reference_normalized is distinct from listing.reference_normalized,
              configuration.configuration_key
     limit ${NEAR_MAX}`);
}

export interface SourceView {
  readonly name: string;
  readonly source_market: SourceMarket;
  readonly filters: Readonly<Record<string, unknown>>;
}

export async function listSourceViews(db: Database): Promise<readonly SourceView[]> {
  return db.query<SourceView>(sql`
    select name, source_market, filters from market_view where source_market is not null
     order by source_market, name limit ${VIEWS_MAX}`);
}
