/**
 * Typed words as a line of tokens, read like a line of a message, and the pieces of it that became chips.
 *
 * Idea: the extraction already knows what dealers write, so a query is read by it. What only a query has, such as "since" or
 * the name of a country, is data of this folder. Each rule takes tokens that no other rule has taken.
 * Invariant: no token belongs to two pieces.
 */
import type { Catalogue } from "../../extraction/catalogue/catalogue.ts";
import type { MessageDate } from "../../extraction/extraction.ts";
import { analyzeLine } from "../../extraction/lines/line.ts";
import type { LineReading } from "../../extraction/lines/line-reading.ts";
import { readNumbers } from "../../extraction/lines/numbers.ts";
import { toNormalLine } from "../../extraction/text/normalize.ts";
import { makeSpanFinder, type TextSpan } from "../../extraction/text/text-spans.ts";
import { foldLetters, PLAIN_SPELLING, type Span, type Token } from "../../extraction/text/token.ts";
import { tokenize } from "../../extraction/text/tokenize.ts";
import { isA, isOneOf, listWords } from "../../extraction/words/words.ts";
import queryWords from "./query-words.json" with { type: "json" };

/** Characters of a query. A box has one line, and nobody types more. */
export const QUERY_LENGTH_MAX = 500;

export interface TypedLine {
  readonly reading: LineReading;
  readonly catalogue: Catalogue;
  /** By token: true if a piece has it. */
  readonly isTaken: boolean[];
  /** Where tokens are in the text, in UTF-16 units. */
  readonly spanOf: (tokens: Span) => TextSpan;
}

/** Tokens that become a chip: what the chip adds to a member of the filter, and how it reads. */
export interface Piece extends Span {
  readonly member: string;
  readonly value: unknown;
  readonly label: string;
}

export function readTypedLine(
  text: string,
  { catalogue, today }: { readonly catalogue: Catalogue; readonly today: MessageDate },
): TypedLine {
  const written = toOneLine(text);
  const source = toNormalLine(written, 0);
  const line = analyzeLine(source, catalogue, { brands: new Set(), hasReference: false });
  const reading = { line, ...readNumbers(line, today), isBlank: false, isTalk: false };
  const findSpans = makeSpanFinder(written);
  return {
    reading,
    catalogue,
    isTaken: line.tokens.map(() => false),
    spanOf: ({ from, to }) => {
      const start = line.tokens[from]?.start ?? 0;
      const end = line.tokens[to - 1]?.end ?? start;
      const [span] = findSpans([{ line: 0, start, end }]);
      return span ?? { start: 0, end: 0 };
    },
  };
}

