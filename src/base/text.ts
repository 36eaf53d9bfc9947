/**
 * A folded word has at most so many characters: one character can fold to 18, and an index of the store takes no value of
 * 2,700 bytes. What people type for a name is shorter before it is folded.
 */
const FOLDED_WORD_MAX = 500;

/** Returns a form to compare words by, ignoring case, accents and punctuation: brands, models, dials, group names. */
export function foldWord(text: string): string {
  // Nearly every reference and brand is ASCII. Skipping the normalisation saves more than half of the work.
  if (ASCII.test(text)) return cutWord(text.toLowerCase().replace(/[^a-z0-9]+/g, ""));
  const folded = text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]+/gu, "");
  return cutWord(folded);
}

const ASCII = /^[ -~]*$/;

/** Returns the words of a name, each folded: "GMT-Master II" is gmt, master, ii. */
export function foldWords(name: string): readonly string[] {
  return name
    .split(/[^\p{Letter}\p{Number}\p{Mark}]+/u)
    .map(foldWord)
    .filter((word) => word !== "");
}

/** Returns a reference in upper case, with letters and digits only: `5711/1A-010` becomes `57111A010`. */
export function normalizeReference(reference: string): string {
  // Cut again, because a letter can have two in upper case.
  return cutWord(NORMALIZED.test(reference) ? reference : foldWord(reference).toUpperCase());
}

const NORMALIZED = /^[0-9A-Z]*$/;

/** Returns a phone number or prefix as the API writes it: digits without `+`. */
export function toDigits(text: string): string {
  return cutWord(text.normalize("NFKC").replace(/\D+/g, ""));
}

function cutWord(folded: string): string {
  return cutText(folded, FOLDED_WORD_MAX);
}

/** Joiners, direction marks, variation selectors, and the mark that turns a digit into a keycap. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\u20E3/gu;
const EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/gu;
/** Emoji with a meaning in an offer: new, available or sold, tag, price. */
const MEANINGFUL_EMOJI: ReadonlySet<string> = new Set("🆕✅☑✔❌❎⛔🚫🔴🏷💰💵💶💷💴💲🤑");

/** Twice what WhatsApp allows for a text. Only texts of characters that fold to many others are longer when folded. */
const IDENTITY_MAX = 2 * 65_536;
/** U+FDFA folds to 18 characters, more than any other. */
const FOLDED_CHARACTERS_MAX = 18;
const PIECE_LENGTH = 4_096;

/**
 * Two texts are the same message if this returns the same for both. It ignores compatibility forms, case, invisible
 * characters, spaces within a line, empty lines and decorative emoji. Line breaks and everything else count. In a text
 * that grows beyond `IDENTITY_MAX` nothing is ignored.
 */
export function textIdentity(text: string): string {
  if (isHugeFolded(text)) return text;
  const folded = foldCase(text.normalize("NFKC")).normalize("NFKC");
  return folded
    .replace(INVISIBLE, "")
    .replace(EMOJI, (emoji) => (MEANINGFUL_EMOJI.has(emoji) ? emoji : ""))
    .split(/[\n\r\u2028\u2029]+/)
    .map((line) => line.replace(/\s+/gu, " ").trim())
    .filter((line) => line !== "")
    .join("\n");
}

/** Stops as soon as the answer is known, so that a hostile text costs no more than a long one. */
function isHugeFolded(text: string): boolean {
  if (text.length * FOLDED_CHARACTERS_MAX <= IDENTITY_MAX) return false;
  let length = 0;
  for (let at = 0; at < text.length && length <= IDENTITY_MAX; at += PIECE_LENGTH)
    length += text.slice(at, at + PIECE_LENGTH).normalize("NFKC").length;
  return length > IDENTITY_MAX;
}

/** Returns the text in memory of its own. What is cut out of a text keeps the whole of it in memory. */
export function copyText(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}

/** Returns true if PostgreSQL can store the text: no NUL, no unpaired surrogate. */
export function isStorableText(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}

/** Controls, line breaks, direction marks, and what else takes no place. */
const UNSEEN =
  /[\p{Control}\p{Line_Separator}\p{Paragraph_Separator}\p{Default_Ignorable_Code_Point}]/u;
/** Where such a character is a part of another one: in emoji, and between letters that it joins or keeps apart. */
const PART_OF_ANOTHER =
  /\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\u200d|\ufe0e|\ufe0f|[\u{e0020}-\u{e007f}])+|[0-9#*]\ufe0f\u20e3|(?<=(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\p{Letter}\p{Mark}])(?:\u200c|\u200d)/gu;

/** Returns true if a name is one line on which everything can be seen, so that it cannot look like another one or turn a text around. */
export function isPlainName(name: string): boolean {
  return isStorableText(name) && !UNSEEN.test(name.replaceAll(PART_OF_ANOTHER, ""));
}

/** A NUL is invisible, and PostgreSQL takes none. */
export function withoutNul(text: string): string {
  return text.replaceAll("\u0000", "");
}

// Upper case first, because it merges letters that lower case keeps apart, such as ß and ss, or ς and σ.
function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase();
}

/** The start of a text, without half of a character at its end. */
export function cutText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const cut = text.slice(0, lengthMax);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** Returns an amount in minor units as people write it: `12,500.50`. */
export function showAmount(minor: number): string {
  const [whole = "", fraction = ""] = (Math.abs(minor) / 100).toFixed(2).split(".");
  return `${minor < 0 ? "-" : ""}${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${fraction}`;
}
