/**
 * Splits a message into segments. A segment is one watch and all the text that describes it.
 *
 * Idea: one pass from top to bottom. A line that names a watch starts a draft. A line without a watch either continues
 * the draft above it (`isContinuation`) or waits. When the next watch comes, the waiting lines become its headers.
 * Invariant: no text is in the `parts` of two segments. Only `headers` and `shared` can repeat.
 *
 * Example:                        Segments:
 *   0  ROLEX used full set          126334: parts [line 1], headers [line 0]
 *   1  126334 blue 2021 €9.500      126333: parts [line 2], headers [line 0]
 *   2  126333 new €11.200
 */
import {
  amountValue,
  hasPhrase,
  isListPrice,
  type LineReading,
  pricesIn,
  wholeLine,
} from "../lines/line-reading.ts";
import type { Meaning } from "../text/meaning.ts";
import { within } from "../text/token.ts";
import { isA } from "../words/words.ts";
import { datesKey } from "./differences.ts";
import {
  addPart,
  HEADERS_MAX,
  hasAsk,
  isContinuation,
  isSaleTerms,
  isSameWatch,
  nextHeaders,
  type Segment,
  type SegmentDraft,
  startDraft,
  toSegment,
} from "./segment-draft.ts";
import type { WatchMention } from "./watch-mentions.ts";
import { findUnnamedWatch, listMentionsByLine } from "./watch-starts.ts";

/** The state of the pass after the lines so far. */
interface Pass {
  readonly drafts: SegmentDraft[];
  /** Lines that apply to the next watch and the watches after it. */
  headers: readonly LineReading[];
  /** Lines since the last watch that did not continue it. */
  waiting: LineReading[];
  isAfterBlank: boolean;
}

export function findSegments(
  readings: readonly LineReading[],
  { listingsMax, isWide }: { readonly listingsMax: number; readonly isWide: boolean },
): Segment[] {
  const mentionsByLine = listMentionsByLine(readings, isWide);
  const lastNamed = mentionsByLine.findLastIndex((mentions) => mentions.length > 0);
  const asksBelow = listAsksBelow(readings, mentionsByLine);
  const pass: Pass = { drafts: [], headers: [], waiting: [], isAfterBlank: true };
  for (let index = 0; index < readings.length; index += 1) {
    const reading = readings[index];
    if (reading === undefined) continue;
    if (reading.isBlank) {
      passBlankLine(pass);
      continue;
    }
    if (reading.isTalk) continue;
    const blockEnd = addPriceBlock(pass.drafts, readings, index);
    if (blockEnd > index) {
      index = blockEnd - 1;
      continue;
    }
    const askBelow = asksBelow[index];
    const named = mentionsByLine[index] ?? [];
    const place = { isAfterBlank: pass.isAfterBlank, askBelow };
    const mentions =
      named.length > 0 ? named : findUnnamedWatch(pass.drafts.at(-1), reading, place);
    if (mentions.length > 0) {
      addWatches(pass, mentions, { listingsMax, askBelow });
    } else {
      // `isAfterBlank` stays as it is: the line after the terms still counts as after a blank line.
      if (isSaleTerms(reading)) continue;
      const isBelowLastWatch = index > lastNamed;
      const isBeforeWatch = (mentionsByLine[index + 1]?.length ?? 0) > 0;
      addLine(pass, reading, { isBelowLastWatch, isBeforeWatch });
    }
    pass.isAfterBlank = false;
  }
  const { drafts } = pass;
  return drafts.length === 1 ? drafts.map(withLinesAbove) : withClosingLines(drafts);
}

/**
 * "9.1k", "7.7k", "7.9k" below three watches without asks: the asks of these watches, in order. If there are more or fewer of
 * them, nobody knows which is whose. Returns the line behind the block, or `start` if no block starts there.
 */
