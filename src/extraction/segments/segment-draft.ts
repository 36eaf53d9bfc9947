import type { LineReading } from "../line-reading.ts";
import type { PlacedReference } from "../lines/line.ts";
import { type LinePart, pricesIn } from "../lines/line-part.ts";
import {
  amountValue,
  isSmallSum,
  type PriceMention,
  STRENGTH_RANK,
} from "../prices/price-mention.ts";
import { haveDifferentDetails, haveTwoNicknames } from "./differences.ts";
import { isSameReference, type WatchMention } from "./watch-mentions.ts";

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

export function isListPrice(price: PriceMention): boolean {
  return price.isRetail || price.discountPercent !== undefined;
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
  return (
    isSameReference(reference, repeated) && !haveDifferentDetails(above.mention.part, mention.part)
  );
}

export function toSegment({ mention, parts, headers }: SegmentDraft): Segment {
  const { reference, shared, ordinal } = mention;
  return { reference, parts, headers, shared, ordinal };
}
