/**
 * Finds known phrases in a line: brands, models, conditions, currencies and other words with a meaning.
 *
 * Idea: all phrases are in one trie of words. At each token the longest phrase wins, then the search goes on after it.
 * So an exception is simply a longer phrase: "new card" beats "new", "white gold" beats "white".
 * Invariant: matches are in line order and do not overlap.
 *
 * Example: "used like new, white gold" gives condition LIKE_NEW ("used like new") and metal ("white gold").
 */
import type { Meaning, PhraseNode } from "../text/meaning.ts";
import {
  type ListedPhrase,
  PLAIN_SPELLING,
  type Spelling,
  type Token,
  type WordFacts,
} from "../text/token.ts";
import { tokenize } from "../text/tokenize.ts";
import { joinPhrases, OPENING_CLASSES } from "./joined-phrases.ts";
import { classesByWord, listClasses, type WordFiles } from "./words.ts";

/** A phrase found in a line: tokens `from` up to but not including `to`. */
export interface PhraseMatch {
  readonly from: number;
  readonly to: number;
  readonly meaning: Meaning;
}

export interface Phrase {
  readonly words: string;
  readonly meaning: Meaning;
}

export interface Lexicon {
  /** The phrases that start with a number or a sign. The others are found by the facts of their first word. */
  readonly numbered: ReadonlyMap<string, PhraseNode>;
  /** By their first word: phrases that count only in a text that says that it is about a watch. */
  readonly ordinary: ReadonlyMap<string, PhraseNode>;
  readonly vocabulary: ReadonlySet<string>;
  readonly spelling: Spelling;
  /** Dials that come after the colour, so that "ombre green" and "green ombre" are the same. */
  readonly dialStyles: ReadonlySet<string>;
}

/** The kinds with single words that joined phrases are made of. Their spelling is known too. */
const SPELLED_KINDS = ["grammar", "piece", "thing"] as const;

/** If two phrases have the same words, the later one wins. A dealer's own file comes last. */
export function buildLexicon(
  words: WordFiles,
  phrases: readonly Phrase[],
  ordinary: readonly Phrase[] = [],
): Lexicon {
  const root: PhraseNode = { next: new Map() };
  const vocabulary = new Set<string>();
  for (const phrase of phrases) for (const word of addPhrase(root, phrase)) vocabulary.add(word);
  const ordinaryRoot: PhraseNode = { next: new Map() };
  for (const phrase of ordinary) addPhrase(ordinaryRoot, phrase);
  for (const kind of SPELLED_KINDS)
    for (const [, listed] of listClasses(words, kind))
      for (const word of listed) vocabulary.add(word);
  const spelling = {
    respell: makeRespell(vocabulary),
    isWord: (word: string) => vocabulary.has(word),
    joins: (first: string, second: string) => joinsPhrases(root, first, second),
    seen: new Map<string, WordFacts>(),
    facts: collectFacts(words, { root, vocabulary }),
    signLetters: listSignLetters(words),
  };
  const dialStyles = new Set(Object.fromEntries(listClasses(words, "material"))["dial_style"]);
  const numbered = new Map([...root.next].filter(([word]) => !/^\p{Letter}/u.test(word)));
  return { numbered, ordinary: ordinaryRoot.next, vocabulary, spelling, dialStyles };
}

/** Returns the words of the phrase that are letters. */
function addPhrase(root: PhraseNode, { words, meaning }: Phrase): readonly string[] {
  const letters: string[] = [];
  let node = root;
  for (const token of tokenize(words, PLAIN_SPELLING)) {
    if (isIgnoredSymbol(token)) continue;
    if (token.kind === "letters") letters.push(token.word);
    let next = node.next.get(token.word);
    if (next === undefined) {
      next = { next: new Map() };
      node.next.set(token.word, next);
    }
    node = next;
  }
  if (node !== root) node.meaning = meaning;
  return letters;
}

/** Two words that are the start of a phrase ("like new"), or that each have a meaning ("black index"). */
function joinsPhrases({ next }: PhraseNode, first: string, second: string): boolean {
  const node = next.get(first);
  if (node === undefined) return false;
  return (
    node.next.has(second) || (node.meaning !== undefined && next.get(second)?.meaning !== undefined)
  );
}

function listSignLetters(words: WordFiles): ReadonlySet<string> {
  const codes = listClasses(words, "currency").flatMap(([, names]) => names);
  return new Set(codes.flatMap((code) => /^([a-z]{1,2})[$\u00A5]$/.exec(code)?.[1] ?? []));
}

/** What the lists say about each word: the phrases that start with it, and its classes. */
function collectFacts(
  words: WordFiles,
  { root, vocabulary }: { root: PhraseNode; vocabulary: ReadonlySet<string> },
): Map<string, WordFacts> {
  const classes = classesByWord(words);
  const listed = listByFirstWord(words);
  const facts = new Map<string, WordFacts>();
  const spoken = [...listed.values()].flatMap((phrases) => phrases.flatMap(({ rest }) => rest));
  for (const word of new Set([
    ...root.next.keys(),
    ...classes.keys(),
    ...listed.keys(),
    ...spoken,
  ])) {
    const own: readonly string[] = [...(classes.get(word) ?? [])];
    facts.set(word, {
      word,
      node: root.next.get(word),
      classes: own,
      listed: listed.get(word) ?? [],
      opensJoined: OPENING_CLASSES.some((name) => own.includes(name)),
      isSpelled: vocabulary.has(word),
    });
  }
  return facts;
}

