import type { LineReading } from "../line-reading.ts";
import type { PriceMention } from "../prices/price-mention.ts";
import { hasAsk, isListPrice, type SegmentDraft, strongestAskRank } from "./segment-draft.ts";
import { namesBrand } from "./watch-mentions.ts";

/** "Add $300 for a full set", "USDT 7.8": terms of the sale. What they name is not part of any offer. */
export function isSaleTerms(reading: LineReading): boolean {
  const { tokens, source } = reading.line;
  if (tokens.length <= RATE_TOKENS_MAX && isRate(source.text)) return true;
  return tokens.find((token) => token.kind === "letters")?.word === "add";
}

/** "Ex rate: 7.82" has six tokens. */
const RATE_TOKENS_MAX = 8;

/** Hong Kong dollars for a US dollar. */
function isRate(text: string): boolean {
  return /^\W*(?:usdt?|us\$|rate|ex(?:change)? rate)\W{0,3}7[.,][7-8]\d{0,2}\W*$/i.test(text);
}

/** Returns true if a line without a watch describes the watch above it, and false if it belongs to what follows. */
export function isContinuation(
  above: SegmentDraft,
  reading: LineReading,
  place: { readonly isAfterBlank: boolean; readonly isBeforeWatch: boolean },
): boolean {
  if (reading.prices.length > 0) {
    if (hasAsk(above) && isSentence(reading)) return false;
    return strongestAskRank(reading.prices) > above.askRank || isSecondPrice(above, reading);
  }
  if (reading.dates.length > 0) return !hasAsk(above) || !place.isAfterBlank;
  if (!isHeaderLike(reading)) return true;
  // Until its ask has come, a watch's own short lines look like headers ("full set"). But a brand after a blank line
  // starts a new section.
  const startsSection = place.isAfterBlank && namesBrand(reading);
  return !hasAsk(above) && !place.isBeforeWatch && !startsSection;
}

/** More unknown words than a price line has. */
const PRICE_LINE_WORDS_MAX = 4;

/** "Passport copy for cash over 120,000 HKD": the amount is part of the terms. */
function isSentence({ line }: LineReading): boolean {
  let unknownCount = 0;
  for (const [at, token] of line.tokens.entries())
    if (token.kind === "letters" && line.claimed[at] === false && line.starts[at] === undefined)
      unknownCount += 1;
  return unknownCount > PRICE_LINE_WORDS_MAX;
}

/** The same ask in another currency, or its list price, on a separate line. */
function isSecondPrice(above: SegmentDraft, reading: LineReading): boolean {
  const { prices } = reading;
  if (prices.every(isListPrice)) return true;
  const isNewCurrency = ({ currency }: PriceMention): boolean =>
    currency !== undefined && !above.currencies.includes(currency);
  return prices.some(isNewCurrency) && prices.every(({ currency }) => currency !== undefined);
}

const HEADER_KINDS: ReadonlySet<string> = new Set(
  "brand condition set side currency place model".split(" "),
);

/** Headers are short. A longer line describes the watch above it. */
const HEADER_WORDS_MAX = 8;

/** A short line with a brand, condition, set, currency, place, side or model. */
function isHeaderLike(reading: LineReading): boolean {
  const { tokens, phrases } = reading.line;
  const hasHeaderPhrase = phrases.some(({ meaning }) => HEADER_KINDS.has(meaning.kind));
  const wordCount = tokens.filter((token) => token.kind === "letters").length;
  return hasHeaderPhrase && wordCount <= HEADER_WORDS_MAX;
}

/** No watch has more header lines than this. The bound keeps the work linear. */
export const HEADERS_MAX = 8;

/** Adds the waiting lines to the headers. A new brand ends the headers that named another brand. */
export function nextHeaders(
  headers: readonly LineReading[],
  waiting: readonly LineReading[],
): readonly LineReading[] {
  if (waiting.length === 0) return headers;
  const kept = waiting.some(namesBrand)
    ? headers.filter((reading) => !namesBrand(reading))
    : headers;
  return [...kept, ...waiting].slice(-HEADERS_MAX);
}
