import type { ListingExplanation } from "../alerts/explain-listing.ts";
import type { ListingPrices } from "../alerts/listing-prices.ts";
import type { ExplainedAlert } from "../alerts/near-alerts.ts";
import { DAY_MS } from "../base/clock.ts";
import { assertNever } from "../base/errors.ts";
import { showAmount } from "../base/text.ts";
import type { ExplainedView } from "../filters/explain-filters.ts";
import type { Failure } from "../filters/language/describe-filter.ts";
import type { ListingRow } from "../listings/listing-store.ts";
import type { AskCalculation, AskCell } from "../pricing/ask-calculation.ts";
import type { PriceRules } from "../pricing/cells/cell.ts";
import type { ExplainedConfiguration } from "../pricing/near-configurations.ts";
import type { ComparableAsk } from "../pricing/thresholds.ts";

/** What the terminal shows besides the explanation. */
interface Printed {
  readonly listing: ListingRow;
  /** By the id of the configuration. */
  readonly calculations: ReadonlyMap<string, AskCalculation>;
  readonly prices: ListingPrices | undefined;
  /** The most of each kind. */
  readonly shownMax: number;
}

/** The lines of `assay explain`: what the API answers, with each number of the prices and its formula. */
export function printExplanation(
  { rate, views, configurations, alerts, is_exact }: ListingExplanation,
  printed: Printed,
): readonly string[] {
  const isSource = ({ source_market }: ExplainedView) => source_market !== null;
  const sources = views.filter(isSource).map(printView);
  const others = views.filter((view) => !isSource(view)).map(printView);
  return [
    printListing(printed.listing),
    ...printPrice(printed.listing, rate),
    ...printDrop(printed.listing),
    ...printReplies(printed.listing),
    ...section("Price", printVerdictOf(printed.prices)),
    ...section(
      "Source views",
      sources.length === 0
        ? ["there is no source view, so no listing is in any model; declare one"]
        : sources.flat(),
    ),
    ...section("Other views", nearest(others, printed)),
    ...section(
      "Configurations of its brand or reference",
      nearest(
        configurations.map((configuration) => printConfiguration(configuration, printed)),
        printed,
      ),
    ),
    ...section("Alerts", [
      ...nearest(alerts.map(printAlert), printed),
      ...(is_exact ? [] : ["there are more alerts than were looked at"]),
    ]),
  ];
}

function printListing(row: ListingRow): string {
  const marks = [
    row.is_hidden ? "hidden" : "",
    row.is_revoked ? "revoked" : "",
    row.is_duplicate ? "a duplicate" : "",
  ].filter(Boolean);
  const facts = [row.brand, row.model, row.reference, row.year, row.condition, row.dial_type];
  return [
    `Listing ${row.id}: ${facts.filter((fact) => fact !== null).join(" ")}, ${row.side}`,
    `last seen ${new Date(row.last_seen_at_ms).toISOString()}`,
    ...(marks.length === 0 ? [] : [`it is ${marks.join(" and ")}`]),
  ].join("; ");
}

/** What the headline says, in a few lines; the sections below say why. */
function printVerdictOf(prices: ListingPrices | undefined): readonly string[] {
  if (prices === undefined) return [];
  const { headline, price, reason, no_buy_reason, offer_state, post_count } = prices;
  const offer = `offer: ${offer_state ?? "gone"}, posted ${post_count === 1 ? "once" : `${post_count ?? 0} times`} at this price`;
  if (headline === undefined || price === undefined) {
    return [`none: ${reason ?? no_buy_reason ?? "it has no ask in EUR"}`, offer];
  }
  const { offer_up_to: upTo, evidence } = price;
  const profit = headline.profit_opportunity_eur_minor ?? 0;
  return [
    `headline ${headline.configuration_key}: ${price.is_buy ? "a buy" : `no buy, ${no_buy_reason}`}`,
    `landed ${showAmount(price.landed_eur_minor)}, average ${showAmount(headline.market_average_eur_minor ?? 0)}, profit ${showAmount(profit)}`,
    ...(upTo === undefined
      ? []
      : [
          `offer up to ${showAmount(upTo.shown_minor)} ${upTo.currency} (exactly ${showAmount(upTo.amount_minor)})`,
        ]),
    ...(evidence === undefined
      ? []
      : [
          `${evidence.counted} asks${evidence.is_thin ? " (few)" : ""}, half of them from ${showAmount(evidence.low_eur_minor)} to ${showAmount(evidence.high_eur_minor)}`,
        ]),
    offer,
  ];
}