function addPriceBlock(
  drafts: readonly SegmentDraft[],
  readings: readonly LineReading[],
  start: number,
): number {
  const [last, before] = [drafts.at(-1), drafts.at(-2)];
  if (last === undefined || before === undefined || hasAsk(last) || hasAsk(before)) return start;
  const block: LineReading[] = [];
  let end = start;
  while (end < readings.length) {
    const reading = readings[end];
    if (reading === undefined || !(reading.isBlank || isPriceOnly(reading))) break;
    if (!reading.isBlank) block.push(reading);
    end += 1;
  }
  const currencies = new Set(
    block.map(({ prices: [price] }) => price?.currency ?? price?.strength),
  );
  if (block.length < 2 || currencies.size > 1) return start;
  const watches = drafts.slice(drafts.findLastIndex(hasAsk) + 1);
  if (watches.length === block.length)
    for (const [index, reading] of block.entries())
      addPart(watches[index] ?? last, wholeLine(reading));
  return end;
}

/** One ask, and nothing else but signs. */
function isPriceOnly({ line, prices }: LineReading): boolean {
  const [price] = prices;
  if (price === undefined || prices.length > 1 || isListPrice(price)) return false;
  return line.tokens.every(
    ({ kind }, at) => kind === "symbol" || (at >= price.from && at < price.to),
  );
}

/** Returns, for each line, the first ask on the lines below it that name no watch. */
function listAsksBelow(
  readings: readonly LineReading[],
  mentionsByLine: readonly (readonly WatchMention[])[],
): readonly (number | undefined)[] {
  const asks: (number | undefined)[] = [];
  let below: number | undefined;
  for (let index = readings.length - 1; index >= 0; index -= 1) {
    asks[index] = below;
    const ask = readings[index]?.prices.find((price) => !isListPrice(price));
    if ((mentionsByLine[index]?.length ?? 0) > 0) below = undefined;
    else if (ask !== undefined) below = amountValue(ask);
  }
  return asks;
}

/** An ask above its watch is next to it. An ask that a blank line separates does not belong to the next watch. */
function passBlankLine(pass: Pass): void {
  pass.isAfterBlank = true;
  if (pass.drafts.length > 0)
    pass.waiting = pass.waiting.filter(({ prices }) => prices.length === 0);
}

/** Adds a line without a watch: to the draft above, or to the lines that wait for the next watch. */
function addLine(
  pass: Pass,
  reading: LineReading,
  place: { readonly isBelowLastWatch: boolean; readonly isBeforeWatch: boolean },
): void {
  const above = pass.drafts.at(-1);
  if (above === undefined) {
    pass.waiting.push(reading);
    return;
  }
  const { isAfterBlank } = pass;
  const hasNoNextWatch = place.isBelowLastWatch && reading.prices.length === 0;
  const isAboutDraft =
    hasNoNextWatch ||
    isContinuation(above, reading, { isAfterBlank, isBeforeWatch: place.isBeforeWatch });
  if (isAboutDraft) addPart(above, wholeLine(reading));
  else pass.waiting.push(reading);
}

function addWatches(
  pass: Pass,
  mentions: readonly WatchMention[],
  {
    listingsMax,
    askBelow,
  }: { readonly listingsMax: number; readonly askBelow: number | undefined },
): void {
  const { waiting } = pass;
  pass.headers = nextHeaders(pass.headers, waiting);
  pass.waiting = [];
  if (pass.drafts.length >= listingsMax) return;
  let first: SegmentDraft | undefined;
  for (const mention of mentions) {
    const above = pass.drafts.at(-1);
    if (above !== undefined && isSameWatch(above, mention, askBelow)) {
      if (first === undefined) for (const reading of waiting) addPart(above, wholeLine(reading));
      addPart(above, mention.part);
      first ??= above;
    } else {
      const draft = startDraft(mention, pass.headers);
      pass.drafts.push(draft);
      first ??= draft;
    }
  }
  // An ask on a line above the reference belongs to it, if it has no ask of its own.
  if (first === undefined || hasAsk(first)) return;
  for (const reading of waiting) if (reading.prices.length > 0) addPart(first, wholeLine(reading));
}

