import { cutText } from "../../base/text.ts";

/** One line of a message, in the form that the other readers expect. */
export interface NormalLine {
  readonly text: string;
  /** Zero-based line number in the original message. */
  readonly sourceLine: number;
  /** The whole line is between tildes, which WhatsApp shows as struck through. */
  readonly isStruckThrough: boolean;
}

/** Replaces decorations, bullets and emoji. They only separate things. */
const BREAK = "\u2022";

/** Characters with a meaning in dealer lists, and the word or character that they mean. */
const MEANINGFUL_CHARACTERS: ReadonlyMap<string, string> = new Map([
  ["\u{1F195}", " new "],
  ["\u{1F4B2}", "$"],
  ["\u{1F3F7}", " label "],
  ["\u{1F43C}", " panda "],
  ["\u274C", " sold "],
  ["\u20AC", "\u20AC"],
  ["\uFFE1", "\u00A3"],
  ["\u27A1", "\u2192"],
  ["\u00D7", "x"],
  ["\u00F8", "o"],
  ["\u00D8", "O"],
  ["\u3001", ","],
  ["\u3002", ". "],
  ["\u2044", "/"],
  ["\u00B4", "'"],
  ["\u0060", "'"],
  ["\u060C", ","],
  ["\u061B", ";"],
  ["\u061F", "?"],
  ["\u066B", "."],
  ["\u066C", ","],
  ["\t", " "],
]);

const FLAG_FIRST = 0x1f1e6;
const FLAG_LAST = 0x1f1ff;
const KEYCAP_FRAME = "\u20E3";

/** The lines of a text, and whether a bound left some of it out. */
interface NormalText {
  readonly lines: readonly NormalLine[];
  readonly isCut: boolean;
}

/** WhatsApp's own limit for a text is 65,536 characters. The rest of a longer text is ignored. */
export const TEXT_MAX = 65_536;

/** Twenty lines for each of the 200 listings. All lines stay in memory until the end, so their number is bounded too. */
export const LINES_MAX = 4_000;

/** One and a half times what a text may have, because emoji and flags fold to words. */
export const FOLDED_TEXT_MAX = TEXT_MAX + TEXT_MAX / 2;

const BOUNDS = { linesMax: LINES_MAX, lengthMax: FOLDED_TEXT_MAX };

/**
 * Splits the text into lines and folds what dealers type to plain characters: full-width and styled letters, all decimal
 * digits, keycaps, dashes, quotes, decorations. Lines keep their numbers. Normalizing a line twice changes nothing.
 *
 * Both bounds are for the folded text, because one character can fold to 18. It ends at a word.
 */
export function normalizeLines(
  text: string,
  { linesMax, lengthMax }: { readonly linesMax: number; readonly lengthMax: number } = BOUNDS,
): NormalText {
  const lines: NormalLine[] = [];
  let left = lengthMax;
  for (const line of splitLines(text, linesMax + 1)) {
    if (lines.length === linesMax) return { lines, isCut: true };
    const normal = toNormalLine(line, lines.length);
    if (normal.text.length > left) {
      lines.push({ ...normal, text: cutAtWord(normal.text, left) });
      return { lines, isCut: true };
    }
    lines.push(normal);
    left -= normal.text.length;
  }
  return { lines, isCut: text.length > TEXT_MAX };
}

/** The first lines of a text, as they were sent. What is behind `TEXT_MAX` is left out. */
export function splitLines(text: string, linesMax = LINES_MAX): readonly string[] {
  const kept = text.slice(0, TEXT_MAX);
  // Nearly all texts have plain line breaks only, and the search for the others costs more.
  const lineBreak = OTHER_BREAK.test(kept) ? LINE_BREAK : "\n";
  const isOneLine = lineBreak === "\n" && !kept.includes(lineBreak);
  return isOneLine ? [kept] : kept.split(lineBreak, linesMax);
}

