/** For words that are equal ignoring case, accents and punctuation: brands, models, dials, group names. */
export function foldWord(text: string): string {
  // Nearly every reference and brand is ASCII, for which normalisation is the dearer half of the work.
  if (ASCII.test(text)) return text.toLowerCase().replace(/[^a-z0-9]+/g, "");
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]+/gu, "");
}

const ASCII = /^[ -~]*$/;

/** A reference's normal form: upper case, letters and digits only (`5711/1A-010` gives `57111A010`). */
export function normalizeReference(reference: string): string {
  return foldWord(reference).toUpperCase();
}

/** A telephone number or prefix as the API writes it: digits without `+`. */
export function toDigits(text: string): string {
  return text.normalize("NFKC").replace(/\D+/g, "");
}

/** Marks that have no width: joiners, direction marks, variation selectors; and what makes a keycap of a digit. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\u20E3/gu;
const EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/gu;
/** Emoji that say something about a watch: new, available or sold, tag, price. */
const TELLING_EMOJI: ReadonlySet<string> = new Set("🆕✅☑✔❌❎⛔🚫🔴🏷💰💵💶💷💴💲🤑");

/**
 * What makes two texts the same message: compatibility forms, case, invisible marks, blanks within a line, empty lines
 * and ornaments do not count; line breaks and everything else do.
 */
export function textIdentity(text: string): string {
  const folded = foldCase(text.normalize("NFKC")).normalize("NFKC");
  return folded
    .replace(INVISIBLE, "")
    .replace(EMOJI, (emoji) => (TELLING_EMOJI.has(emoji) ? emoji : ""))
    .split(/[\n\r\u2028\u2029]+/)
    .map((line) => line.replace(/\s+/gu, " ").trim())
    .filter((line) => line !== "")
    .join("\n");
}

/** What PostgreSQL can hold as text: no NUL, no half of a surrogate pair. */
export function isStorableText(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}

// Upper case first: it joins letters that lower case keeps apart, such as ß and ss, or ς and σ.
function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase();
}
