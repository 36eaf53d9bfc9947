import {
  type Anchor,
  findAnchors,
  hasBrand,
  isSameReference,
  namesModel,
  type Part,
  wholeLine,
} from "./anchors.ts";
import { datesKey, haveDifferentDetails, haveTwoNicknames } from "./differences.ts";
import type { PlacedReference } from "./line.ts";
import { type PriceMention, STRENGTH_RANK } from "./prices.ts";
import type { LineReading } from "./reading.ts";
import { within } from "./span.ts";

/** One watch: the stretches that speak of it alone, and the header lines that hold for it too. */
export interface Segment {
  readonly reference?: PlacedReference;
  /** The stretch that names the watch stands first. */
  readonly parts: readonly Part[];
  readonly headers: readonly LineReading[];
  readonly shared: readonly Part[];
  readonly ordinal: number;
}

/** A segment that still grows; what was seen of its prices is kept, so that a long message costs no more. */
interface SegmentDraft {
  readonly anchor: Anchor;
  readonly parts: Part[];
  readonly headers: readonly LineReading[];
  readonly currencies: Set<string | undefined>;
  priceRank: number;
}

/** Gives every line to the watch that it speaks of, in one pass from top to bottom. */
export function findSegments(readings: readonly LineReading[], listingsMax: number): Segment[] {
  const anchors = listAnchors(readings);
  const lastAnchor = anchors.findLastIndex((list) => list.length > 0);
  const drafts: SegmentDraft[] = [];
  let headers: readonly LineReading[] = [];
  let pending: LineReading[] = [];
  let isAfterBlank = true;
  for (const [index, reading] of readings.entries()) {
    if (reading.isBlank) {
      isAfterBlank = true;
      // An ask above its watch stands next to it; one that a blank line sets apart is not the next watch's.
      if (drafts.length > 0) pending = pending.filter(({ prices }) => prices.length === 0);
      continue;
    }
    const current = drafts.at(-1);
    const found = anchorsOf(anchors[index] ?? [], { current, reading, isAfterBlank });
    if (found.length === 0) {
      const isLate = index > lastAnchor && reading.prices.length === 0;
      if (isTerms(reading)) continue;
      const place = { isAfterBlank, isBeforeWatch: (anchors[index + 1]?.length ?? 0) > 0 };
      if (current !== undefined && (isLate || isContinuation(current, reading, place)))
        addPart(current, wholeLine(reading));
      else pending.push(reading);
    } else {
      headers = nextHeaders(headers, pending);
      if (drafts.length < listingsMax) addWatches(drafts, { found, headers, pending });
      pending = [];
    }
    isAfterBlank = false;
  }
  return drafts.length === 1 ? drafts.map(withPreamble) : withClosingRequest(drafts);
}

/** The watches of a line; one that names none may still offer another piece, or another model by its name. */
function anchorsOf(
  found: readonly Anchor[],
  line: {
    readonly current: SegmentDraft | undefined;
    readonly reading: LineReading;
    readonly isAfterBlank: boolean;
  },
): readonly Anchor[] {
  const { current, reading, isAfterBlank } = line;
  if (found.length > 0 || current === undefined || current.priceRank === NO_PRICE) return found;
  if (rankOf(reading.prices) < STRENGTH_RANK.unit) return found;
  const part = wholeLine(reading);
  if (isAfterBlank) {
    const isOffer = namesModel(reading) && reading.dates.length > 0;
    return isOffer ? [{ part, shared: [], ordinal: 0 }] : found;
  }
  const { anchor } = current;
  const own = current.parts.slice(0, HEADERS_MAX).map(datesKey);
  const isAnother =
    anchor.reference !== undefined &&
    reading.prices.every(({ currency }) => current.currencies.has(currency)) &&
    datesKey(part) !== "" &&
    own.every((date) => date !== datesKey(part)) &&
    own.some((date) => date !== "");
  if (!isAnother) return found;
  return [{ ...anchor, part, shared: [anchor.part, ...anchor.shared], ordinal: 0 }];
}

