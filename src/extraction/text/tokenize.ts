/**
 * Splits a line into tokens. A token is a run of digits, a run of letters, or one symbol.
 *
 * Dealers write words, numbers and units together in any order ("used2021", "24y1.3m"). So a run ends wherever digits
 * meet letters, and `isGlued` records that no space was there. Words with odd spelling are replaced by the word that the
 * word lists know ("n3w" and "n 3 w" become "new"), and words glued at capitals are separated ("GreenRoma").
 * Invariant: tokens are in text order, do not overlap, and leave out only spaces.
 *
 * Example: "new2021 1.3m" becomes new, 2021 (glued), 1, . (glued), 3 (glued), m (glued).
 */
import { copyText } from "../../base/text.ts";
import { foldLetters, type Spelling, type Token } from "./token.ts";

/** What a character can be part of: a run of digits, a run of letters, or a symbol of its own. */
const DIGIT = 1;
const LETTER = 2;
const IDEOGRAPH = 3;
const SPACE = 4;
const SYMBOL = 5;

/** The kinds of the ASCII characters, because nearly all characters are ASCII and every one is looked up. */
const ASCII_KINDS = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (character === " ") return SPACE;
  if (/\d/.test(character)) return DIGIT;
  return /[a-z]/i.test(character) ? LETTER : SYMBOL;
});

/** By far the most frequent characters that are not ASCII: what `normalize.ts` makes of decorations, and the euro. */
const BULLET = 0x2022;
const EURO = 0x20ac;

/** The longest disguised word to look for. The longest words of the lists have about this length. */
const DISGUISE_MAX = 16;

/** Two single letters can be anything: "U S", "A P". */
const SPACED_MIN = 3;

/** Dealers write the words of the lists in a few ways. The bound stops hostile text from filling the memory. */
const SEEN_MAX = 20_000;

export function tokenize(text: string, spelling: Spelling): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let isGlued = false;
  while (at < text.length) {
    const kind = kindAt(text, at);
    if (kind === SPACE) {
      isGlued = false;
      at += 1;
      continue;
    }
    const end = endOfRun(text, at, kind);
    const slice = text.slice(at, end);
    const isLetters = kind === LETTER || kind === IDEOGRAPH;
    const known = isLetters ? spelling.seen.get(slice) : undefined;
    const run: Token = {
      kind: isLetters ? "letters" : kind === DIGIT ? "digits" : "symbol",
      text: slice,
      word: known?.word ?? (isLetters ? foldLetters(slice) : slice),
      start: at,
      end,
      isGlued,
      facts: known,
    };
    const token =
      !isGlued && kind !== SYMBOL && canBeDisguised(text, at, end)
        ? (readDisguisedWord(text, at, spelling) ?? run)
        : run;
    if (token.kind !== "letters" || (token === run && known !== undefined)) tokens.push(token);
    else addWord(tokens, { token, text }, spelling);
    at = token.end;
    isGlued = true;
  }
  return tokens;
}

/** Adds a word, or the words that are written together in it. */
function addWord(
  tokens: Token[],
  { token, text }: { readonly token: Token; readonly text: string },
  spelling: Spelling,
): void {
  if (isKnownWord(token, spelling)) tokens.push(withFacts(token, spelling));
  else if (isWordBeforeNewDate(token, text, spelling))
    for (const part of splitTokenAt(token, token.word.length - 1))
      tokens.push(withFacts(part, spelling));
  else
    for (const part of splitLetters(token, tokens.at(-1), spelling))
      tokens.push(withFacts(part, spelling));
}

/** Written out, because a spread is slow. */
function withFacts(token: Token, { facts }: Spelling): Token {
  const known = facts.get(token.word);
  if (known === token.facts) return token;
  const { kind, text, word, start, end, isGlued } = token;
  return { kind, text, word, start, end, isGlued, facts: known };
}

/** A word that was seen before is the same string again, which makes every later look-up of it faster. */
function isKnownWord({ text, word }: Token, { isWord, seen, facts }: Spelling): boolean {
  const known = facts.get(word);
  if (known === undefined) return isWord(word);
  if (seen.size < SEEN_MAX) seen.set(copyText(text), known);
  return true;
}

