import { DIGIT, kindAt, LETTER, SPACE } from "./character-kind.ts";
import { foldLetters, type Spelling, type Token } from "./token.ts";

/** The longest disguised word to look for. The longest words of the lists have about this length. */
export const DISGUISE_MAX = 16;

/** Most words end at a space, so they need no second look: a disguise goes on behind its first run, or is one character. */
export function canBeDisguised(text: string, start: number, end: number): boolean {
  if (end - start === 1) return true;
  const next = end < text.length ? kindAt(text, end) : SPACE;
  return next === LETTER || next === DIGIT || isLookAlikeSign(text[end]);
}

function isLookAlikeSign(character: string | undefined): boolean {
  return character === "@" || character === "$";
}

/** "n3w", "s3t", "t@g", "n 3 w": a word with look-alike characters in it, between spaces. */
export function readDisguisedWord(text: string, at: number, spelling: Spelling): Token | undefined {
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

/** Two single letters can be anything: "U S", "A P". */
const SPACED_MIN = 3;

function isSingleCharacter(text: string, at: number): boolean {
  const kind = kindAt(text, at);
  if (kind !== LETTER && kind !== DIGIT) return false;
  const next = at + 1 < text.length ? kindAt(text, at + 1) : SPACE;
  return next !== LETTER && next !== DIGIT;
}