function listAnchors(readings: readonly LineReading[]): readonly Anchor[][] {
  const hasReferences = readings.some(({ line }) => line.references.length > 0);
  const anchors = readings.map((reading) => findAnchors(reading, hasReferences));
  const first = anchors.findIndex((list) => list.length > 0);
  return isHeadline(anchors, first) ? anchors.with(first, []) : anchors;
}

/** "126200 day & 268621 too": a first line that names several watches and nothing of them, when one comes again below. */
function isHeadline(anchors: readonly Anchor[][], first: number): boolean {
  const names = anchors[first] ?? [];
  const reading = names[0]?.part.reading;
  if (names.length < 2 || reading === undefined || reading.prices.length + reading.dates.length > 0)
    return false;
  const below = anchors
    .slice(first + 1)
    .flat()
    .slice(0, HEADLINE_LOOK_MAX);
  return names.some(({ reference }) =>
    below.some(
      (anchor) =>
        reference !== undefined &&
        anchor.reference !== undefined &&
        isSameReference(reference, anchor.reference),
    ),
  );
}

/** A headline's watches come soon after it. */
const HEADLINE_LOOK_MAX = 10;

function addWatches(
  drafts: SegmentDraft[],
  line: {
    readonly found: readonly Anchor[];
    readonly headers: readonly LineReading[];
    readonly pending: readonly LineReading[];
  },
): void {
  let first: SegmentDraft | undefined;
  for (const anchor of line.found) {
    const last = drafts.at(-1);
    if (last !== undefined && isSameWatch(last, anchor)) {
      for (const reading of first === undefined ? line.pending : [])
        addPart(last, wholeLine(reading));
      addPart(last, anchor.part);
      first ??= last;
      continue;
    }
    const draft: SegmentDraft = {
      anchor,
      parts: [],
      headers: line.headers,
      currencies: new Set(),
      priceRank: NO_PRICE,
    };
    addPart(draft, anchor.part);
    drafts.push(draft);
    first ??= draft;
  }
  // An ask on a line above the reference belongs to it, if it has none of its own.
  if (first === undefined || first.priceRank !== NO_PRICE) return;
  for (const reading of line.pending)
    if (reading.prices.length > 0) addPart(first, wholeLine(reading));
}

const NO_PRICE = -1;

function addPart(draft: SegmentDraft, part: Part): void {
  draft.parts.push(part);
  const prices = pricesIn(part);
  draft.priceRank = Math.max(draft.priceRank, rankOf(prices));
  for (const price of prices) draft.currencies.add(price.currency);
}

function rankOf(prices: readonly PriceMention[]): number {
  let rank = NO_PRICE;
  for (const price of prices) {
    // A list price, with or without a discount, leaves room for the ask.
    if (!price.isRetail && price.discountPercent === undefined)
      rank = Math.max(rank, STRENGTH_RANK[price.strength]);
  }
  return rank;
}

export function pricesIn(part: Part): readonly PriceMention[] {
  return within(part.reading.prices, part);
}

/** A line without a reference goes on with the watch above it, unless it opens something new. */
function isContinuation(
  current: SegmentDraft,
  reading: LineReading,
  place: { readonly isAfterBlank: boolean; readonly isBeforeWatch: boolean },
): boolean {
  const hasPrice = current.priceRank !== NO_PRICE;
  if (reading.prices.length > 0) {
    return rankOf(reading.prices) > current.priceRank || isSecondPrice(current, reading);
  }
  if (reading.dates.length > 0) return !hasPrice || !place.isAfterBlank;
  if (!isHeaderLike(reading)) return true;
  // Until its ask has come, a watch's own lines may stand apart; a house's name after a blank line opens a section.
  return !hasPrice && !place.isBeforeWatch && !(place.isAfterBlank && hasBrand(reading));
}

/** "Add $300 for a full set" sets terms; what it names is not in the offer. */
function isTerms(reading: LineReading): boolean {
  return reading.line.tokens.find((token) => token.kind === "letters")?.word === "add";
}