/** The price in another currency, and the rate that made euros of it. */
function printPrice(
  { price_amount_minor: amount, price_currency: currency, price_eur_minor: eur }: ListingRow,
  rate: ListingExplanation["rate"],
): readonly string[] {
  if (amount === null || currency === null || currency === "EUR") return [];
  const price = `Price ${showAmount(amount)} ${currency}`;
  if (rate === undefined || eur === null) return [`${price}: there is no rate to EUR`];
  const perEur = Number(rate.digits) / Number(rate.divisor);
  const day = new Date(rate.dayNumber * DAY_MS).toISOString().slice(0, 10);
  return [`${price} / ${perEur} (rate of ${day}, ${rate.kind}) = ${showAmount(eur)} EUR`];
}

function printDrop(row: ListingRow): readonly string[] {
  const { price_drop_from_minor: from, price_drop_bps: bps, price_drop_since_ms: sinceMs } = row;
  if (from === null || bps === null || sinceMs === null) return [];
  const day = new Date(sinceMs).toISOString().slice(0, 10);
  return [
    `Price drop: ${bps / 100}% below ${showAmount(from)} ${row.price_currency}, since ${day}`,
  ];
}

/** What the dealer's replies to the message gave. */
function printReplies({ sources }: ListingRow): readonly string[] {
  const given = ["price", "status"].filter((field) => sources[field] === "reply");
  return given.length === 0 ? [] : [`By a reply to the message: ${given.join(" and ")}`];
}

/** The blocks are sorted, the nearest first. */
function nearest(blocks: readonly (readonly string[])[], { shownMax }: Printed): readonly string[] {
  const hiddenCount = Math.max(0, blocks.length - shownMax);
  const rest = hiddenCount === 0 ? [] : [`and ${hiddenCount} more; --all shows them`];
  return [...blocks.slice(0, shownMax).flat(), ...rest];
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return ["", title, ...(lines.length === 0 ? ["  none"] : lines.map((line) => `  ${line}`))];
}

function printFailures(failures: readonly Failure[]): readonly string[] {
  return failures.map(
    ({ member, expected, actual = "none" }) => `  ${member}: expected ${expected}, found ${actual}`,
  );
}

function printView({ name, source_market, is_match, failures }: ExplainedView): readonly string[] {
  const title = source_market === null ? name : `${name} (${source_market})`;
  return [`${title}: ${is_match ? "matches" : "does not match"}`, ...printFailures(failures)];
}

function printAlert(alert: ExplainedAlert): readonly string[] {
  return [
    `${alert.name} (${alert.id}), ${alert.strategy}: ${verdictOf(alert)}`,
    ...printFailures(alert.failures),
  ];
}

function verdictOf({ is_match, matched_at_ms }: ExplainedAlert): string {
  if (matched_at_ms !== undefined) {
    const at = `matched at ${new Date(matched_at_ms).toISOString()}`;
    return is_match ? at : `${at}, but would not match now`;
  }
  return is_match
    ? "did not match, although its conditions hold: it was outside the window, or the alert is younger"
    : "did not match";
}

function printConfiguration(
  { id, configuration_key, name, is_match, failures }: ExplainedConfiguration,
  { calculations, listing }: Printed,
): readonly string[] {
  const calculation = calculations.get(id);
  return [
    `${configuration_key}: ${name} (${id}): ${is_match ? "in its model" : "not in its model"}`,
    ...printFailures(failures),
    ...(calculation === undefined ? [] : printCalculation(calculation, listing)),
  ];
}

function printCalculation(
  { market, rules, ask, cell }: AskCalculation,
  listing: ListingRow,
): readonly string[] {
  if (ask === undefined) return ["  it has no price in EUR, so there is nothing to compare"];
  const original = showAmount(ask.originalAskEurMinor);
  const formula =
    market === "EU"
      ? "0 in the EU"
      : `${original} x ${toPercent(rules.hk_markup_rate_bps)} + ${showAmount(rules.hk_markup_fixed_eur_minor)}`;
  return [
    `  original_ask   = ${original}`,
    `  hk_markup      = ${formula} = ${showAmount(ask.hkMarkupEurMinor)}`,
    `  comparable_ask = original_ask + hk_markup = ${showAmount(ask.comparableAskEurMinor)}`,
    ...(cell === undefined
      ? [`  ${whyNoCell(listing, rules)}`]
      : [
          printCell(cell, rules),
          ...printRange(cell, { rules, ask, listing }),
          `  counts in it   = ${printRole(cell)}`,
          ...printThresholds(cell, { rules, ask }),
        ]),
  ];
}

