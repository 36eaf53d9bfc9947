/**
 * A segment that grows from line to line: what it has so far, which line below it belongs to it, and which lines wait to
 * become the headers of the next watch.
 */
import type { Line, PlacedReference } from "../lines/line.ts";
import {
  amountValue,
  isListPrice,
  isSmallSum,
  type LinePart,
  type LineReading,
  type PriceMention,
  pricesIn,
  STRENGTH_RANK,
} from "../lines/line-reading.ts";
import { isA } from "../words/words.ts";
import {
  areLinesOfList,
  haveDifferentDetails,
  haveTwoNicknames,
  isSameReference,
} from "./differences.ts";
import { namesBrand, type WatchMention } from "./watch-mentions.ts";

/** One watch and all the text that describes it. */
export interface Segment {
  /** Undefined if the watch is named by its model only. */
  readonly reference: PlacedReference | undefined;
  /** Text about this watch alone. The part that names the watch is first. */
  readonly parts: readonly LinePart[];
  /** Lines above the watch that apply to it and to the watches after it, in message order. */
  readonly headers: readonly LineReading[];
  /** Parts of the watch's own line that apply to several watches. */
  readonly shared: readonly LinePart[];
  /** Position among the watches of the line, from 0. */
  readonly ordinal: number;
}

/** A segment that is still growing. It keeps a summary of its prices, so that no line is read again. */
export interface SegmentDraft {
  readonly mention: WatchMention;
  readonly parts: LinePart[];
  readonly headers: readonly LineReading[];
  /** Each currency once. */
  readonly currencies: (string | undefined)[];
  /** The asks so far, as written, without their currency. */
  readonly amounts: Set<number>;
  /** Rank of the strongest ask so far, or `NO_ASK`. */
  askRank: number;
}

/** Lower than every rank in `STRENGTH_RANK`. */
const NO_ASK = -1;

export function startDraft(mention: WatchMention, headers: readonly LineReading[]): SegmentDraft {
  const draft: SegmentDraft = {
    mention,
    parts: [],
    headers,
    currencies: [],
    amounts: new Set(),
    askRank: NO_ASK,
  };
  addPart(draft, mention.part);
  return draft;
}

export function addPart(draft: SegmentDraft, part: LinePart): void {
  draft.parts.push(part);
  const prices = pricesIn(part);
  draft.askRank = Math.max(draft.askRank, strongestAskRank(prices));
  for (const price of prices) {
    if (!draft.currencies.includes(price.currency)) draft.currencies.push(price.currency);
    draft.amounts.add(amountValue(price));
  }
}

export function hasAsk(draft: SegmentDraft): boolean {
  return draft.askRank !== NO_ASK;
}

/** Returns `NO_ASK` if no price is an ask. A retail or discounted list price is not: the ask may still follow. */
export function strongestAskRank(prices: readonly PriceMention[]): number {
  let rank = NO_ASK;
  for (const price of prices) {
    if (!isListPrice(price) && !isSmallSum(price))
      rank = Math.max(rank, STRENGTH_RANK[price.strength]);
  }
  return rank;
}

/**
 * Returns true if `mention` repeats the watch of the draft above it, for example "Ref: 124270" below "Explorer 124270".
 * `askBelow` is the ask on the lines below the mention: another ask than the draft's means another watch.
 */
export function isSameWatch(
  above: SegmentDraft,
  mention: WatchMention,
  askBelow: number | undefined,
): boolean {
  if (hasAsk(above) && pricesIn(mention.part).length > 0) return false;
  if (hasAsk(above) && askBelow !== undefined && !above.amounts.has(askBelow)) return false;
  const [reference, repeated] = [above.mention.reference, mention.reference];
  if (reference === undefined && repeated === undefined)
    return !haveTwoNicknames(above.mention.part, mention.part);
  if (reference === undefined || repeated === undefined) return false;
  const [first, second] = [above.mention.part, mention.part];
  return (
    isSameReference(reference, repeated) &&
    !haveDifferentDetails(first, second) &&
    !areLinesOfList(first, second)
  );
}

export function toSegment({ mention, parts, headers }: SegmentDraft): Segment {
  const { reference, shared, ordinal } = mention;
  return { reference, parts, headers, shared, ordinal };
}

/** "Add $300 for a full set", "USDT 7.8": terms of the sale. What they name is not part of any offer. */
export function isSaleTerms({ line }: LineReading): boolean {
  const first = line.tokens.find((token) => token.kind === "letters");
  return isA(first, "surcharge") || isRate(line);
}

/** Hong Kong dollars for a US dollar. */
function isRate({ source, tokens, starts }: Line): boolean {
  return (
    /\b7[.,][78]\d{0,2}\W*$/.test(source.text) &&
    tokens.every(
      (token, at) =>
        token.kind !== "letters" ||
        isA(token, "rate", "trade") ||
        starts[at]?.meaning.kind === "currency",
    )
  );
}

/** Returns true if a line without a watch describes the watch above it, and false if it belongs to what follows. */
export function isContinuation(
  above: SegmentDraft,
  reading: LineReading,
  place: { readonly isAfterBlank: boolean; readonly isBeforeWatch: boolean },
): boolean {
  if (reading.prices.length > 0)
    return strongestAskRank(reading.prices) > above.askRank || isSecondPrice(above, reading);
  if (reading.dates.length > 0) return !hasAsk(above) || !place.isAfterBlank;
  if (!isHeaderLike(reading)) return true;
  // Until its ask has come, a watch's own short lines look like headers ("full set"). But a brand after a blank line
  // starts a new section.
  const startsSection = place.isAfterBlank && namesBrand(reading);
  return !hasAsk(above) && !place.isBeforeWatch && !startsSection;
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
export function isHeaderLike(reading: LineReading): boolean {
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
  const kept = waiting.some(namesBrand)
    ? headers.filter((reading) => !namesBrand(reading))
    : headers;
  return [...kept, ...waiting].slice(-HEADERS_MAX);
}