/** Blanks for line breaks, and for what PostgreSQL cannot store. Every character keeps its place. */
export function toOneLine(text: string): string {
  return text.replace(UNREADABLE, " ");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for U+0000.
const UNREADABLE = /[\u0000\n\r\u0085\u2028\u2029]|\p{Surrogate}/gu;

export function isFreeSpan({ isTaken }: TypedLine, { from, to }: Span): boolean {
  return from >= 0 && to <= isTaken.length && !isTaken.slice(from, to).includes(true);
}

export function take({ isTaken }: TypedLine, { from, to }: Span): void {
  isTaken.fill(true, from, to);
}

export type QueryClass = keyof typeof queryWords;

/** By the first word: the words behind it. Longer phrases come first. */
const QUERY_PHRASES = indexPhrases(
  Object.entries(queryWords).flatMap(([name, languages]) =>
    listWords(languages).map((words) => ({ words, value: name as QueryClass })),
  ),
);

/** Returns the phrase of one of these classes that starts at the token. */
export function queryPhraseAt(
  tokens: readonly Token[],
  at: number,
  names: readonly QueryClass[],
): (Span & { readonly value: QueryClass }) | undefined {
  return findPhraseAt(tokens, at, QUERY_PHRASES, (name) => names.includes(name));
}

/** Words that no class of a query can have: "1 - 2" has more tokens than any phrase. */
const PHRASE_TOKENS_MAX = 4;

/** Returns the phrase of one of these classes that ends right before the token. */
export function queryPhraseBefore(
  tokens: readonly Token[],
  at: number,
  names: readonly QueryClass[],
): (Span & { readonly value: QueryClass }) | undefined {
  for (let from = Math.max(0, at - PHRASE_TOKENS_MAX); from < at; from += 1) {
    const found = queryPhraseAt(tokens, from, names);
    if (found?.to === at) return found;
  }
  return undefined;
}

/** "or more": what stands behind its number, and never before one. */
const BEHIND_ONLY: readonly QueryClass[] = ["or_more", "or_less"];

/** Returns the phrase of one of these classes, or of those that stand behind only, right behind a number that ends at the token. */
export function queryPhraseBehind(
  tokens: readonly Token[],
  at: number,
  names: readonly QueryClass[],
): (Span & { readonly value: QueryClass }) | undefined {
  const found = queryPhraseAt(tokens, at, [...BEHIND_ONLY, ...names]);
  // In "2024 ab 29k" the word belongs to the number behind it.
  const isOfNext = found !== undefined && tokens[found.to]?.kind === "digits";
  return isOfNext && !BEHIND_ONLY.includes(found.value) ? undefined : found;
}

interface IndexedPhrase<Value> {
  readonly rest: readonly string[];
  readonly value: Value;
}

export type PhraseIndex<Value> = ReadonlyMap<string, readonly IndexedPhrase<Value>[]>;

export function indexPhrases<Value>(
  phrases: readonly { readonly words: string; readonly value: Value }[],
): PhraseIndex<Value> {
  const index = new Map<string, IndexedPhrase<Value>[]>();
  for (const { words, value } of phrases) {
    const [first = "", ...rest] = tokenize(foldLetters(words), PLAIN_SPELLING).map(
      ({ word }) => word,
    );
    index.set(first, [...(index.get(first) ?? []), { rest, value }]);
  }
  for (const [first, list] of index)
    index.set(
      first,
      list.toSorted((a, b) => b.rest.length - a.rest.length),
    );
  return index;
}

/** Returns the longest phrase at the token with a value that counts. */
export function findPhraseAt<Value>(
  tokens: readonly Token[],
  at: number,
  index: PhraseIndex<Value>,
  counts: (value: Value) => boolean = () => true,
): (Span & { readonly value: Value }) | undefined {
  for (const { rest, value } of index.get(wordOf(tokens[at])) ?? []) {
    if (!counts(value)) continue;
    if (!rest.every((word, behind) => wordOf(tokens[at + 1 + behind]) === word)) continue;
    return { from: at, to: at + 1 + rest.length, value };
  }
  return undefined;
}

/** As it is written: the extraction corrects the spelling of "de" to another word. */
function wordOf(token: Token | undefined): string {
  return token === undefined ? "" : foldLetters(token.text);
}

const LINKING_CLASSES: ReadonlySet<string> = new Set([
  "sentence",
  "the",
  "a",
  "and",
  "or",
  "with",
  "for",
  "from",
  "watch",
  "plea",
  "greeting",
  "offered_at",
  "price",
  "year",
]);

const PLACE_LINKS: ReadonlySet<string> = new Set(["the", "a", "from"]);
const PLACE_LINKS_MAX = 3;

/** Returns the "no" or the "not" of "no hk" and "not from the us": the word that leaves out what is named at the token. */
export function outsideBefore(tokens: readonly Token[], at: number): Span | undefined {
  for (let to = at; to >= at - PLACE_LINKS_MAX; to -= 1) {
    const found = queryPhraseBefore(tokens, to, ["outside"]);
    if (found !== undefined) return found;
    if (!isPlaceLink(tokens, to - 1)) return undefined;
  }
  return undefined;
}

/** Whether only words stand there that a place may have before it: "from the". */
export function isPlaceLink(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  return (
    token?.kind === "letters" &&
    (isOneOf(token, PLACE_LINKS) || queryPhraseAt(tokens, at, ["link", "at_least"])?.to === at + 1)
  );
}

/** Nothing follows, or a comma. */
export function endsWords(next: Token | undefined): boolean {
  return next === undefined || next.word === ",";
}

/** "hk or us", "hk, us", "hk/us". */
export function isPlaceJoint(token: Token | undefined): boolean {
  return isA(token, "or") || isA(token, "and") || token?.word === "/" || token?.word === ",";
}

/** A word that joins others, such as "from" or "with", and names nothing. No listing need have it. */
export function isLinkingWord(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (token?.kind !== "letters") return false;
  // Before anything but a country, "no" is a word like others.
  const found = findPhraseAt(tokens, at, QUERY_PHRASES, (name) => name !== "outside");
  return isOneOf(token, LINKING_CLASSES) || found !== undefined;
}