const OTHER_BREAK = /[\r\u0085\u2028\u2029]/;
export const LINE_BREAK = /\r\n|[\n\r\u0085\u2028\u2029]/;

function cutAtWord(text: string, lengthMax: number): string {
  const end = text.lastIndexOf(" ", lengthMax);
  return end < 0 ? cutText(text, lengthMax) : text.slice(0, end);
}

/** Lines above and below a repeated text, such as a greeting. */
const EDGE_LINES_MAX = 2;

/** A message that was pasted twice into one text is read once. Returns the lines without the repeat. */
export function dropRepeat(lines: readonly NormalLine[]): readonly NormalLine[] {
  if (lines.length < 2) return lines;
  const written = lines.filter(({ text }) => text !== "");
  for (let above = 0; above <= EDGE_LINES_MAX; above += 1) {
    for (let below = 0; below <= EDGE_LINES_MAX; below += 1) {
      const half = (written.length - above - below) / 2;
      // Two equal lines in a longer list can be two watches.
      if (!Number.isInteger(half) || half < (above + below === 0 ? 1 : 2)) continue;
      if (!isRepeated(written, above, half)) continue;
      const dropped = new Set(written.slice(above + half, above + 2 * half));
      return lines.filter((line) => !dropped.has(line));
    }
  }
  return lines;
}

function isRepeated(lines: readonly NormalLine[], from: number, count: number): boolean {
  for (let at = from; at < from + count; at += 1)
    if (lines[at]?.text !== lines[at + count]?.text) return false;
  return true;
}

export function toNormalLine(line: string, sourceLine: number): NormalLine {
  const normal = normalizeLine(line);
  const struck = stripStrike(normal);
  return { text: struck ?? normal, sourceLine, isStruckThrough: struck !== undefined };
}

export function normalizeLine(line: string): string {
  if (!NEEDS_FOLDING.test(line)) return line.trim();
  const out = foldCharacters(unwrapSeparators(hideKeycapBullets(line)));
  return (out.includes("  ") ? out.replace(/ {2,}/g, " ") : out).trim();
}

function foldCharacters(line: string): string {
  let out = "";
  let plainFrom = 0;
  for (let at = 0; at < line.length; ) {
    const code = line.codePointAt(at) ?? 0;
    const end = at + (code > 0xffff ? 2 : 1);
    if (!isPlain(code)) {
      out += line.slice(plainFrom, at) + foldCharacter(line.slice(at, end));
      plainFrom = end;
    }
    at = end;
  }
  return out + line.slice(plainFrom);
}

/** Printable ASCII without asterisk and backtick is the same in the normal form. */
function isPlain(code: number): boolean {
  return code >= 0x20 && code < 0x7f && code !== 0x2a && code !== 0x60;
}

/** Anything but printable ASCII, and asterisks, backticks and double spaces. */
const NEEDS_FOLDING = /[^\x20-\x29\x2b-\x5f\x61-\x7e]| {2}/;

/** "21**,**000": removes asterisks around a separator, because they would split the amount. */
function unwrapSeparators(line: string): string {
  return line.includes("*") ? line.replace(/\*{1,4}([.,])\*{1,4}/g, "$1") : line;
}

/**
 * One or two keycaps are the number of a line in a list. Their digits would be taken into the reference behind them. A
 * longer run is a number that is written in keycaps. The line keeps its length: `text-spans.ts` relies on it.
 */
