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
import { PLAIN_SPELLING, type Spelling, type Token, type WordFacts } from "../text/token.ts";
import { tokenize } from "../text/tokenize.ts";
import { joinPhrases, OPENING_CLASSES } from "./joined-phrases.ts";
import {
  classesByWord,
  listClasses,
  type RequestClass,
  type TalkClass,
  type WordFiles,
} from "./words.ts";

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
  readonly root: PhraseNode;
  readonly vocabulary: ReadonlySet<string>;
  readonly spelling: Spelling;
  readonly findTalk: PhraseFinder<TalkClass>;
  readonly findRequest: PhraseFinder<RequestClass>;
  /** Dials that come after the colour, so that "ombre green" and "green ombre" are the same. */
  readonly dialStyles: ReadonlySet<string>;
}

/** The kinds with single words that joined phrases are made of. Their spelling is known too. */
const SPELLED_KINDS = ["grammar", "piece", "thing"] as const;

/** If two phrases have the same words, the later one wins. A dealer's own file comes last. */
export function buildLexicon(words: WordFiles, phrases: readonly Phrase[]): Lexicon {
  const root: PhraseNode = { next: new Map() };
  const vocabulary = new Set<string>();
  for (const phrase of phrases) {
    let node = root;
    for (const token of tokenize(phrase.words, PLAIN_SPELLING)) {
      if (isIgnoredSymbol(token)) continue;
      if (token.kind === "letters") vocabulary.add(token.word);
      let next = node.next.get(token.word);
      if (next === undefined) {
        next = { next: new Map() };
        node.next.set(token.word, next);
      }
      node = next;
    }
    if (node !== root) node.meaning = phrase.meaning;
  }
  for (const kind of SPELLED_KINDS)
    for (const [, listed] of listClasses(words, kind))
      for (const word of listed) vocabulary.add(word);
  const spelling = {
    respell: makeRespell(vocabulary),
    isWord: (word: string) => vocabulary.has(word),
    seen: new Map<string, WordFacts>(),
    facts: collectFacts(words, root),
  };
  const findTalk = makePhraseFinder<TalkClass>(listClasses(words, "talk"));
  const findRequest = makePhraseFinder<RequestClass>(listClasses(words, "request"));
  const dialStyles = new Set(Object.fromEntries(listClasses(words, "material"))["dial_style"]);
  return { root, vocabulary, spelling, findTalk, findRequest, dialStyles };
}

/** What the lists say about each word: the phrases that start with it, and its classes. */
function collectFacts(words: WordFiles, root: PhraseNode): Map<string, WordFacts> {
  const facts = new Map<string, WordFacts>();
  const classes = classesByWord(words);
  for (const word of new Set([...root.next.keys(), ...classes.keys()])) {
    const node = root.next.get(word);
    const own: ReadonlySet<string> = classes.get(word) ?? NO_CLASSES;
    const opensJoined = OPENING_CLASSES.some((name) => own.has(name));
    facts.set(word, { word, node, classes: own, opensJoined });
  }
  return facts;
}

const NO_CLASSES: ReadonlySet<string> = new Set();

/** Returns the longest phrase at each place, from left to right, without overlaps, and joins those that belong together. */
export function findPhrases(tokens: readonly Token[], lexicon: Lexicon): PhraseMatch[] {
  const phrases: PhraseMatch[] = [];
  let at = 0;
  while (at < tokens.length) {
    const phrase = longestPhrase(tokens, at, lexicon.root);
    if (phrase === undefined) {
      at += 1;
    } else {
      phrases.push(phrase);
      at = phrase.to;
    }
  }
  return joinPhrases(tokens, phrases);
}

function longestPhrase(
  tokens: readonly Token[],
  from: number,
  root: PhraseNode,
): PhraseMatch | undefined {
  const first = tokens[from];
  const start = first?.kind === "letters" ? first.facts?.node : root.next.get(first?.word ?? "");
  // Most words start no phrase.
  if (start === undefined) return undefined;
  let node: PhraseNode | undefined = root;
  let found: PhraseMatch | undefined;
  let at = from;
  while (at < tokens.length) {
    const token = tokens[at];
    if (token === undefined) break;
    if (isIgnoredSymbol(token)) {
      // A phrase neither starts with a symbol nor spans a pause: "new - card 2022" is not "new card".
      if (at === from || !joinsWords(tokens, at)) break;
      at += 1;
      continue;
    }
    node = at === from ? start : node.next.get(token.word);
    if (node === undefined) break;
    at += 1;
    if (node.meaning !== undefined) found = { from, to: at, meaning: node.meaning };
  }
  return found;
}

function isIgnoredSymbol(token: Token): boolean {
  return token.word === "-" || token.word === "." || token.word === "'" || token.word === "_";
}

/** "pre-owned", "w.t.b.": a symbol that touches the word before it and does not end a sentence. */
function joinsWords(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1];
  return (
    tokens[at]?.isGlued === true && next !== undefined && (next.isGlued || tokens[at]?.word === "-")
  );
}

/** Shorter words look like too many others: "ow" and "0w" must stay different. */
const RESPELL_MIN = 3;

function makeRespell(vocabulary: ReadonlySet<string>): (odd: string) => string | undefined {
  const byLetters = new Map<string, string>();
  for (const word of vocabulary) {
    if (word.length >= RESPELL_MIN) byLetters.set(replaceLookAlikes(word), word);
  }
  return (odd) => {
    if (odd.length < RESPELL_MIN || vocabulary.has(odd)) return undefined;
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

/** Returns the classes with a phrase in the line. */
export type PhraseFinder<Name> = (tokens: readonly Token[]) => ReadonlySet<Name>;

interface ListedPhrase<Name> {
  readonly list: Name;
  /** The words behind the first one. */
  readonly rest: readonly string[];
}

export function makePhraseFinder<Name extends string>(
  classes: Iterable<readonly [name: string, words: readonly string[]]>,
): PhraseFinder<Name> {
  const byFirstWord = indexByFirstWord<Name>(classes);
  const none: ReadonlySet<Name> = new Set();
  return (tokens) => {
    let found: Set<Name> | undefined;
    for (let at = 0; at < tokens.length; at += 1) {
      const phrases = byFirstWord.get(tokens[at]?.word ?? "");
      if (phrases === undefined) continue;
      for (const { list, rest } of phrases) {
        if (follow(tokens, at + 1, rest)) found = (found ?? new Set()).add(list);
      }
    }
    return found ?? none;
  };
}

function indexByFirstWord<Name extends string>(
  classes: Iterable<readonly [name: string, words: readonly string[]]>,
): ReadonlyMap<string, readonly ListedPhrase<Name>[]> {
  const index = new Map<string, ListedPhrase<Name>[]>();
  for (const [name, listed] of classes) {
    for (const phrase of listed) {
      const words = tokenize(phrase, PLAIN_SPELLING).filter((token) => token.kind !== "symbol");
      const [first = "", ...rest] = words.map((token) => token.word);
      const entry = { list: name as Name, rest };
      const phrases = index.get(first);
      if (phrases === undefined) index.set(first, [entry]);
      else phrases.push(entry);
    }
  }
  return index;
}

/** Returns true if the words are the next ones from `at` on. */
function follow(tokens: readonly Token[], at: number, words: readonly string[]): boolean {
  let next = at;
  for (const word of words) {
    while (tokens[next]?.kind === "symbol") next += 1;
    if (tokens[next]?.word !== word) return false;
    next += 1;
  }
  return true;
}