/** Chinese is written without spaces. Each ideograph is a token, and phrases span several tokens. */
function endOfRun(text: string, at: number, kind: number): number {
  let end = at + characterLength(text, at);
  if (kind !== DIGIT && kind !== LETTER) return end;
  while (end < text.length && kindAt(text, end) === kind) end += characterLength(text, end);
  return kind === DIGIT && end - at > 4 ? endOfGluedYear(text, at, end) : end;
}

const GLUED_YEAR = /^(?:19|20)\d\d\d{1,2}[.,]\d{1,3}[km]/i;

/** "20212.35m": a year that is glued to an amount with a unit ends behind its fourth digit. */
function endOfGluedYear(text: string, at: number, end: number): number {
  const isGlued =
    end - at <= 6 && /[.,]/.test(text[end] ?? "") && GLUED_YEAR.test(text.slice(at, at + 12));
  return isGlued ? at + 4 : end;
}

function splitLetters(token: Token, before: Token | undefined, spelling: Spelling): Token[] {
  const isAfterDigits = token.isGlued && before?.kind === "digits";
  const unit = isAfterDigits ? (splitKorean(token) ?? splitUnit(token, spelling)) : undefined;
  return (
    unit ??
    splitAtCapitals(token, spelling) ??
    splitInTwo(token, spelling) ?? [correctSpelling(token, spelling.respell)]
  );
}

/** "blueN6/26": a known word is glued to the N of a date. */
function isWordBeforeNewDate(token: Token, text: string, spelling: Spelling): boolean {
  if (!token.word.endsWith("n") || token.word.length !== token.text.length) return false;
  return (
    /^\d{1,2}(?!\d)/.test(text.slice(token.end, token.end + 3)) &&
    spelling.isWord(token.word.slice(0, -1))
  );
}

/** "1.14mhkd", "126kN6", "16.5ku": splits a unit from the word that is glued to it. */
function splitUnit(token: Token, spelling: Spelling): Token[] | undefined {
  const rest = token.word.slice(1);
  const isWord =
    rest === "n" ||
    rest === "u" ||
    spelling.signLetters.has(rest) ||
    (rest.length > 1 && spelling.isWord(rest));
  return /^[km]/.test(token.word) && isWord ? splitTokenAt(token, 1) : undefined;
}

/** "1,720\uB9CC\uC6D0": ten thousand, and the currency. Its folded letters are more than the written ones. */
function splitKorean(token: Token): Token[] | undefined {
  if (!token.text.startsWith("\uB9CC") || token.text.length === 1) return undefined;
  const middle = token.start + 1;
  const [first, rest] = [token.text.slice(0, 1), token.text.slice(1)];
  return [
    { ...token, text: first, word: foldLetters(first), end: middle },
    { ...token, text: rest, word: foldLetters(rest), start: middle, isGlued: true },
  ];
}

/** The shortest words to look for in a glued pair: "new", "set". */
const GLUED_WORD_MIN = 3;

/** "likenew", "blackind": splits two known words that are written as one. A single way to split it must exist. */
function splitInTwo(token: Token, spelling: Spelling): Token[] | undefined {
  const { word } = token;
  if (word.length < 2 * GLUED_WORD_MIN || word.length > DISGUISE_MAX) return undefined;
  if (word.length !== token.text.length) return undefined;
  let found: number | undefined;
  for (let middle = GLUED_WORD_MIN; middle <= word.length - GLUED_WORD_MIN; middle += 1) {
    if (!spelling.joins(word.slice(0, middle), word.slice(middle))) continue;
    if (found !== undefined) return undefined;
    found = middle;
  }
  return found === undefined ? undefined : splitTokenAt(token, found);
}

function splitTokenAt(token: Token, length: number): Token[] {
  const middle = token.start + length;
  const [first, rest] = [token.text.slice(0, length), token.text.slice(length)];
  return [
    { ...token, text: first, word: token.word.slice(0, length), end: middle },
    { ...token, text: rest, word: token.word.slice(length), start: middle, isGlued: true },
  ];
}

