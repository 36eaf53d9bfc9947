import { normalizeReference } from "../base/text.ts";

/** The fields of a listing that the text search of a filter looks at, as written. */
export interface SearchableText {
  readonly brand?: string | null;
  readonly model?: string | null;
  readonly reference?: string | null;
  /** Given only if it differs from the normal form of `reference`, because a typing error was repaired. */
  readonly reference_normalized?: string | null;
  readonly dial_type?: string | null;
  readonly variant?: string | null;
  readonly message_text?: string | null;
}

/** Separates words. It is never part of a word. */
export const WORD_BREAK = " ";
/** Separates fields. A phrase never spans two fields. */
export const FIELD_BREAK = "\n";

/**
 * Returns the words of a text in normal form: lower case, without accents, letters and digits only. Other characters
 * separate words. So a word contains no character with a special meaning in LIKE or a regular expression.
 */
export function toWords(text: string): readonly string[] {
  const folded = text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{Mark}+/gu, "");
  return folded.match(/[\p{Letter}\p{Number}]+/gu) ?? [];
}

/** Returns the stored column: one line for each field, with its words. The reference is also in its normal form. */
export function toSearchText(text: SearchableText): string {
  const reference = toWords(text.reference ?? "");
  const normal = toWords(text.reference_normalized ?? normalizeReference(text.reference ?? ""));
  const fields = [
    toWords(text.brand ?? ""),
    toWords(text.model ?? ""),
    reference,
    // A reference of one word is its own normal form.
    reference.length === 1 && reference[0] === normal[0] ? [] : normal,
    toWords(text.dial_type ?? ""),
    toWords(text.variant ?? ""),
    toWords(text.message_text ?? ""),
  ];
  return fields
    .filter((words) => words.length > 0)
    .map((words) => words.join(WORD_BREAK))
    .join(FIELD_BREAK);
}
