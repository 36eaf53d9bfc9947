/**
 * The words of a text as numbers, for the weights that no list of words can name: each word and each pair of neighbours is hashed
 * into a table (`weights/words.json`). What the reading knows stands for itself: a house, a model, a reference, a date, an amount.
 *
 * Idea: of a word in a table only its number is known, so what is fitted on other people's messages quotes none of them. Two
 * words with one number share their weights, and with 2^16 numbers few do.
 *
 * Example: "Selling my Tudor 79230B 2,950" has the words `selling`, `my`, `#house`, `#reference` and `#price`, and their pairs.
 */
import type { LineReading } from "../lines/line-reading.ts";
import type { Token } from "../text/token.ts";

export const HASHES = 2 ** 16;

/** Longer texts are judged by their beginning. The bound keeps the work linear. */
const WORDS_MAX = 240;

const FNV_START = 0x81_1c_9d_c5;
const FNV_FACTOR = 0x01_00_01_93;

function hashText(text: string): number {
  let hash = FNV_START;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), FNV_FACTOR);
  return hash;
}

const MARKS = {
  start: hashText("#start"),
  end: hashText("#end"),
  line: hashText("#line"),
  price: hashText("#price"),
  date: hashText("#date"),
  reference: hashText("#reference"),
  house: hashText("#house"),
  model: hashText("#model"),
} as const;

/** By the number of digits, apart from and glued to the word before. */
const DIGITS = Array.from({ length: 10 }, (_, count) => hashText(`#${count}`));
const GLUED_DIGITS = Array.from({ length: 10 }, (_, count) => hashText(`#g${count}`));
const LENGTHS = Array.from({ length: 20 }, (_, count) => hashText(`#length ${count}`));

/** Kept, because an array for each text costs more than its hashes. */
const WORDS = new Int32Array(WORDS_MAX);

/** Kept too: valid until the next text is hashed. */
const HASHED_WORDS = new Uint16Array(2 * WORDS_MAX + 2);

/** Returns the numbers of the words and pairs of the text. A number can come twice. The next text overwrites them. */
export function hashWords(readings: readonly LineReading[]): Uint16Array {
  const count = listWords(readings);
  let last: number = MARKS.start;
  for (let at = 0; at < count; at += 1) {
    const word = WORDS[at] ?? 0;
    HASHED_WORDS[2 * at] = fold(word);
    HASHED_WORDS[2 * at + 1] = fold(pair(last, word));
    last = word;
  }
  HASHED_WORDS[2 * count] = fold(pair(last, MARKS.end));
  HASHED_WORDS[2 * count + 1] = fold(LENGTHS[Math.round(2 * Math.log2(1 + count))] ?? 0);
  return HASHED_WORDS.subarray(0, 2 * count + 2);
}

function pair(first: number, second: number): number {
  return Math.imul(Math.imul(first, 31) ^ second, FNV_FACTOR);
}

/** All 32 bits count. */
function fold(hash: number): number {
  return (hash ^ (hash >>> 16)) & (HASHES - 1);
}

/** Fills `WORDS`, and returns how many there are. */
function listWords(readings: readonly LineReading[]): number {
  let count = 0;
  for (const reading of readings) {
    if (reading.isBlank) continue;
    if (count > 0 && count < WORDS_MAX) WORDS[count++] = MARKS.line;
    count = addLine(reading, count);
    if (count >= WORDS_MAX) return count;
  }
  return count;
}

function addLine({ line, prices, dates }: LineReading, from: number): number {
  const { tokens, starts, claims } = line;
  let count = from;
  let [price, date] = [0, 0];
  let last = 0;
  for (let at = 0; at < tokens.length && count < WORDS_MAX; at += 1) {
    while ((prices[price]?.to ?? at + 1) <= at) price += 1;
    while ((dates[date]?.to ?? at + 1) <= at) date += 1;
    let word: number;
    if ((prices[price]?.from ?? tokens.length) <= at) {
      word = MARKS.price;
      at = (prices[price]?.to ?? at + 1) - 1;
    } else if ((dates[date]?.from ?? tokens.length) <= at) {
      word = MARKS.date;
      at = (dates[date]?.to ?? at + 1) - 1;
    } else if (claims[at] === "reference") {
      word = MARKS.reference;
      while (claims[at + 1] === "reference") at += 1;
    } else {
      const meaning = starts[at]?.meaning;
      if (meaning?.kind === "brand" || meaning?.kind === "model") {
        word = meaning.kind === "brand" ? MARKS.house : MARKS.model;
        at = (starts[at]?.to ?? at + 1) - 1;
      } else word = hashToken(tokens[at]);
    }
    if (word === last && isMark(word)) continue;
    WORDS[count] = word;
    last = word;
    count += 1;
  }
  return count;
}

function isMark(word: number): boolean {
  return (
    word === MARKS.price || word === MARKS.date || word === MARKS.house || word === MARKS.model
  );
}

/** Scripts without spaces have runs of many words: their beginning says most. */
const RUN_MAX = 6;
const RUN = /^[\u0E00-\u0E7F\u3040-\u30FF\u3400-\u9FFF]/;

function hashToken(token: Token | undefined): number {
  if (token === undefined) return 0;
  const { kind, word, text, isGlued } = token;
  if (kind === "digits") return (isGlued ? GLUED_DIGITS : DIGITS)[Math.min(9, text.length)] ?? 0;
  return hashText(kind === "letters" && RUN.test(word) ? word.slice(0, RUN_MAX) : word);
}
