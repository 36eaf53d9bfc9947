/** Lists of words and phrases: how they are written here, and how a line is searched for them. */
import { PLAIN_SPELLING, type Token } from "../text/token.ts";
import { tokenize } from "../text/tokenize.ts";

/** Splits a text of phrases at commas and line ends. */
export function splitWords(text: string): readonly string[] {
  return text
    .split(/[,\n]/)
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== "");
}

interface ListedPhrase<Name> {
  readonly list: Name;
  /** The words behind the first one. */
  readonly rest: readonly string[];
}

/**
 * Returns a function that names the lists with a phrase in the line. Symbols between the words do not matter. All lists
 * are searched in one pass, because it runs for every line that names a watch.
 */
export function makePhraseFinder<Name extends string>(
  lists: Readonly<Record<Name, readonly string[]>>,
): (tokens: readonly Token[]) => ReadonlySet<Name> {
  const byFirstWord = indexByFirstWord(lists);
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
  lists: Readonly<Record<Name, readonly string[]>>,
): ReadonlyMap<string, readonly ListedPhrase<Name>[]> {
  const index = new Map<string, ListedPhrase<Name>[]>();
  for (const list of Object.keys(lists) as Name[]) {
    for (const phrase of lists[list]) {
      const words = tokenize(phrase, PLAIN_SPELLING).filter((token) => token.kind !== "symbol");
      const [first = "", ...rest] = words.map((token) => token.word);
      const entry = { list, rest };
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
