/** Returns a form to compare words by, ignoring case, accents and punctuation: brands, models, dials, group names. */
export function foldWord(text: string): string {
  // Nearly every reference and brand is ASCII. Skipping the normalisation saves more than half of the work.
  if (ASCII.test(text)) return text.toLowerCase().replace(/[^a-z0-9]+/g, "");
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]+/gu, "");
}

const ASCII = /^[ -~]*$/;

/** Returns a reference in upper case, with letters and digits only: `5711/1A-010` becomes `57111A010`. */
export function normalizeReference(reference: string): string {
  return NORMALIZED.test(reference) ? reference : foldWord(reference).toUpperCase();
}

const NORMALIZED = /^[0-9A-Z]*$/;

/** Returns a phone number or prefix as the API writes it: digits without `+`. */
export function toDigits(text: string): string {
  return text.normalize("NFKC").replace(/\D+/g, "");
}

/** Joiners, direction marks, variation selectors, and the mark that turns a digit into a keycap. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\u20E3/gu;
const EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/gu;
/** Emoji with a meaning in an offer: new, available or sold, tag, price. */
const MEANINGFUL_EMOJI: ReadonlySet<string> = new Set("🆕✅☑✔❌❎⛔🚫🔴🏷💰💵💶💷💴💲🤑");

/**
 * Two texts are the same message if this returns the same for both. It ignores compatibility forms, case, invisible
 * characters, spaces within a line, empty lines and decorative emoji. Line breaks and everything else count.
 */
export function textIdentity(text: string): string {
  const folded = foldCase(text.normalize("NFKC")).normalize("NFKC");
  return folded
    .replace(INVISIBLE, "")
    .replace(EMOJI, (emoji) => (MEANINGFUL_EMOJI.has(emoji) ? emoji : ""))
    .split(/[\n\r\u2028\u2029]+/)
    .map((line) => line.replace(/\s+/gu, " ").trim())
    .filter((line) => line !== "")
    .join("\n");
}

/** Returns the text in memory of its own. What is cut out of a text keeps the whole of it in memory. */
export function copyText(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}

/** Returns true if PostgreSQL can store the text: no NUL, no unpaired surrogate. */
export function isStorableText(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}

// Upper case first, because it merges letters that lower case keeps apart, such as ß and ss, or ς and σ.
function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase();
}

/** The start of a text, without half of a character at its end. */
export function cutText(text: string, lengthMax: number): string {
  const cut = text.slice(0, lengthMax);
  return /[\ud800-\udbff]$/.test(cut) && cut.length < text.length ? cut.slice(0, -1) : cut;
}
