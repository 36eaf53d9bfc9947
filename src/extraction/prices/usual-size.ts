/**
 * Compares an ask with what dealers usually ask for the reference (`usualEur` of the catalogue).
 *
 * Idea: US dollars that are read as Hong Kong dollars are an eighth of the usual price, and the other way round eight
 * times of it. So if the currency comes from a setting, an absurd size in it and a plausible size in another currency
 * mean that the setting does not fit. Then the price is left out, and never guessed.
 *
 * Example: "124060 $9,900 + label" in a group with the default HKD. 9,900 HKD is a ninth of the usual price, and 9,900 USD
 * is plausible.
 */
import { DOLLARS, ROUGH_PER_EUR } from "../catalogue/currency-words.ts";
import type { Price } from "../extraction.ts";
import type { PriceStrength } from "./price-mention.ts";

/** Returns how many times the usual price the ask is. Returns undefined if one of them is unknown. */
export function usualRatio(price: Price, usualEur: number | undefined): number | undefined {
  const perEur = ROUGH_PER_EUR[price.currency];
  if (usualEur === undefined || perEur === undefined) return undefined;
  return price.amountMinor / 100 / perEur / usualEur;
}

/** A watch with another dial, in another condition or year, stays within these. Another currency does not. */
const ABSURD_BELOW = 0.3;
const ABSURD_ABOVE = 3.5;
const PLAUSIBLE = { min: 0.4, max: 2.5 };

/** What a dealer can mean without naming the currency. */
const UNNAMED_CURRENCIES = ["USD", "HKD", "EUR", "SGD", "GBP", "CNY"];

/** Returns true if the ask is absurd in the currency of the setting, and plausible in another that the text allows. */
export function isCurrencyImplausible(
  price: Price,
  usualEur: number | undefined,
  strength: PriceStrength,
): boolean {
  const ratio = usualRatio(price, usualEur);
  if (ratio === undefined || (ratio >= ABSURD_BELOW && ratio <= ABSURD_ABOVE)) return false;
  return UNNAMED_CURRENCIES.some((currency) => {
    if (currency === price.currency || (strength === "dollar" && !DOLLARS.has(currency)))
      return false;
    const other = usualRatio({ ...price, currency }, usualEur) ?? 0;
    return other >= PLAUSIBLE.min && other <= PLAUSIBLE.max;
  });
}
