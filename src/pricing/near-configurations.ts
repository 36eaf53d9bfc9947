import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { ExplainContext, Explained } from "../filters/explain-filters.ts";
import { countFailures, type Failure, listFailures } from "../filters/language/describe-filter.ts";
import { type Filter, joinFilters } from "../filters/language/filter.ts";
import { clausesOfSets, effectiveSets, type Sets } from "../filters/language/sets.ts";
import type { ListingFacts } from "../listings/listing.ts";
import type { SourceMarket } from "../matching/membership-store.ts";
import { hkMarkupOf, type PriceRules } from "./cells/cell.ts";
import { ownFilters } from "./configurations/configuration.ts";
import { CONFIGURATION_LABEL } from "./configurations/configuration-store.ts";
import { compareHeadlines } from "./listing-price.ts";
import { judgeBuy, toComparableAsk } from "./thresholds.ts";

export interface ExplainedConfiguration extends Explained {
  readonly configuration_key: string;
  /** Null if the listing is not a member. */
  readonly source_market: SourceMarket | null;
}

export interface NearConfigurations {
  readonly explained: ExplainedConfiguration[];
  readonly memberIds: ReadonlySet<string>;
  /** The configurations for which the listing is a buy. */
  readonly buyIds: ReadonlySet<string>;
  /** Those of them that send buys. */
  readonly sendingIds: ReadonlySet<string>;
  /** The configuration that an alert which names none is judged by; undefined if no cell is available. */
  readonly headlineId: string | undefined;
}

type Candidate = Pick<PriceRules, "hk_markup_rate_bps" | "hk_markup_fixed_eur_minor"> & {
  readonly id: string;
  readonly configuration_key: string;
  readonly name: string;
  readonly brand: string;
  readonly market_reference: string;
  readonly filters: string;
  readonly sets: Sets | null;
  readonly profile_sets: Sets;
  readonly buy_signals_enabled: boolean;
  readonly specificity: number;
  readonly source_market: SourceMarket | null;
  readonly maximum_buy_eur_minor: number | null;
  readonly plausible_min_eur_minor: number | null;
  readonly plausible_max_eur_minor: number | null;
};

/** The configurations that contain the listing, and those of its reference or brand that nearly do. */
export async function findNearConfigurations(
  db: Database,
  listing: ListingFacts,
  context: ExplainContext,
): Promise<NearConfigurations> {
  const candidates = await listCandidates(db, listing, context.bounds.candidatesMax);
  const members = candidates.filter(({ source_market }) => source_market !== null);
  const buys = members.filter((member) => isBuy(member, listing));
  return {
    explained: explainNearest(candidates, listing, context),
    memberIds: toIds(members),
    buyIds: toIds(buys),
    sendingIds: toIds(buys.filter(({ buy_signals_enabled }) => buy_signals_enabled)),
    headlineId: members
      .filter(({ maximum_buy_eur_minor }) => maximum_buy_eur_minor !== null)
      .toSorted(compareHeadlines)[0]?.id,
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
): ExplainedConfiguration[] {
  const ranked = candidates.map((candidate) => {
    const filter = toFilter(candidate, context);
    const isMember = candidate.source_market !== null;
    const rank = isMember ? 0 : Math.max(1, countFailures(filter, listing, context));
    return { candidate, filter, rank };
  });
  return ranked
    .toSorted((left, right) => left.rank - right.rank)
    .slice(0, context.bounds.shownMax)
    .map(({ candidate, filter }) => explain(candidate, listFailures(filter, listing, context)));
}

function toFilter(candidate: Candidate, { memo }: ExplainContext): Filter {
  const { brand, market_reference, filters, sets, profile_sets: profileSets } = candidate;
  const options = { readsDuplicates: true };
  const own = ownFilters(brand, market_reference);
  const compared = effectiveSets({ filters: JSON.parse(filters), sets, profileSets });
  return joinFilters([
    memo.parse(JSON.stringify(own), options),
    memo.parse(filters, options),
    { clauses: clausesOfSets(compared) },
  ]);
}

function explain(
  { id, name, configuration_key, source_market }: Candidate,
  failures: readonly Failure[],
): ExplainedConfiguration {
  const shown = { id, name, configuration_key, source_market };
  if (source_market !== null) return { ...shown, is_match: true, failures: [] };
  // Its filter holds, so it is for want of a source view, or the listing is still queued for matching.
  const missing = { member: "source_view", expected: "a source view that selects the listing" };
  return { ...shown, is_match: false, failures: failures.length === 0 ? [missing] : [...failures] };
}

/** As the price engine decides it, but from the cell as it is now. */
function isBuy(member: Candidate, { price_eur_minor }: ListingFacts): boolean {
  const { source_market } = member;
  if (source_market === null || price_eur_minor === null) return false;
  const ask = toComparableAsk(price_eur_minor, source_market, hkMarkupOf(member));
  return judgeBuy(ask.comparableAskEurMinor, member) === "buy";
}

async function listCandidates(
  db: Database,
  listing: ListingFacts,
  candidatesMax: number,
): Promise<readonly Candidate[]> {
  const { id, reference_normalized, year, condition } = listing;
  return db.query<Candidate>(sql`
    with candidate as (
      (select configuration_id as id, 0 as rank from listing_model where listing_id = ${id}
        order by configuration_id limit ${candidatesMax})
      union all
      (select id, 1 from price_configuration where market_reference_normalized = ${reference_normalized} and deleted_at_ms is null
        order by market_reference_normalized, configuration_key limit ${candidatesMax})
      union all
      (select id, 2 from price_configuration
        where brand_lower = (select lower(brand) from listing where id = ${id}) and deleted_at_ms is null
        order by brand_lower, configuration_key limit ${candidatesMax})
    ), near as materialized (
      select id, min(rank) as rank from candidate group by id
    )
    select configuration.id, configuration.configuration_key, ${CONFIGURATION_LABEL} as name, configuration.brand,
           coalesce(configuration.market_reference, configuration.reference) as market_reference,
           configuration.filters::text as filters, configuration.sets, profile.sets as profile_sets,
           configuration.buy_signals_enabled, configuration.specificity, profile.hk_markup_rate_bps,
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
     limit ${3 * candidatesMax}`);
}
