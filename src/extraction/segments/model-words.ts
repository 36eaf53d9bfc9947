import type { Line } from "../lines/line.ts";
import type { LinePart } from "../lines/line-reading.ts";
import { isSign, type Span, type Token, within } from "../text/token.ts";
import { classSet, isA, isOneOf } from "../words/words.ts";

/** The words behind a brand that name a model which the catalogue does not have. */
interface ModelWords {
  readonly brand: string;
  readonly text: string;
  readonly part: LinePart;
  readonly from: number;
  readonly to: number;
}

/** "Passage de Drake" has three words. More are a description. */
const WORDS_MAX = 4;

/** Returns the words right behind the first brand of the parts: "Antarctique Passage de Drake" behind "Czapek". */
export function findModelWords(parts: readonly LinePart[]): ModelWords | undefined {
  for (const part of parts) {
    const { line } = part.reading;
    for (const { meaning, to: from } of within(line.phrases, part)) {
      if (meaning.kind !== "brand") continue;
      const to = endOfModelWords(line, from, meaning.brand);
      if (to === from) continue;
      const start = line.tokens[from]?.start ?? 0;
      const text = line.source.text.slice(start, line.tokens[to - 1]?.end ?? start);
      return { brand: meaning.brand, text, part, from, to };
    }
  }
  return undefined;
}

function endOfModelWords(line: Line, from: number, brand: string): number {
  let to = from;
  let wordCount = 0;
  while (to < line.tokens.length && wordCount < WORDS_MAX) {
    const token = line.tokens[to];
    if (token === undefined) break;
    // "L'heure", "Tank-Louis": a sign inside a word.
    if (to > from && isSign(token, "'-") && isInsideWord(line, to)) {
      to += 1;
      continue;
    }
    if (!isModelWord(line, to, brand) || (to === from && isNoName(token))) break;
    to += 1;
    wordCount += 1;
  }
  while (to > from && isA(line.tokens[to - 1], "sentence")) to -= 1;
  return to;
}

function isInsideWord(line: Line, at: number): boolean {
  return line.tokens[at]?.isGlued === true && line.tokens[at + 1]?.isGlued === true;
}

function isNoName(token: Token): boolean {
  // "Louis Erard x Alain Silberstein".
  return token.word !== "x" && (isA(token, "sentence") || token.word.length < 2);
}

/** A word that no list knows, or that is the model of another brand: "Bremont GMT". Its number can be glued to it. */
function isModelWord(line: Line, at: number, brand: string): boolean {
  const token = line.tokens[at];
  if (token?.kind === "digits") {
    if (token.isGlued) return token.text.length <= 3;
    // "Voutilainen 28ti", "Sinn 104".
    const isNamed = line.tokens[at + 1]?.isGlued === true || token.text.length === 3;
    return line.claims[at] === undefined && /^\d{2,3}$/.test(token.text) && isNamed;
  }
  if (token?.kind !== "letters" || isOneOf(token, GENERIC)) return false;
  if (token.word === "x") return true;
  const meaning = line.starts[at]?.meaning;
  if (meaning === undefined) return (lastFrom(line, at)?.to ?? 0) <= at;
  return meaning.kind === "model" && meaning.brand !== brand;
}

/** Returns the phrase that starts last before the token. */
function lastFrom(line: Line, at: number): Span | undefined {
  return line.starts
    .slice(Math.max(0, at - WORDS_MAX), at)
    .findLast((phrase) => phrase !== undefined);
}

/** Words behind a brand that name no model. */
const GENERIC = classSet("generic", "watch", "only", "and", "or", "for", "from", "with", "no");
