import type { LinePart } from "./lines/line-part.ts";
import { pricesOf } from "./lines/line-part.ts";
import { currencyHints, findHeaderCurrency, quoteCurrency } from "./listing-currency.ts";
import { addEvidence, type ListingDraft } from "./listing-draft.ts";
import { type ChosenPrice, choosePrice } from "./prices/price-choice.ts";
import { isCurrencyImplausible, usualRatio } from "./prices/usual-size.ts";

/** Takes the ask of the watch, its alternative and its list price, with the doubts about the ask. */
export function fillPrice(draft: ListingDraft): void {
  const { segment, fields, leftOut } = draft;
  const header = findHeaderCurrency(draft);
  const hints = currencyHints(draft.context, header?.currency);
  const mentions = pricesOf(segment.parts);
  const choice = choosePrice(mentions, hints);
  leftOut.push(...choice.leftOut);
  if (choice.price !== undefined && isRefused(draft, choice.price)) {
    leftOut.push({ field: "price", reason: "currency_implausible", ...choice.price.quote });
  } else if (choice.price !== undefined) {
    fields.price = choice.price.price;
    const { currencySource } = choice.price;
    addEvidence(draft, "price", choice.price.quote, "explicit");
    addEvidence(draft, "currency", quoteCurrency(draft, choice.price, header), currencySource);
    addPriceDoubts(draft, choice.price, mentions.length);
  }
  if (choice.alternative !== undefined) {
    fields.alternativePrice = choice.alternative.price;
    addEvidence(draft, "alternativePrice", choice.alternative.quote, "explicit");
  }
  if (choice.retail !== undefined) {
    fields.retailPrice = choice.retail.price;
    addEvidence(draft, "retailPrice", choice.retail.quote, "explicit");
  }
}

/** Only a currency from a setting is checked: what the text states is taken as it is. */
function isRefused(draft: ListingDraft, { price, currencySource, mention }: ChosenPrice): boolean {
  const usualEur = draft.segment.reference?.usualEur;
  return currencySource === "default" && isCurrencyImplausible(price, usualEur, mention.strength);
}

/** Up to this factor an ask is usual for its reference. Beyond the second one it was most likely misread. */
const USUAL_MAX = 2;
const UNUSUAL_MAX = 3;

function addPriceDoubts(draft: ListingDraft, chosen: ChosenPrice, mentionCount: number): void {
  const { doubts, segment } = draft;
  const { mention, currencySource, price } = chosen;
  const ratio = usualRatio(price, segment.reference?.usualEur);
  if (ratio === undefined) doubts.push("usual_price_unknown");
  else if (ratio > UNUSUAL_MAX || ratio < 1 / UNUSUAL_MAX) doubts.push("price_far_from_usual");
  else if (ratio > USUAL_MAX || ratio < 1 / USUAL_MAX) doubts.push("price_unusual");
  if (mention.amount.kind === "short") doubts.push("price_without_unit");
  else if (mention.strength === "bare") doubts.push("price_bare");
  else if (mention.strength === "grouped") doubts.push("price_without_currency");
  if (currencySource === "default") doubts.push("currency_by_default");
  if (mentionCount > 1) doubts.push("several_amounts");
  if (!isOnWatchLine(segment.parts, mention.quote.lineSpans[0]?.line))
    doubts.push("price_on_other_line");
}

function isOnWatchLine(parts: readonly LinePart[], line: number | undefined): boolean {
  return parts[0]?.reading.line.source.sourceLine === line;
}
