/**
 * Houses that the catalogue lacks, in a text that says that it is about a watch: "[WTS] Tsikolia Pocket Automatic 38mm".
 *
 * Idea: the first word with a capital letter that no list knows is the house, as it is written. What follows is read as behind any
 * other house.
 */
import { isSign, type Token } from "../text/token.ts";
import type { PhraseMatch } from "../words/lexicon.ts";
import { classSet, isA, isOneOf, isPart } from "../words/words.ts";

/** Adds the house that the line names, if neither it nor a line above names one. */
export function withHouse(
  phrases: PhraseMatch[],
  tokens: readonly Token[],
  brandsAbove: ReadonlySet<string>,
): PhraseMatch[] {
  if (brandsAbove.size > 0 || phrases.some(namesHouse)) return phrases;
  if (
    !tokens.some((token, at) => isWatchWord(tokens, token, at)) &&
    !opensWithMark(tokens, phrases)
  )
    return phrases;
  const house = findHouse(tokens, phrases);
  if (house === undefined) return phrases;
  const at = phrases.findIndex(({ from }) => from >= house.to);
  return at === -1 ? [...phrases, house] : phrases.toSpliced(at, 0, house);
}

function namesHouse({ meaning }: PhraseMatch): boolean {
  return meaning.kind === "brand" || meaning.kind === "model";
}

/** "[WTS]": such a mark opens the posts of places for watches. */
function opensWithMark(tokens: readonly Token[], phrases: readonly PhraseMatch[]): boolean {
  const [first] = phrases;
  return first?.meaning.kind === "side" && first.from === 1 && isSign(tokens[0], "[(");
}

/** "Watch", "automatic", "38mm", "cal. 8500". */
export function isWatchWord(tokens: readonly Token[], token: Token, at: number): boolean {
  if (token.kind === "digits") return isSize(token, tokens[at + 1]);
  return isA(token, "watch", "watch_kind");
}

/** A watch is as wide as this, in millimetres. */
function isSize({ text }: Token, unit: Token | undefined): boolean {
  return unit?.word === "mm" && /^(?:2[2-9]|3\d|4\d|5[0-5])$/.test(text);
}

/** A house stands near the start of its line. The bound keeps the work linear. */
const SEARCHED_MAX = 16;

function findHouse(
  tokens: readonly Token[],
  phrases: readonly PhraseMatch[],
): PhraseMatch | undefined {
  let next = 0;
  for (let at = 0; at < Math.min(tokens.length, SEARCHED_MAX); at += 1) {
    while ((phrases[next]?.to ?? at + 1) <= at) next += 1;
    const phrase = phrases[next];
    if (phrase !== undefined && phrase.from <= at) continue;
    const token = tokens[at];
    if (
      token?.kind !== "letters" ||
      !isName(token) ||
      (tokens[at + 1]?.isGlued === true && tokens[at + 1]?.kind === "digits")
    )
      continue;
    const to = endOfName(tokens, at);
    const brand = tokens
      .slice(at, to)
      .map(({ text, isGlued }, index) => (index > 0 && !isGlued ? ` ${text}` : text))
      .join("");
    return { from: at, to, meaning: { kind: "brand", brand, isWritten: true } };
  }
  return undefined;
}

/** "Mc-Gregor", "Baume&Rolland". */
function endOfName(tokens: readonly Token[], from: number): number {
  let to = from + 1;
  while (
    isSign(tokens[to], "-&'") &&
    tokens[to]?.isGlued === true &&
    tokens[to + 1]?.isGlued === true
  )
    to += 2;
  return to;
}

const NO_NAMES = classSet(
  "generic",
  "watch",
  "watch_kind",
  "in_titles",
  "sentence",
  "the",
  "a",
  "my",
  "own",
  "only",
  "and",
  "or",
  "for",
  "from",
  "with",
  "no",
  "all",
  "about",
  "accessory",
  "gift",
  "news",
);

/** Katakana, or a word of another script that opens with a capital letter. */
function isName(token: Token): boolean {
  const { text } = token;
  if (text.length < 2 || isPart(token) || isOneOf(token, NO_NAMES)) return false;
  return NAME.test(text);
}

const NAME = /^(?:\p{Lu}[\p{L}]+|[\u30A1-\u30FA\u30FC]{2,})$/u;
