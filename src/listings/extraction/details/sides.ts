import type { Side } from "../extraction.ts";
import type { PhraseMatch } from "../lines/lexicon.ts";
import { type LinePart, pricesIn, wholeLine } from "../lines/line-part.ts";
import { within } from "../lines/span.ts";
import type { LineReading } from "../reading.ts";
import type { Segment } from "../segments/segment-draft.ts";

export interface SideReading {
  readonly side: Side;
  readonly part: LinePart;
  readonly phrase: PhraseMatch;
}

/** Returns the side of the message: a request on any line beats an offer. Returns undefined if it states neither. */
export function messageSide(readings: readonly LineReading[]): SideReading | undefined {
  let offer: SideReading | undefined;
  for (const reading of readings) {
    const found = findSide(wholeLine(reading));
    if (found?.side === "want_to_buy") return found;
    offer ??= found;
  }
  return offer;
}

/** Returns the side from the watch's own text, else from the nearest header. `isOwn` is true for its own text. */
export function segmentSide(
  segment: Segment,
): { readonly reading: SideReading; readonly isOwn: boolean } | undefined {
  // Below an ask, "want to see more" and "looking for a quick sale" are part of the offer.
  const hasPrice = segment.parts.some((part) => pricesIn(part).length > 0);
  const watchLine = segment.parts[0]?.reading.line.source.sourceLine ?? 0;
  for (const part of segment.parts) {
    if (hasPrice && part.reading.line.source.sourceLine > watchLine) continue;
    const reading = findSide(part);
    if (reading !== undefined) return { reading, isOwn: true };
  }
  const above = [...segment.headers.map(wholeLine), ...segment.shared];
  for (const part of above.toReversed()) {
    const reading = findSide(part);
    if (reading !== undefined) return { reading, isOwn: false };
  }
  return undefined;
}

/** Strong words count anywhere. Weak words for a request ("need") count at the start of a line; weak offers never do. */
function findSide(part: LinePart): SideReading | undefined {
  let weak: SideReading | undefined;
  for (const phrase of within(part.reading.line.phrases, part)) {
    if (phrase.meaning.kind !== "side") continue;
    const reading = { side: phrase.meaning.side, part, phrase };
    if (!phrase.meaning.isWeak) return reading;
    const counts =
      phrase.meaning.side === "for_sale" ? false : isAtLineStart(part.reading, phrase.from);
    if (counts) weak ??= reading;
  }
  return weak;
}

const WORDS_BEFORE_REQUEST: ReadonlySet<string> = new Set([
  "please",
  "pls",
  "plz",
  "i",
  "we",
  "still",
  "also",
  "urgent",
  "urgently",
  "hi",
  "hello",
  "guys",
  "now",
  "just",
]);

/** Returns true if only symbols, greetings, and words such as "I" or "please" are before the token. */
function isAtLineStart(reading: LineReading, at: number): boolean {
  return (
    reading.line.tokens.slice(Math.max(0, at - 6), at).every(
      (token, index) =>
        token.kind === "symbol" ||
        WORDS_BEFORE_REQUEST.has(token.word) ||
        // "2) Need 126500LN": the number of a line in a list.
        (index === 0 && token.kind === "digits" && token.text.length < 3),
    ) && at <= 6
  );
}