/** The same ask in another currency, or with its list price, on a line of its own. */
function isSecondPrice(current: SegmentDraft, reading: LineReading): boolean {
  const isNew = ({ currency }: PriceMention): boolean =>
    currency !== undefined && !current.currencies.has(currency);
  const isListed = (price: PriceMention): boolean =>
    price.isRetail || price.discountPercent !== undefined;
  if (reading.prices.every(isListed)) return true;
  return (
    reading.prices.some(isNew) && reading.prices.every((price) => price.currency !== undefined)
  );
}

/** Names a house, a condition, a set, a currency, a place or a side, and little else. */
function isHeaderLike(reading: LineReading): boolean {
  const { tokens, phrases } = reading.line;
  const says = phrases.some(({ meaning }) => HEADER_KINDS.has(meaning.kind));
  return says && tokens.filter((token) => token.kind === "letters").length <= HEADER_WORDS_MAX;
}

const HEADER_KINDS: ReadonlySet<string> = new Set(
  "brand condition set side currency place model".split(" "),
);
/** Headers are short; a longer line describes the watch above it. */
const HEADER_WORDS_MAX = 8;

/** A header that names a house ends what an earlier header said together with another house. */
function nextHeaders(
  headers: readonly LineReading[],
  pending: readonly LineReading[],
): readonly LineReading[] {
  if (pending.length === 0) return headers;
  const kept = pending.some(hasBrand) ? headers.filter((reading) => !hasBrand(reading)) : headers;
  return [...kept, ...pending].slice(-HEADERS_MAX);
}

/** More header lines than this never hold for one watch; the bound keeps the work linear. */
const HEADERS_MAX = 8;

function isSameWatch(last: SegmentDraft, anchor: Anchor): boolean {
  const [known, named] = [last.anchor.reference, anchor.reference];
  const bothPriced = last.priceRank !== NO_PRICE && pricesIn(anchor.part).length > 0;
  if (bothPriced || (known === undefined) !== (named === undefined)) return false;
  if (known === undefined || named === undefined)
    return !haveTwoNicknames(last.anchor.part, anchor.part);
  return isSameReference(known, named) && !haveDifferentDetails(last.anchor.part, anchor.part);
}

/** Where a message has one watch, the lines above its reference speak of it as well. */
function withPreamble(draft: SegmentDraft): Segment {
  const known = new Set(draft.parts.map(({ reading }) => reading));
  const preamble = draft.headers.filter((reading) => !known.has(reading)).map(wholeLine);
  return { ...toSegment(draft), parts: [...draft.parts, ...preamble], headers: [] };
}

/** "must be new, of this year" under a list of wishes, "new, 8/25" under a list of bare asks: it holds for all of them. */
function withClosingRequest(drafts: readonly SegmentDraft[]): Segment[] {
  const segments = drafts.map(toSegment);
  const last = drafts.at(-1);
  const hasPrice = drafts.some((draft) => draft.priceRank !== NO_PRICE);
  if (last === undefined || (hasPrice && !drafts.every(isBare))) return segments;
  const closing = last.parts.slice(1, 1 + HEADERS_MAX).map(({ reading }) => reading);
  return segments.map((segment, index) =>
    index === segments.length - 1
      ? segment
      : { ...segment, headers: [...segment.headers, ...closing] },
  );
}

/** One line that says nothing but what the watch is and costs. */
function isBare(draft: SegmentDraft, index: number, drafts: readonly SegmentDraft[]): boolean {
  const { part } = draft.anchor;
  const isSilent = within(part.reading.line.phrases, part).every(
    ({ meaning }) => meaning.kind !== "condition" && meaning.kind !== "set",
  );
  const isSingle = index === drafts.length - 1 || draft.parts.length === 1;
  return isSingle && isSilent && datesKey(part) === "" && pricesIn(part).length > 0;
}

function toSegment({ anchor, parts, headers }: SegmentDraft): Segment {
  const { reference, shared, ordinal } = anchor;
  return { parts, headers, shared, ordinal, ...(reference === undefined ? {} : { reference }) };
}
