import { normalizeReference } from "../base/text.ts";

/** What the text search of a filter runs over, as it was written. */
export interface SearchableText {
  readonly brand?: string | null;
  readonly model?: string | null;
  readonly reference?: string | null;
  /** Its normal form, where it is another than the written reference's own. */
  readonly reference_normalized?: string | null;
  readonly dial_type?: string | null;
  readonly variant?: string | null;
  readonly message_text?: string | null;
}

/** Stands between words and is never part of one. */
export const WORD_BREAK = " ";
/** Stands between fields; a phrase does not cross it. */
export const FIELD_BREAK = "\n";

/**
 * The words of a text in our normal form: lower case, without accents, letters and digits only. Everything else
 * parts words, so a word holds no character that LIKE or a regular expression gives a meaning.
 */
export function toWords(text: string): readonly string[] {
  const plain = text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{Mark}+/gu, "");
  return plain.match(/[\p{Letter}\p{Number}]+/gu) ?? [];
}

/** The stored column: one field a line, its words joined by blanks; the reference also in its normal form. */
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
