import type { Condition, FullSetStatus, ListingStatus, Side } from "./extraction.ts";
import { PLAIN_SPELLING, type Spelling, type Token, tokenize } from "./tokens.ts";

/** Words that steer a rule without being a value themselves. */
export type Cue =
  | "retail"
  | "or"
  | "without"
  | "box"
  | "card"
  | "unit_of_measure"
  | "count_before"
  | "year_word"
  | "metal"
  | "limit"
  | "label"
  | "ignored";

/** What a word or phrase of the dealers' language means. */
export type Meaning =
  | { readonly kind: "brand"; readonly brand: string }
  | {
      readonly kind: "model";
      readonly brand: string;
      readonly model?: string;
      readonly nickname?: string;
    }
  | { readonly kind: "dial"; readonly dial: string }
  | { readonly kind: "bracelet"; readonly bracelet: string }
  | { readonly kind: "condition"; readonly condition: Condition }
  | { readonly kind: "set"; readonly set: FullSetStatus }
  | { readonly kind: "side"; readonly side: Side; readonly isWeak: boolean }
  | { readonly kind: "status"; readonly status: ListingStatus }
  | { readonly kind: "currency"; readonly currency: string }
  | { readonly kind: "place"; readonly currency: string }
  | { readonly kind: "month"; readonly month: number }
  | { readonly kind: "cue"; readonly cue: Cue };

/** A phrase found in a line: tokens `from` up to but without `to`. */
export interface PhraseMatch {
  readonly from: number;
  readonly to: number;
  readonly meaning: Meaning;
}

export interface Phrase {
  readonly words: string;
  readonly meaning: Meaning;
}

interface TrieNode {
  meaning?: Meaning;
  readonly next: Map<string, TrieNode>;
}

export interface Lexicon {
  readonly root: TrieNode;
  readonly vocabulary: ReadonlySet<string>;
  readonly spelling: Spelling;
}

/** Of two phrases with the same words the later one holds: a dealer's own file comes last. */
export function buildLexicon(phrases: readonly Phrase[]): Lexicon {
  const root: TrieNode = { next: new Map() };
  const vocabulary = new Set<string>();
  for (const phrase of phrases) {
    let branch = root;
    for (const token of tokenize(phrase.words, PLAIN_SPELLING)) {
      if (isIgnoredSymbol(token)) continue;
      if (token.kind === "letters") vocabulary.add(token.word);
      let next = branch.next.get(token.word);
      if (next === undefined) {
        next = { next: new Map() };
        branch.next.set(token.word, next);
      }
      branch = next;
    }
    if (branch !== root) branch.meaning = phrase.meaning;
  }
  const spelling = {
    respell: makeRespell(vocabulary),
    isWord: (word: string) => vocabulary.has(word),
  };
  return { root, vocabulary, spelling };
}

/** The longest phrase at each place, from left to right, without overlaps. */
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
  return phrases;
}

function longestPhrase(
  tokens: readonly Token[],
  from: number,
  root: TrieNode,
): PhraseMatch | undefined {
  let branch: TrieNode | undefined = root;
  let found: PhraseMatch | undefined;
  let at = from;
  while (at < tokens.length) {
    const token = tokens[at];
    if (token === undefined) break;
    if (isIgnoredSymbol(token)) {
      // A phrase neither starts with a hyphen nor spans a pause: "new - card 2022" is no "new card".
      if (at === from || !joinsWords(tokens, at)) break;
      at += 1;
      continue;
    }
    branch = branch.next.get(token.word);
    if (branch === undefined) break;
    at += 1;
    if (branch.meaning !== undefined) found = { from, to: at, meaning: branch.meaning };
  }
  return found;
}

function isIgnoredSymbol(token: Token): boolean {
  return token.word === "-" || token.word === "." || token.word === "'" || token.word === "_";
}

/** "pre-owned", "w.t.b.", "b/p": a sign that touches the word before it and does not end a sentence. */
function joinsWords(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1];
  return (
    tokens[at]?.isGlued === true && next !== undefined && (next.isGlued || tokens[at]?.word === "-")
  );
}

/** Shorter words have too many neighbours: "ow" and "0w" must stay apart. */
const RESPELL_MIN = 3;

function makeRespell(vocabulary: ReadonlySet<string>): (odd: string) => string | undefined {
  const bySkeleton = new Map<string, string>();
  for (const word of vocabulary) {
    if (word.length >= RESPELL_MIN) bySkeleton.set(skeleton(word), word);
  }
  return (odd) => {
    if (odd.length < RESPELL_MIN || vocabulary.has(odd)) return undefined;
    return bySkeleton.get(skeleton(odd));
  };
}

const LOOK_ALIKES: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "l",
  i: "l",
  "3": "e",
  "4": "a",
  "@": "a",
  "5": "s",
  $: "s",
};

function skeleton(word: string): string {
  let out = "";
  for (const character of word) out += LOOK_ALIKES[character] ?? character;
  return out;
}
