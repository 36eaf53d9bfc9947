import { normalizeReference } from "../base/text.ts";
import type { LineSpan } from "../extraction/extraction.ts";
import { splitLines, toNormalLine } from "../extraction/text/normalize.ts";

/** The words of a listing that its search text starts with. */
interface SearchableWords {
  readonly brand?: string | null;
  readonly model?: string | null;
  /** What every watch of its reference is called. */
  readonly nicknames?: readonly string[];
  readonly reference?: string | null;
  /** Only if it differs from the normal form of `reference`. */
  readonly reference_normalized?: string | null;
  readonly dial_type?: string | null;
  readonly variant?: string | null;
}

interface SearchableListing {
  readonly words: SearchableWords;
  readonly lines: OwnLines;
}

/** Which lines of the message are about a listing, by their zero-based numbers. */
interface OwnLines {
  readonly sourceLines: readonly number[];
  readonly headerLines: readonly number[];
  /** Of source lines that other watches have too, the parts that are about this one. */
  readonly ownSpans?: readonly LineSpan[];
}

/** Separates words; never part of a word. */
export const WORD_BREAK = " ";

/** Separates fields; a phrase does not match across it. */
export const FIELD_BREAK = "\n";

/** Longer words are cut, because the store's index takes no word of 2,047 bytes. */
const WORD_CHARACTERS_MAX = 255;

/**
 * The most bytes of a search text, as the store counts them, after folding: U+FDFA has 3 bytes and folds to 33. All listings of a
 * message have no more together, and one listing has at most an eighth. The store takes no text with 1 MB of words into its index.
 */
export const SEARCH_TEXT_BYTES_MAX = 64 * 1024;
const LISTING_BYTES_MAX = 8 * 1024;

/** A brand, reference or dial of this length is no longer one. */
const FIELD_BYTES_MAX = 1024;

/** No UTF-16 unit folds to more bytes than U+FDFA. */
const BYTES_PER_UNIT_MAX = 33;

/** A long text is folded in pieces up to the bound, so that what lies behind it costs nothing. */
const PIECE_LENGTH = 2_048;

/** A run of this length without a blank is cut. No language writes words like that. */
const RUN_LENGTH_MAX = 8 * PIECE_LENGTH;

/**
 * The normalised words of a text: lower case, without accents, letters and digits only. All other characters separate
 * words, so a word has no character that is special in a regular expression or in a query of the index. With a blank
 * between two, they have at most `bytesMax` bytes in the store; words behind that are left out.
 */
export function toWords(text: string, bytesMax = SEARCH_TEXT_BYTES_MAX): readonly string[] {
  // Most texts are ASCII, and take a third of the time without the normalisation.
  if (ASCII.test(text)) {
    const words = (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map(toIndexed);
    return text.length <= bytesMax ? words : takeBytes(words, bytesMax);
  }
  if (text.length * BYTES_PER_UNIT_MAX <= bytesMax) return foldWords(text);
  return takeBytes(eachWord(text), bytesMax);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: line breaks and tabs are ASCII too.
const ASCII = /^[\u0000-\u007f]*$/;

function foldWords(text: string): readonly string[] {
  const normalized = text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{Mark}+/gu, "");
  return (normalized.match(/[\p{Letter}\p{Number}]+/gu) ?? []).map(toIndexed);
}

function toIndexed(word: string): string {
  if (word.length <= WORD_CHARACTERS_MAX) return word;
  return [...word].slice(0, WORD_CHARACTERS_MAX).join("");
}

function takeBytes(words: Iterable<string>, bytesMax: number): readonly string[] {
  const taken: string[] = [];
  let bytes = -WORD_BREAK.length;
  for (const word of words) {
    bytes += WORD_BREAK.length + Buffer.byteLength(word);
    if (bytes > bytesMax) break;
    taken.push(word);
  }
  return taken;
}

/** The words of a long text. Pieces end before a blank, so that no word is folded in two halves. */
function* eachWord(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    let end = from + PIECE_LENGTH;
    while (end < text.length && end - from < RUN_LENGTH_MAX && !isBlank(text, end)) end += 1;
    if (isInPair(text, end)) end += 1;
    yield* foldWords(text.slice(from, end));
    from = end;
  }
}

function isBlank(text: string, at: number): boolean {
  const character = text[at];
  return character === " " || character === "\n";
}

/** Between the two halves of a character. */
function isInPair(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
}

/** The search text of a message. */
export function toMessageText(text: string): string {
  return toWords(text).join(WORD_BREAK);
}

/**
 * The search texts of all listings of a message. Each has one field on each line, words separated by blanks: its words, the
 * reference also normalised, then its own lines, the headers above it, and the lines that belong to no watch. What is too long
 * is cut after a word, so the lines of no watch are cut first. Lines of other watches are not in it.
 *
 * Together they have at most `SEARCH_TEXT_BYTES_MAX`. If that is not enough for all, every one is cut that is longer than the
 * others may be: of 200 listings with 100 bytes and one with 60 kB only the last.
 */