/** Returns the phrases of talk and of requests by their first word. */
function listByFirstWord(words: WordFiles): Map<string, ListedPhrase[]> {
  const index = new Map<string, ListedPhrase[]>();
  for (const [list, phrases] of [...listClasses(words, "talk"), ...listClasses(words, "request")]) {
    for (const phrase of phrases) {
      const tokens = tokenize(phrase, PLAIN_SPELLING).filter(({ kind }) => kind !== "symbol");
      const [first = "", ...rest] = tokens.map(({ word }) => word);
      index.set(first, [...(index.get(first) ?? []), { list, rest }]);
    }
  }
  return index;
}

/**
 * Returns the longest phrase at each place, from left to right, without overlaps, and joins those that belong together. With
 * `isOfWatch` the names count too that are ordinary words elsewhere.
 */
export function findPhrases(
  tokens: readonly Token[],
  lexicon: Lexicon,
  isOfWatch = false,
): PhraseMatch[] {
  const phrases: PhraseMatch[] = [];
  let at = 0;
  while (at < tokens.length) {
    const first = tokens[at];
    const start =
      first?.kind === "letters" ? first.facts?.node : lexicon.numbered.get(first?.word ?? "");
    // Most words start no phrase.
    const known = start === undefined ? undefined : longestPhrase(tokens, at, start);
    const phrase = isOfWatch ? orOrdinary(known, tokens, at, lexicon) : known;
    if (phrase === undefined) {
      at += 1;
    } else {
      phrases.push(phrase);
      at = phrase.to;
    }
  }
  return joinPhrases(tokens, phrases);
}

/** The longer phrase counts, unless the known one names a watch. */
function orOrdinary(
  known: PhraseMatch | undefined,
  tokens: readonly Token[],
  at: number,
  { ordinary }: Lexicon,
): PhraseMatch | undefined {
  if (known?.meaning.kind === "brand" || known?.meaning.kind === "model") return known;
  const start = ordinary.get(tokens[at]?.word ?? "");
  const name = start === undefined ? undefined : longestPhrase(tokens, at, start);
  return name !== undefined && name.to >= (known?.to ?? 0) ? name : known;
}

function longestPhrase(
  tokens: readonly Token[],
  from: number,
  start: PhraseNode,
): PhraseMatch | undefined {
  let node: PhraseNode | undefined = start;
  let { meaning } = start;
  let to = from + 1;
  for (let at = to; at < tokens.length && node.next.size > 0; at += 1) {
    const token = tokens[at];
    if (token === undefined) break;
    if (isIgnoredSymbol(token)) {
      // A phrase does not span a pause: "new - card 2022" is not "new card".
      if (!joinsWords(tokens, at)) break;
      continue;
    }
    node = node.next.get(token.word);
    if (node === undefined) break;
    if (node.meaning === undefined) continue;
    meaning = node.meaning;
    to = at + 1;
  }
  return meaning === undefined ? undefined : { from, to, meaning };
}

function isIgnoredSymbol(token: Token): boolean {
  return token.word === "-" || token.word === "." || token.word === "'" || token.word === "_";
}

/** "pre-owned", "w.t.b.", "2. el": a symbol that touches the word before it and does not end a sentence. */
function joinsWords(tokens: readonly Token[], at: number): boolean {
  const [before, symbol, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (symbol?.isGlued !== true || next === undefined) return false;
  return next.isGlued || symbol.word === "-" || (symbol.word === "." && before?.kind === "digits");
}

/** Shorter words look like too many others: "ow" and "0w" must stay different. */
const RESPELL_MIN = 3;

/** The same for a word of letters only: "biack" is black, but "poll" is not "poli". */
const LETTERS_RESPELL_MIN = 5;

function makeRespell(vocabulary: ReadonlySet<string>): (odd: string) => string | undefined {
  const byLetters = new Map<string, string>();
  for (const word of vocabulary) {
    if (word.length >= RESPELL_MIN) byLetters.set(replaceLookAlikes(word), word);
  }
  return (odd) => {
    if (odd.length < RESPELL_MIN || vocabulary.has(odd)) return undefined;
    if (odd.length < LETTERS_RESPELL_MIN && /^\p{Letter}+$/u.test(odd)) return undefined;
    return byLetters.get(replaceLookAlikes(odd));
  };
}

const LOOK_ALIKES: ReadonlyMap<string, string> = new Map([
  ["0", "o"],
  ["1", "l"],
  ["i", "l"],
  ["3", "e"],
  ["4", "a"],
  ["@", "a"],
  ["5", "s"],
  ["$", "s"],
]);

function replaceLookAlikes(word: string): string {
  let out = "";
  for (const character of word) out += LOOK_ALIKES.get(character) ?? character;
  return out;
}
