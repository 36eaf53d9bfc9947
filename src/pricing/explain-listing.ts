import { showAmount } from "../base/text.ts";
import { describeFailures } from "../filters/language/describe-filter.ts";
import { joinFilters, parseFilter } from "../filters/language/filter.ts";
import type { FilterContext } from "../filters/language/predicate.ts";
import type { ListingFacts } from "../listings/listing.ts";
import { lookbackStartMs } from "./cells/calculate-cells.ts";
import { hkMarkupOf } from "./cells/cell.ts";
import { isSuspect } from "./cells/statistics.ts";
import { ownFilters } from "./configurations/configuration.ts";
import type { NearConfiguration, SourceView } from "./near-configurations.ts";
import { meetsThreshold, toComparableAsk } from "./thresholds.ts";

/**
 * The text of `assay explain`: which source views and configurations a listing belongs to, why not to the others, and how
 * each number was calculated. It evaluates filters and thresholds with the same functions as the price engine.
 *
 * Example, for an ask of 9,000.00 in Hong Kong with a mark-up of 5 % + 150.00:
 *   hk_markup      = 9,000.00 x 5 % + 150.00 = 600.00
 *   comparable_ask = original_ask + hk_markup = 9,600.00
 */

/** The listing to explain, and what its filters are evaluated with. */
interface Question {
  readonly listing: ListingFacts;
  readonly views: readonly SourceView[];
  readonly context: FilterContext;
  readonly nowMs: number;
}

/** One line for each source view, with the clauses that the listing fails. */
export function explainViews({ listing, views, context }: Question): readonly string[] {
  if (views.length === 0)
    return ["there is no source view, so no listing is in any model; declare one"];
  return views.flatMap(({ name, source_market, filters }) => {
    const failures = describeFailures(
      parseFilter(filters, { readsDuplicates: true }),
      listing,
      context,
    );
    const verdict = failures.length === 0 ? "matches" : "does not match";
    return [`${name} (${source_market}): ${verdict}`, ...failures.map((line) => `  ${line}`)];
  });
}

/**
 * Explains each configuration with a block of lines. First those that contain the listing, then those that it misses by the
 * fewest clauses; otherwise in the given order.
 */
export function explainConfigurations(
  configurations: readonly NearConfiguration[],
  question: Question,
): readonly (readonly string[])[] {
  const rankOf = (configuration: NearConfiguration): number =>
    configuration.source_market === null
      ? 1 + describeFailures(toFilter(configuration), question.listing, question.context).length
      : 0;
  return configurations
    .map((configuration) => ({ configuration, rank: rankOf(configuration) }))
    .toSorted((left, right) => left.rank - right.rank)
    .map(({ configuration }) => explainConfiguration(configuration, question));
}

/** Why a listing is or is not in a configuration's model, and each number with its formula. */
function explainConfiguration(
  configuration: NearConfiguration,
  question: Question,
): readonly string[] {
  const failures = describeFailures(toFilter(configuration), question.listing, question.context);
  const isMember = configuration.source_market !== null;
  const isMatch = failures.length === 0;
  const title = `${configuration.configuration_key}: ${configuration.configuration_label} (${configuration.id})`;
  const notes = failures.map((line) => `  ${line}`);
  if (!isMember) {
    if (isMatch)
      notes.push(
        "  its filter matches, but no source view does, or the listing is still queued for matching",
      );
    return [`${title}: not in its model`, ...notes];
  }
  if (!isMatch)
    notes.push("  it was a member when it was last matched; it is queued to be matched again");
  return [`${title}: in its model`, ...notes, ...explainNumbers(configuration, question)];
}

function toFilter({ brand, market_reference, filters }: NearConfiguration) {
  const own = ownFilters(brand, market_reference);
  const options = { readsDuplicates: true };
  return joinFilters([parseFilter(own, options), parseFilter(filters, options)]);
}

function explainNumbers(
  configuration: NearConfiguration,
  { listing, nowMs }: Question,
): readonly string[] {
  const market = configuration.source_market;
  const askMinor = listing.price_eur_minor;
  if (market === null || askMinor === null)
    return ["  it has no price in EUR, so there is nothing to compare"];
  const markup = hkMarkupOf(configuration);
  const ask = toComparableAsk(askMinor, market, markup);
  const formula =
    market === "EU"
      ? "0 in the EU"
      : `${showAmount(askMinor)} x ${markup.rateBps / 100} % + ${showAmount(markup.fixedEurMinor)}`;
  return [
    `  original_ask   = ${showAmount(askMinor)}`,
    `  hk_markup      = ${formula} = ${showAmount(ask.hkMarkupEurMinor)}`,
    `  comparable_ask = original_ask + hk_markup = ${showAmount(ask.comparableAskEurMinor)}`,
    ...explainCell(configuration, { listing, nowMs, comparableMinor: ask.comparableAskEurMinor }),
    ...explainThresholds(configuration, ask.comparableAskEurMinor),
  ];
}