function whyNoCell(
  { year, condition }: ListingRow,
  { calculated_at_ms }: AskCalculation["rules"],
): string {
  if (year === null) return "the listing has no year, so it is in no cell";
  if (condition === null) return "the listing has no condition, so it is in no cell";
  if (calculated_at_ms === null) return "nothing was calculated yet; run `assay refresh`";
  return `there is no cell ${year} ${condition.toLowerCase()} in the snapshot`;
}

function printCell(cell: AskCell, { minimum_listings, excludes_outliers }: PriceRules): string {
  const count = `${cell.listing_count} asks of ${cell.lookback_days} days (at least ${minimum_listings})`;
  const outliers = excludes_outliers ? ", without outliers" : "";
  return `  cell ${cell.year} ${cell.condition_bucket}: ${cell.status}, ${count}${outliers}`;
}

interface Terms {
  readonly rules: AskCalculation["rules"];
  readonly ask: ComparableAsk;
}

/** The bounds of the cell, and what to do if the ask lies outside. */
function printRange(
  cell: AskCell,
  { rules, ask, listing }: Terms & { readonly listing: ListingRow },
): readonly string[] {
  const { plausible_min_eur_minor: min, plausible_max_eur_minor: max } = cell;
  if (min === null || max === null) return [];
  const shares = `${toPercent(rules.implausible_below_bps)} to ${toPercent(rules.implausible_above_bps)}`;
  const range =
    `  plausible asks = ${shares} of the median of all asks, ${showAmount(cell.ask_median_eur_minor ?? 0)}` +
    ` = ${showAmount(min)} to ${showAmount(max)}`;
  if (!cell.isSuspect) return [range];
  return [
    `${range}: ${showAmount(ask.comparableAskEurMinor)} is suspect, most likely misread`,
    `    look at its message, and correct it: assay correct ${listing.id} price='AMOUNT CURRENCY'`,
  ];
}

function printRole({ role, lookback_days, supersededBy }: AskCell): string {
  switch (role) {
    case "counted":
      return "yes";
    case "outlier":
      return "no, it is an outlier";
    case "suspect":
      return "no, it is suspect";
    case "superseded":
      return `no, ${supersededBy ?? "a later ask"} of the same contact counts instead`;
    case "aged_out":
      return `no, it was last seen more than ${lookback_days} days before the calculation`;
    case "sender_unknown":
      return "no, its sender is unknown";
    case "not_for_sale":
      return "no, it is hidden, revoked or not for sale";
    default:
      return assertNever(role);
  }
}

function printThresholds(cell: AskCell, { rules, ask }: Terms): readonly string[] {
  const average = cell.market_average_eur_minor;
  const maximum = cell.maximum_buy_eur_minor;
  if (average === null || maximum === null)
    return ["  meets_buy_threshold = no: the cell has no prices"];
  const margin = `x (100 + ${rules.consumer_margin_bps / 100}) %`;
  const comparable = showAmount(ask.comparableAskEurMinor);
  return [
    `  market_average = mean of the comparable asks = ${showAmount(average)}; median ${showAmount(cell.market_median_eur_minor ?? 0)}`,
    `  consumer_min   = ${toPercent(rules.consumer_low_quantile_bps)} quantile ${margin} = ${showAmount(cell.consumer_min_eur_minor ?? 0)}`,
    `  consumer_max   = ${toPercent(rules.consumer_high_quantile_bps)} quantile ${margin} = ${showAmount(cell.consumer_max_eur_minor ?? 0)}`,
    `  maximum_buy    = market_average - minimum_profit = ${showAmount(average)} - ${showAmount(cell.minimum_profit_eur_minor)} = ${showAmount(maximum)}`,
    `  maximum_hk_ask = the largest ask whose comparable_ask is not above it = ${showAmount(cell.maximum_hk_ask_eur_minor ?? 0)}`,
    `  profit_opportunity  = market_average - comparable_ask = ${showAmount(cell.profitOpportunityEurMinor ?? 0)}`,
    `  meets_buy_threshold = ${comparable} <= ${showAmount(maximum)}: ${printVerdict(cell, rules)}`,
  ];
}

/** Whether the ask is a buy, and why a buy fires no alert. */
function printVerdict({ verdict }: AskCell, { buy_signals_enabled }: Terms["rules"]): string {
  if (verdict === "suspect") return "yes, but the ask is suspect, so it fires no alert";
  if (verdict !== "buy") return "no";
  return buy_signals_enabled ? "yes" : "yes, but buy_signals_enabled is false";
}

function toPercent(bps: number): string {
  return `${bps / 100} %`;
}