/** In a message with one watch, the lines above its reference describe it too. */
function withLinesAbove(draft: SegmentDraft): Segment {
  const own = new Set(draft.parts.map(({ reading }) => reading));
  const above = draft.headers.filter((reading) => !own.has(reading)).map(wholeLine);
  return { ...toSegment(draft), parts: [...draft.parts, ...above], headers: [] };
}

/**
 * Lines below the last watch apply to all watches in four cases: a list of requests ("must be new, of this year"), a
 * list of lines with nothing but watch and ask ("new, 8/25"), a condition or set that no line of a list has, and "all" or
 * "both" at the start of the line. They become headers of the other watches.
 */
function withClosingLines(drafts: readonly SegmentDraft[]): Segment[] {
  const segments = drafts.map((draft, index) =>
    withTitle(toSegment(draft), [drafts[index - 1], drafts[index + 1]]),
  );
  const last = drafts.at(-1);
  if (last === undefined) return segments;
  const hasOnlyWatchAndAsk = (draft: SegmentDraft): boolean =>
    isLineOfList(draft, last, DESCRIBING_KINDS) && datesKey(draft.mention.part) === "";
  const appliesToAll = !drafts.some(hasAsk) || drafts.every(hasOnlyWatchAndAsk);
  const closing = last.parts
    .slice(1, 1 + HEADERS_MAX)
    .map(({ reading }) => reading)
    .filter((reading) => appliesToAll || speaksOfAll(reading) || describesList(reading, drafts));
  if (closing.length === 0) return segments;
  return segments.map((segment, index) =>
    index === segments.length - 1
      ? segment
      : { ...segment, headers: [...segment.headers, ...closing] },
  );
}

/** Watches of a list whose closing line can be about all of them. */
const LIST_MIN = 3;

/** "New full set, HK stock" below one list of lines that each have an ask, and none of them such a value of its own. */
function describesList(closing: LineReading, drafts: readonly SegmentDraft[]): boolean {
  if (drafts.length < LIST_MIN || closing.prices.length > 0 || closing.dates.length > 0)
    return false;
  const kinds = DESCRIBING_KINDS.filter((kind) => hasPhrase(closing, kind));
  const section = drafts[0]?.headers.at(-1);
  return (
    kinds.length > 0 &&
    drafts.every(
      (draft) => draft.headers.at(-1) === section && isLineOfList(draft, drafts.at(-1), kinds),
    )
  );
}

const DESCRIBING_KINDS: readonly Meaning["kind"][] = ["condition", "set"];

/** One line with an ask, and without words of these kinds. The last draft also holds the closing lines. */
function isLineOfList(
  draft: SegmentDraft,
  last: SegmentDraft | undefined,
  kinds: readonly Meaning["kind"][],
): boolean {
  const { part } = draft.mention;
  return (
    (draft === last || draft.parts.length === 1) &&
    pricesIn(part).length > 0 &&
    !within(part.reading.line.phrases, part).some(({ meaning }) => kinds.includes(meaning.kind))
  );
}

/** "Rolex DJ 36 green", then "Ref: 126200": the line right above names the model of this watch alone, and its dial. */
function withTitle(segment: Segment, beside: readonly (SegmentDraft | undefined)[]): Segment {
  const title = segment.headers.at(-1);
  const watchLine = segment.parts[0]?.reading.line.source.sourceLine ?? 0;
  if (title === undefined || title.line.source.sourceLine !== watchLine - 1) return segment;
  const isShared = beside.some((draft) => draft?.headers.at(-1) === title);
  if (isShared || !hasPhrase(title, "model")) return segment;
  return { ...segment, shared: [...segment.shared, wholeLine(title)] };
}

/** "Both new, full set", "All with box and papers", "EUR plus label, all full set". */
function speaksOfAll({ line, prices }: LineReading): boolean {
  if (prices.length > 0) return false;
  return line.tokens.some(
    (token, at) => isA(token, "all") && (line.tokens[at - 1]?.kind ?? "symbol") === "symbol",
  );
}