/** "GreenRoma", "LikeNew": splits at the capitals if every piece is a known word. */
function splitAtCapitals(token: Token, spelling: Spelling): Token[] | undefined {
  const parts = token.text.match(/\p{Uppercase}?\p{Lowercase}+/gu) ?? [];
  if (parts.length < 2 || parts.join("").length !== token.text.length) return undefined;
  if (!parts.every((part) => spelling.isWord(foldLetters(part)))) return undefined;
  let start = token.start;
  return parts.map((text, index) => {
    const part = {
      ...token,
      text,
      word: foldLetters(text),
      start,
      end: start + text.length,
      isGlued: index > 0 || token.isGlued,
    };
    start += text.length;
    return part;
  });
}

function correctSpelling(token: Token, respell: Spelling["respell"]): Token {
  const word = respell(token.word);
  return word === undefined || word === token.word ? token : { ...token, word };
}

/** Most words end at a space, so they need no second look: a disguise goes on behind its first run, or is one character. */
function canBeDisguised(text: string, start: number, end: number): boolean {
  if (end - start === 1) return true;
  const next = end < text.length ? kindAt(text, end) : SPACE;
  return next === LETTER || next === DIGIT || isLookAlikeSign(text[end]);
}

function isLookAlikeSign(character: string | undefined): boolean {
  return character === "@" || character === "$";
}

/** "n3w", "s3t", "t@g", "n 3 w": a word with look-alike characters in it, between spaces. */
function readDisguisedWord(text: string, at: number, spelling: Spelling): Token | undefined {
  let end = at;
  let letterCount = 0;
  let otherCount = 0;
  while (end < text.length && end - at <= DISGUISE_MAX) {
    const kind = kindAt(text, end);
    if (kind === LETTER) letterCount += 1;
    else if (kind === DIGIT || isLookAlikeSign(text[end])) otherCount += 1;
    else break;
    end += 1;
  }
  if (end - at === 1 && letterCount === 1) return readSpacedWord(text, at, spelling);
  if (letterCount < 2 || otherCount === 0 || otherCount > letterCount) return undefined;
  const slice = text.slice(at, end);
  // "HKD5.1m" and "set2": a known word with a number behind it is no disguise.
  const plain = /^[a-z]+(?=\d+$)/i.exec(slice)?.[0];
  if (plain !== undefined && spelling.isWord(plain.toLowerCase())) return undefined;
  const word = spelling.respell(foldLetters(slice));
  return word === undefined
    ? undefined
    : { kind: "letters", text: slice, word, start: at, end, isGlued: false, facts: undefined };
}

/** "n 3 w", "A U D E M A R S": three or more single characters with one space between them. The longest word wins. */
function readSpacedWord(text: string, at: number, spelling: Spelling): Token | undefined {
  let end = at + 1;
  let joined = text.slice(at, end);
  while (joined.length < DISGUISE_MAX && text[end] === " " && isSingleCharacter(text, end + 1)) {
    joined += text[end + 1];
    end += 2;
  }
  for (let length = joined.length; length >= SPACED_MIN; length -= 1) {
    const folded = foldLetters(joined.slice(0, length));
    const word = spelling.isWord(folded) ? folded : spelling.respell(folded);
    if (word === undefined) continue;
    const last = at + 2 * length - 1;
    return {
      kind: "letters",
      text: text.slice(at, last),
      word,
      start: at,
      end: last,
      isGlued: false,
      facts: undefined,
    };
  }
  return undefined;
}

function isSingleCharacter(text: string, at: number): boolean {
  const kind = kindAt(text, at);
  if (kind !== LETTER && kind !== DIGIT) return false;
  const next = at + 1 < text.length ? kindAt(text, at + 1) : SPACE;
  return next !== LETTER && next !== DIGIT;
}

/** Returns the kind of the character that starts at `at`. */
function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 0x80) return ASCII_KINDS[code] ?? SYMBOL;
  if (Number.isNaN(code) || code === BULLET || code === EURO) return SYMBOL;
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(character)) return IDEOGRAPH;
  return /\p{Letter}|\p{Mark}/u.test(character) ? LETTER : SYMBOL;
}

function characterLength(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code <= 0xdbff && at + 1 < text.length ? 2 : 1;
}
