import { isStorableText, normalizeReference } from "../../base/text.ts";
import { CURRENCY_WORDS } from "../../extraction/words/currency-words.ts";

/** What a corrected value may be, wherever it is written: on the command line or in a request. */
export const YEARS = { min: 1800, max: 2100 };
export const CARD_MONTHS = { min: 1, max: 12 };
export const WORDS_MAX = 100;
/** Twelve digits before the point. */
export const AMOUNT_MINOR_MAX = 99_999_999_999_999;

/** `code` is in upper case. */
export function isCurrency(code: string): boolean {
  return Object.hasOwn(CURRENCY_WORDS, code) || Intl.supportedValuesOf("currency").includes(code);
}

/** True for words in one line that say something. */
export function isCorrectionText(text: string): boolean {
  return (
    normalizeReference(text) !== "" &&
    text.length <= WORDS_MAX &&
    isStorableText(text) &&
    !/[\r\n]/.test(text)
  );
}