interface CellQuestion {
  readonly listing: ListingFacts;
  readonly comparableMinor: number;
  readonly nowMs: number;
}

function explainCell(cell: NearConfiguration, ask: CellQuestion): readonly string[] {
  const { listing } = ask;
  if (listing.year === null) return ["  the listing has no year, so it is in no cell"];
  if (listing.condition === null) return ["  the listing has no condition, so it is in no cell"];
  const name = `${listing.year} ${listing.condition.toLowerCase()}`;
  if (cell.cell_status === null) {
    return [
      cell.calculated_at_ms === null
        ? "  nothing was calculated yet; run `assay refresh`"
        : `  there is no cell ${name} in the snapshot`,
    ];
  }
  return [
    `  cell ${name}: ${cell.cell_status}, ${cell.listing_count} asks of ${cell.lookback_days} days` +
      ` (at least ${cell.minimum_listings})${cell.excludes_outliers ? ", without outliers" : ""}`,
    ...explainRange(cell, ask),
    `  counts in it   = ${explainCounting(cell, ask)}`,
  ];
}

/** The bounds of the cell, and what to do if the ask lies outside. */
function explainRange(cell: NearConfiguration, ask: CellQuestion): readonly string[] {
  const { plausible_min_eur_minor: min, plausible_max_eur_minor: max } = cell;
  if (min === null || max === null) return [];
  const shares = `${cell.implausible_below_bps / 100} % to ${cell.implausible_above_bps / 100} %`;
  const range =
    `  plausible asks = ${shares} of the median of all asks, ${showAmount(cell.ask_median_eur_minor ?? 0)}` +
    ` = ${showAmount(min)} to ${showAmount(max)}`;
  if (!isSuspect(ask.comparableMinor, cell)) return [range];
  return [
    `${range}: ${showAmount(ask.comparableMinor)} is suspect, most likely misread`,
    `    look at its message, and correct it: assay correct ${ask.listing.id} price='AMOUNT CURRENCY'`,
  ];
}

function explainCounting(cell: NearConfiguration, ask: CellQuestion): string {
  const { listing, nowMs, comparableMinor } = ask;
  if (listing.contact_ids.length === 0) return "no, its sender is unknown";
  if (listing.last_seen_at_ms < lookbackStartMs(cell.lookback_days, nowMs))
    return `no, it was last seen more than ${cell.lookback_days} days ago`;
  if (cell.counted_listing_id !== null && cell.counted_listing_id !== listing.id)
    return `no, ${cell.counted_listing_id} of the same contact counts instead`;
  if (isSuspect(comparableMinor, cell)) return "no, it is suspect";
  return `yes${cell.excludes_outliers ? ", unless it is an outlier" : ""}`;
}

function explainThresholds(cell: NearConfiguration, comparableMinor: number): readonly string[] {
  const average = cell.market_average_eur_minor;
  const maximum = cell.maximum_buy_eur_minor;
  const profit = cell.cell_minimum_profit_eur_minor;
  if (average === null || maximum === null || profit === null) {
    return cell.cell_status === null ? [] : ["  meets_buy_threshold = no: the cell has no prices"];
  }
  const margin = `x (100 + ${cell.consumer_margin_bps / 100}) %`;
  const isBuy = meetsThreshold(comparableMinor, maximum);
  return [
    `  market_average = mean of the comparable asks = ${showAmount(average)}; median ${showAmount(cell.market_median_eur_minor ?? 0)}`,
    `  consumer_min   = ${cell.consumer_low_quantile_bps / 100} % quantile ${margin} = ${showAmount(cell.consumer_min_eur_minor ?? 0)}`,
    `  consumer_max   = ${cell.consumer_high_quantile_bps / 100} % quantile ${margin} = ${showAmount(cell.consumer_max_eur_minor ?? 0)}`,
    `  maximum_buy    = market_average - minimum_profit = ${showAmount(average)} - ${showAmount(profit)} = ${showAmount(maximum)}`,
    `  maximum_hk_ask = the largest ask whose comparable_ask is not above it = ${showAmount(cell.maximum_hk_ask_eur_minor ?? 0)}`,
    `  profit_opportunity  = market_average - comparable_ask = ${showAmount(average - comparableMinor)}`,
    `  meets_buy_threshold = ${showAmount(comparableMinor)} <= ${showAmount(maximum)}: ${isBuy ? "yes" : "no"}` +
      (isBuy ? explainSilence(cell, comparableMinor) : ""),
  ];
}

/** Why a buy fires no alert. */
function explainSilence(cell: NearConfiguration, comparableMinor: number): string {
  if (isSuspect(comparableMinor, cell)) return ", but the ask is suspect, so it fires no alert";
  return cell.buy_signals_enabled ? "" : ", but buy_signals_enabled is false";
}
