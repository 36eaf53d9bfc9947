import { normalizeReference } from "../base/text.ts";

/** The fields that text search covers, as the dealer wrote them. */
export interface SearchableText {
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
 * The normalised words of a text: lower case, without accents, letters and digits only. All other characters separate
 * words, so a word has no character that is special in a regular expression or in a query of the index.
 */
export function toWords(text: string): readonly string[] {
  // Most texts are ASCII, and take a third of the time without the normalisation.
  if (ASCII.test(text)) return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map(toIndexed);
  const normalized = text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{Mark}+/gu, "");
  return (normalized.match(/[\p{Letter}\p{Number}]+/gu) ?? []).map(toIndexed);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: line breaks and tabs are ASCII too.
const ASCII = /^[\u0000-\u007f]*$/;

function toIndexed(word: string): string {
  if (word.length <= WORD_CHARACTERS_MAX) return word;
  return [...word].slice(0, WORD_CHARACTERS_MAX).join("");
}

/** The `search_text` column: one field on each line, words separated by blanks; the reference also normalised. */
export function toSearchText(text: SearchableText): string {
  const reference = toWords(text.reference ?? "");
  const normal = toWords(text.reference_normalized ?? normalizeReference(text.reference ?? ""));
  const fields = [
    toWords(text.brand ?? ""),
    toWords(text.model ?? ""),
    reference,
    // Not twice if the reference is already normalised.
    reference.length === 1 && reference[0] === normal[0] ? [] : normal,
    toWords(text.dial_type ?? ""),
    toWords(text.variant ?? ""),
  ].map((words) => words.join(WORD_BREAK));
  return [...fields, toMessageField(text.message_text ?? "")]
    .filter((field) => field !== "")
    .join(FIELD_BREAK);
}

let latest = { text: "", field: "" };

/** The listings of a message come one after another, and all have its text. */
function toMessageField(text: string): string {
  if (text !== latest.text) latest = { text, field: toWords(text).join(WORD_BREAK) };
  return latest.field;
}
