import { normalizeReference } from "../base/text.ts";

/** The fields that text search covers, as the dealer wrote them. */
interface SearchableText {
  readonly brand?: string | null;
  readonly model?: string | null;
  readonly reference?: string | null;
  /** Only if it differs from the normal form of `reference`. */
  readonly reference_normalized?: string | null;
  readonly dial_type?: string | null;
  readonly variant?: string | null;
  readonly message_text?: string | null;
}

/** Separates words; never part of a word. */
export const WORD_BREAK = " ";

/** Separates fields; a phrase does not match across it. */
export const FIELD_BREAK = "\n";

/** Longer words are cut, because the store's index takes no word of 2,047 bytes. */
const WORD_CHARACTERS_MAX = 255;

/**
 * The most bytes of a search text, as the store counts them, after folding: U+FDFA has 3 bytes and folds to 33. The store
 * takes no text with 1 MB of words into its index.
 */
export const SEARCH_TEXT_BYTES_MAX = 64 * 1024;

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

/** No less than the bytes of the search text of a message, without folding all of it. */
export function searchBytesOf(text: string): number {
  if (ASCII.test(text)) return Math.min(text.length, SEARCH_TEXT_BYTES_MAX);
  const start = text.slice(0, SEARCH_TEXT_BYTES_MAX);
  return Math.min(Buffer.byteLength(start.normalize("NFKD")), SEARCH_TEXT_BYTES_MAX);
}

/**
 * The `search_text` column: one field on each line, words separated by blanks; the reference also normalised. It has at
 * most `bytesMax` bytes in the store. The text of the message comes last, so it is what is cut, after a word.
 */
export function toSearchText(text: SearchableText, bytesMax = SEARCH_TEXT_BYTES_MAX): string {
  const reference = toFieldWords(text.reference);
  const normal = toFieldWords(
    text.reference_normalized ?? normalizeReference(text.reference ?? ""),
  );
  const fields = [
    toFieldWords(text.brand),
    toFieldWords(text.model),
    reference,
    // Not twice if the reference is already normalised.
    reference.length === 1 && reference[0] === normal[0] ? [] : normal,
    toFieldWords(text.dial_type),
    toFieldWords(text.variant),
  ]
    .map((words) => words.join(WORD_BREAK))
    .filter((field) => field !== "");
  const usedBytes = Buffer.byteLength(fields.map((field) => field + FIELD_BREAK).join(""));
  const message = toMessageField(text.message_text ?? "", bytesMax - usedBytes);
  return (message === "" ? fields : [...fields, message]).join(FIELD_BREAK);
}

function toFieldWords(text: string | null | undefined): readonly string[] {
  return toWords(text ?? "", FIELD_BYTES_MAX);
}

let latest = { text: "", field: "", bytes: 0 };

/** The listings of a message come one after another, and all have its text. */
function toMessageField(text: string, bytesMax: number): string {
  if (text !== latest.text) {
    const field = toWords(text).join(WORD_BREAK);
    latest = { text, field, bytes: Buffer.byteLength(field) };
  }
  return latest.bytes <= bytesMax ? latest.field : cutAtWord(latest.field, bytesMax);
}

function cutAtWord(field: string, bytesMax: number): string {
  const bytes = Buffer.from(field);
  // One byte more than fits, because a word may end at the bound.
  const end = bytes.subarray(0, Math.max(0, bytesMax) + 1).lastIndexOf(WORD_BREAK);
  return bytes.toString("utf8", 0, Math.max(0, end));
}

/**
 * Every listing of a message has the message's text in its search text, so a long list is stored once for each watch in
 * it. Together they have at most this many bytes: 64 listings with 64 kB each, or 200 with 20 kB.
 */
const MESSAGE_SEARCH_BYTES_MAX = 64 * SEARCH_TEXT_BYTES_MAX;

/** The most bytes of the search text of each of `listingCount` listings of one message. */
export function searchBytesMaxOf(listingCount: number): number {
  const share = Math.floor(MESSAGE_SEARCH_BYTES_MAX / Math.max(1, listingCount));
  return Math.min(SEARCH_TEXT_BYTES_MAX, share);
}