export function toSearchTexts(
  text: string,
  listings: readonly SearchableListing[],
  sharedLines: readonly number[] = [],
): readonly string[] {
  const lines = foldLines(text);
  const shared = joinLines(sharedLines, lines.whole);
  const texts = listings.map(({ words, lines: own }) =>
    joinFields([
      ...toWordFields(words),
      joinOwn(own, lines),
      joinLines(own.headerLines, lines.whole),
      shared,
    ]),
  );
  // Nearly all are far below both bounds: a unit has at most three bytes.
  const share = Math.min(LISTING_BYTES_MAX, SEARCH_TEXT_BYTES_MAX / listings.length);
  if (texts.every(({ length }) => length * 3 <= share)) return texts;
  const bytes = texts.map((one) => Math.min(Buffer.byteLength(one), LISTING_BYTES_MAX));
  const bytesMax = Math.min(LISTING_BYTES_MAX, toLevel(bytes, SEARCH_TEXT_BYTES_MAX));
  return texts.map((one) => cutAtWord(one, bytesMax));
}

/** Each field once. */
function joinFields(fields: readonly string[]): string {
  return fields
    .filter((field, at) => field !== "" && fields.indexOf(field) === at)
    .join(FIELD_BREAK);
}

function toWordFields(words: SearchableWords): readonly string[] {
  const reference = toField(words.reference);
  const normal = toField(words.reference_normalized ?? normalizeReference(words.reference ?? ""));
  return [
    toField(words.brand),
    toField(words.model),
    ...(words.nicknames ?? []).map(toField),
    reference,
    // Not twice if the reference is already normalised.
    reference === normal ? "" : normal,
    toField(words.dial_type),
    toField(words.variant),
  ];
}

function toField(text: string | null | undefined): string {
  return toWords(text ?? "", FIELD_BYTES_MAX).join(WORD_BREAK);
}

interface FoldedLines {
  readonly whole: (line: number) => string;
  readonly part: (span: LineSpan) => string;
}

/** Folds each line that is asked for once, and no more of it than a listing can have. */
function foldLines(text: string): FoldedLines {
  const lines = splitLines(text);
  const folded: string[] = [];
  const normal: string[] = [];
  return {
    whole: (line) => (folded[line] ??= foldLine(lines[line] ?? "")),
    part: ({ line, start, end }) => {
      normal[line] ??= toNormalLine(lines[line] ?? "", line).text;
      return foldLine(normal[line].slice(start, end));
    },
  };
}

function foldLine(line: string): string {
  return toWords(line, LISTING_BYTES_MAX).join(WORD_BREAK);
}

function joinOwn({ sourceLines, ownSpans }: OwnLines, lines: FoldedLines): string {
  if (ownSpans === undefined) return joinLines(sourceLines, lines.whole);
  const split = new Set(ownSpans.map(({ line }) => line));
  const whole = sourceLines.filter((line) => !split.has(line));
  return joinLines([joinLines(whole, lines.whole), joinLines(ownSpans, lines.part)], String);
}

/** Stops when there is more than a listing can have. */
function joinLines<Item>(items: readonly Item[], fold: (item: Item) => string): string {
  let joined = "";
  for (const item of items) {
    const words = fold(item);
    if (words !== "") joined += joined === "" ? words : WORD_BREAK + words;
    if (joined.length > LISTING_BYTES_MAX) break;
  }
  return joined;
}

/** The level at which all of `sizes` together have at most `totalMax`, if those above it are cut to it. */
function toLevel(sizes: readonly number[], totalMax: number): number {
  let left = totalMax;
  for (const [at, size] of sizes.toSorted((one, other) => one - other).entries()) {
    const level = Math.floor(left / (sizes.length - at));
    if (size > level) return level;
    left -= size;
  }
  return totalMax;
}

function cutAtWord(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= bytesMax) return text;
  // One byte more than fits, because a word may end at the bound.
  const kept = bytes.subarray(0, bytesMax + 1);
  const end = Math.max(kept.lastIndexOf(WORD_BREAK), kept.lastIndexOf(FIELD_BREAK));
  return bytes.toString("utf8", 0, Math.max(0, end));
}

/** About how many bytes the search texts of a message have, without folding all of its text. */
export function estimateSearchBytes(text: string, listingCount: number): number {
  const start = text.slice(0, LISTING_BYTES_MAX);
  const bytes = ASCII.test(start) ? start.length : Buffer.byteLength(start.normalize("NFKD"));
  return Math.min(listingCount * Math.min(bytes, LISTING_BYTES_MAX), SEARCH_TEXT_BYTES_MAX);
}
