/**
 * Words and languages that a company adds to the built-in ones, in the form of `words/*.json`: by kind, class and language.
 *
 * Invariant: as in the built-in files, a word is in one class of its kind at most. So a word of the company that is built in
 * elsewhere in the kind leaves that class. Example: {"condition": {"used": {"fi": ["käytetty"], "en": ["mint"]}}} adds a
 * Finnish word, and makes "mint" a word for used, which is like_new otherwise.
 */
import Type, { type Static } from "typebox";
import { foldLetters } from "../text/token.ts";
import {
  listWords,
  WORD_FILES,
  type WordFiles,
  type WordKind,
  type WordLines,
} from "../words/words.ts";

/** The built-in words are about 6,000, with 60 kB, and their longest phrase has 35 characters. */
const WORDS_MAX = 10_000;
const WORDS_BYTES_MAX = 256 * 1024;
const WORD_LENGTH_MAX = 80;

/** Kinds, classes and bounds are checked by `findWordProblems`, which can say what is allowed. */
export const AddedWordsSchema = Type.Record(
  Type.String(),
  Type.Record(
    Type.String({ pattern: "^.{1,80}$" }),
    Type.Record(Type.String({ pattern: "^[a-z]{2,3}$" }), Type.Array(Type.String()), {
      additionalProperties: false,
    }),
    { additionalProperties: false },
  ),
);

export type AddedWords = Static<typeof AddedWordsSchema>;

/** In these kinds a class is a value of the listing, so there can be new ones. */
const OPEN_KINDS: ReadonlySet<string> = new Set(["dial", "bracelet", "currency", "place"]);
const CURRENCY_KINDS: ReadonlySet<string> = new Set(["currency", "place"]);

export function findWordProblems(added: AddedWords = {}): string[] {
  const problems: string[] = [];
  const words: string[] = [];
  for (const [kind, classes] of Object.entries(added)) {
    if (!Object.hasOwn(WORD_FILES, kind)) {
      problems.push(`/words/${kind} is not a kind; the kinds are ${listKeys(WORD_FILES)}`);
      continue;
    }
    const owners = new Map<string, string>();
    for (const [name, languages] of Object.entries(classes)) {
      const problem = findClassProblem(kind as WordKind, name);
      if (problem !== undefined) problems.push(`/words/${kind}/${name} ${problem}`);
      for (const word of listWords(languages)) {
        words.push(word);
        const owner = owners.get(toKey(word)) ?? name;
        owners.set(toKey(word), owner);
        if (owner !== name)
          problems.push(`/words/${kind}: "${word}" is in ${owner} and in ${name}`);
      }
    }
  }
  return [...problems, ...findSizeProblems(words)];
}

function findClassProblem(kind: WordKind, name: string): string | undefined {
  if (CURRENCY_KINDS.has(kind))
    return /^[A-Z]{3,4}$/.test(name) ? undefined : "is not a currency code such as EUR";
  if (OPEN_KINDS.has(kind) || Object.hasOwn(WORD_FILES[kind], name)) return undefined;
  return `is not a class; the classes are ${listKeys(WORD_FILES[kind])}`;
}

function listKeys(entries: object): string {
  return Object.keys(entries).join(", ");
}

function findSizeProblems(words: readonly string[]): string[] {
  const problems = words
    .filter((word) => word.length > WORD_LENGTH_MAX)
    .map((word) => `/words: "${word.slice(0, 20)}…" has more than ${WORD_LENGTH_MAX} characters`);
  const bytes = words.reduce((sum, word) => sum + Buffer.byteLength(word), 0);
  if (words.length > WORDS_MAX)
    problems.push(`/words has ${words.length} words; the most are ${WORDS_MAX}`);
  if (bytes > WORDS_BYTES_MAX)
    problems.push(`/words has ${bytes} bytes of words; the most are ${WORDS_BYTES_MAX}`);
  return problems;
}

/** Words that differ only in capitals, accents, dots and dashes are the same for the reader. */
function toKey(word: string): string {
  return foldLetters(word)
    .replace(/[-.'_\s]+/g, " ")
    .trim();
}

/** Returns new files. */
export function mergeWords(base: WordFiles, added: AddedWords): WordFiles {
  const merged: Record<string, Readonly<Record<string, WordLines>>> = { ...base };
  for (const [kind, classes] of Object.entries(added)) {
    const moved = new Set(Object.values(classes).flatMap(listWords).map(toKey));
    const result = new Map<string, WordLines>(
      Object.entries(base[kind as WordKind]).map(([name, languages]) => [
        name,
        mapWords(languages, (words) => words.filter((word) => !moved.has(toKey(word)))),
      ]),
    );
    for (const [name, languages] of Object.entries(classes)) {
      const known = result.get(name) ?? {};
      const own = mapWords(languages, (words) => words.map(foldLetters));
      const joined = Object.entries(own).map(([language, words]) => [
        language,
        [...(known[language] ?? []), ...words],
      ]);
      result.set(name, { ...known, ...Object.fromEntries(joined) });
    }
    merged[kind] = Object.fromEntries(result);
  }
  return merged as WordFiles;
}

function mapWords(
  languages: WordLines,
  map: (words: readonly string[]) => readonly string[],
): WordLines {
  return Object.fromEntries(
    Object.entries(languages).map(([language, lines]) => [
      language,
      map(listWords({ [language]: lines })),
    ]),
  );
}
