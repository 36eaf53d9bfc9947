/** What makes a reading less certain. An ask is compared with what dealers usually ask (`usualEur` of the catalogue). */
import type { FieldSource, ListingField, Price } from "../extraction.ts";
import { within } from "../text/token.ts";
import { DOLLARS, ROUGH_PER_EUR } from "../words/currencies.ts";
import type { ListingDraft, Money } from "./listing-draft.ts";

/** A watch with another dial, in another condition or year, stays within these. Another currency does not. */
const ABSURD_BELOW = 0.3;
const ABSURD_ABOVE = 3.5;
const PLAUSIBLE = { min: 0.4, max: 2.5 };

/** What a dealer can mean without naming the currency. */
const UNNAMED_CURRENCIES = ["USD", "HKD", "EUR", "SGD", "GBP", "CNY"];

/**
 * Returns true if the currency comes from a setting, and the ask is absurd in it and plausible in another that the text
 * allows. What the text states is taken as it is.
 *
 * Idea: US dollars that are read as Hong Kong dollars are an eighth of the usual price, and the other way round eight times
 * of it. So the setting does not fit. Then the price is left out, and never guessed.
 *
 * Example: "124060 $9,900 + label" in a group with the default HKD. 9,900 HKD is a ninth of the usual price, and 9,900 USD
 * is plausible.
 */
export function isCurrencyImplausible(ask: Money, usualEur: number | undefined): boolean {
  const { price, currencySource, mention } = ask;
  const ratio = currencySource === "default" ? usualRatio(price, usualEur) : undefined;
  if (ratio === undefined || (ratio >= ABSURD_BELOW && ratio <= ABSURD_ABOVE)) return false;
  return UNNAMED_CURRENCIES.some((currency) => {
    if (mention.strength === "dollar" && !DOLLARS.has(currency)) return false;
    const other = usualRatio({ ...price, currency }, usualEur) ?? 0;
    return other >= PLAUSIBLE.min && other <= PLAUSIBLE.max;
  });
}

/** Returns how many times the usual price the ask is. Returns undefined if one of them is unknown. */
export function usualRatio(price: Price, usualEur: number | undefined): number | undefined {
  const perEur = ROUGH_PER_EUR[price.currency];
  if (usualEur === undefined || perEur === undefined) return undefined;
  return price.amountMinor / 100 / perEur / usualEur;
}

/** Up to this factor an ask is usual for its reference. Beyond the second one it was most likely misread. */
const USUAL_MAX = 2;
const UNUSUAL_MAX = 3;

/** Adds the doubts about the ask. `mentionCount` is the number of amounts that the watch's text has. */
export function addPriceDoubts(draft: ListingDraft, ask: Money, mentionCount: number): void {
  const { doubts, segment } = draft;
  const { mention, currencySource, price } = ask;
  const ratio = usualRatio(price, segment.reference?.usualEur);
  if (ratio === undefined) doubts.push("usual_price_unknown");
  else if (ratio > UNUSUAL_MAX || ratio < 1 / UNUSUAL_MAX) doubts.push("price_far_from_usual");
  else if (ratio > USUAL_MAX || ratio < 1 / USUAL_MAX) doubts.push("price_unusual");
  if (mention.amount.kind === "short") doubts.push("price_without_unit");
  else if (mention.strength === "bare") doubts.push("price_bare");
  else if (mention.strength === "grouped") doubts.push("price_without_currency");
  if (currencySource === "default") doubts.push("currency_by_default");
  if (mentionCount > 1) doubts.push("several_amounts");
  const watchLine = segment.parts[0]?.reading.line.source.sourceLine;
  if (watchLine !== mention.quote.lineSpans[0]?.line) doubts.push("price_on_other_line");
}

type Sources = Readonly<Partial<Record<ListingField, FieldSource>>>;

/** Adds the doubts about everything but the price: the watch, its year, and the kind of text. */
export function addDoubts(draft: ListingDraft, sources: Sources): void {
  const { segment, fields, leftOut, doubts } = draft;
  if (segment.reference === undefined) doubts.push("reference_missing");
  else if (!segment.reference.isKnown) doubts.push("reference_unknown");
  if (draft.isModelUnknown) doubts.push("model_unknown");
  if (fields.year !== undefined) addYearDoubts(draft, sources);
  if (sources.side === "default" && fields.price === undefined)
    doubts.push(isDescribed(fields) ? "ask_missing" : "not_offered_clearly");
  if (leftOut.length > 0) doubts.push("value_left_out");
  if (segment.ordinal > 0) doubts.push("shared_line");
}

function addYearDoubts({ evidence, segment, doubts }: ListingDraft, sources: Sources): void {
  const words = evidence.find(({ field }) => field === "year")?.words ?? "";
  if (/^\D*\d{1,2}$/.test(words)) doubts.push("year_short");
  if (sources.year === "section") doubts.push("year_of_section");
  let dateCount = 0;
  for (const part of segment.parts) dateCount += within(part.reading.dates, part).length;
  if (dateCount > 1) doubts.push("several_dates");
}

function isDescribed({
  year,
  cardMonth,
  condition,
  fullSetStatus,
  dialType,
}: ListingDraft["fields"]): boolean {
  return [year, cardMonth, condition, fullSetStatus, dialType].some((value) => value !== undefined);
}