export function hideKeycapBullets(line: string): string {
  if (!line.includes(KEYCAP_FRAME)) return line;
  return line.replace(/(?:[0-9#*]\uFE0F?\u20E3 ?)+/g, (run, at: number) => {
    const isAmount =
      run.split(KEYCAP_FRAME).length > 3 ||
      /[$\u20AC\u00A3.,] ?$/.test(line.slice(0, at)) ||
      /^[ *]{0,4}[kKmM.,$\u20AC\u00A3%]/.test(line.slice(at + run.length, at + run.length + 5));
    return isAmount ? run : run.replace(/[0-9#*]/g, BREAK);
  });
}

const foldedCharacters = new Map<string, string>();
/** Chat uses a few thousand different characters. The bound stops hostile text from filling the memory. */
const FOLDED_MAX = 8192;

/** Returns the plain characters that one character of a message stands for. `text-spans.ts` finds words again with it. */
export function foldCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (isPlain(code)) return character;
  const known = foldedCharacters.get(character);
  if (known !== undefined) return known;
  const folded = foldRareCharacter(character, code);
  if (foldedCharacters.size < FOLDED_MAX) foldedCharacters.set(character, folded);
  return folded;
}

function foldRareCharacter(character: string, code: number): string {
  const replacement = MEANINGFUL_CHARACTERS.get(character);
  if (replacement !== undefined) return replacement;
  // WhatsApp writes bold text between asterisks. They touch the words but do not belong to them.
  if (character === "*") return " ";
  // Each half of a flag becomes its letter: the flag of Hong Kong becomes "h k".
  if (code >= FLAG_FIRST && code <= FLAG_LAST)
    return ` ${String.fromCharCode(97 + code - FLAG_FIRST)} `;
  if (isDropped(character, code)) return "";
  if (/\p{Dash_Punctuation}|[\u2212\u30FC]/u.test(character)) return "-";
  if (/[\u2018\u2019\u201A\u201B\u2032]/.test(character)) return "'";
  if (/[\u201C-\u201F\u2033\u00AB\u00BB]/.test(character)) return '"';
  // Circled and parenthesised numbers are bullets. As digits they would look like prices.
  if (/[\u2460-\u24FF\u2776-\u2793\u3200-\u32FF]/.test(character)) return ` ${BREAK} `;
  const digit = decimalDigit(character, code);
  if (digit !== undefined) return digit;
  if (/\p{Space_Separator}|\p{Control}/u.test(character)) return " ";
  if (isDecoration(character)) return ` ${BREAK} `;
  const composed = character.normalize("NFKC");
  return composed === character ? character : foldCompatibilityForm(composed, character);
}

/** The NFKC form of a character can contain characters that need folding too. */
function foldCompatibilityForm(composed: string, character: string): string {
  let out = "";
  for (const part of composed) out += part === character ? part : foldCharacter(part);
  return out;
}

/** Zero-width characters, variation selectors, skin tones, joiners, tags, lone surrogates, keycap frames. */
function isDropped(character: string, code: number): boolean {
  if (character === KEYCAP_FRAME || (code >= 0xd800 && code <= 0xdfff)) return true;
  if (code >= 0x1f3fb && code <= 0x1f3ff) return true;
  return /\p{Format}|\p{Variation_Selector}|\p{Private_Use}|\p{Unassigned}/u.test(character);
}

function decimalDigit(character: string, code: number): string | undefined {
  if (!/\p{Decimal_Number}/u.test(character)) return undefined;
  const ascii = character.normalize("NFKC");
  if (/^\d$/.test(ascii)) return ascii;
  // Unicode has decimal digits in runs of ten. The zero is at most nine code points before the digit.
  let zero = code;
  while (code - zero < 9 && /\p{Decimal_Number}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(code - zero);
}

function isDecoration(character: string): boolean {
  return (
    /\p{Extended_Pictographic}|\p{Other_Symbol}|\p{Modifier_Symbol}/u.test(character) ||
    /[\u00B7\u2022\u2023\u25A0-\u27BF\u3010\u3011\u300C-\u300F]/.test(character)
  );
}

function stripStrike(line: string): string | undefined {
  if (!line.includes("~")) return undefined;
  const bare = line.replaceAll(BREAK, "").trim();
  if (bare.length < 3 || !bare.startsWith("~") || !bare.endsWith("~")) return undefined;
  return bare.slice(1, -1).trim();
}
