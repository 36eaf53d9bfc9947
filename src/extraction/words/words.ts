/**
 * The words of the trade: one data file for each kind, in it the classes, and in each class the words by language. Rules ask for
 * a class and never for letters, so a new word or language is a change of data.
 *
 * A line of a file has words and phrases separated by commas. Accents and capitals do not matter. Invariant: a word is in
 * one class of its kind at most.
 */
import { foldLetters, type Token } from "../text/token.ts";
import amount from "./amount.json" with { type: "json" };
import bracelet from "./bracelet.json" with { type: "json" };
import condition from "./condition.json" with { type: "json" };
import cue from "./cue.json" with { type: "json" };
import currency from "./currency.json" with { type: "json" };
import date from "./date.json" with { type: "json" };
import dial from "./dial.json" with { type: "json" };
import grammar from "./grammar.json" with { type: "json" };
import material from "./material.json" with { type: "json" };
import money from "./money.json" with { type: "json" };
import month from "./month.json" with { type: "json" };
import number from "./number.json" with { type: "json" };
import piece from "./piece.json" with { type: "json" };
import place from "./place.json" with { type: "json" };
import request from "./request.json" with { type: "json" };
import sentence from "./sentence.json" with { type: "json" };
import set from "./set.json" with { type: "json" };
import side from "./side.json" with { type: "json" };
import talk from "./talk.json" with { type: "json" };
import thing from "./thing.json" with { type: "json" };

const FILES = {
  amount,
  bracelet,
  condition,
  cue,
  currency,
  date,
  dial,
  grammar,
  material,
  money,
  month,
  number,
  piece,
  place,
  request,
  sentence,
  set,
  side,
  talk,
  thing,
};

export type WordKind = keyof typeof FILES;

/** By language, as an ISO 639 code: lines of words. */
export type WordLines = Readonly<Record<string, readonly string[]>>;

/** By kind, then by class. */
export type WordFiles = Readonly<Record<WordKind, Readonly<Record<string, WordLines>>>>;

export const WORD_FILES: WordFiles = FILES;

/** The kinds with single words that rules look for around a number or a watch. */
const TOKEN_KINDS = [
  "amount",
  "date",
  "grammar",
  "material",
  "money",
  "number",
  "piece",
  "sentence",
  "thing",
] as const;

/** A class of a single word. */
export type WordClass =
  | keyof typeof amount
  | keyof typeof date
  | keyof typeof grammar
  | keyof typeof material
  | keyof typeof money
  | keyof typeof number
  | keyof typeof piece
  | keyof typeof sentence
  | keyof typeof thing;

/** Returns the words of each class of a kind. */
export function listClasses(
  files: WordFiles,
  kind: WordKind,
): readonly (readonly [name: string, words: readonly string[]])[] {
  return Object.entries(files[kind]).map(([name, languages]) => [name, listWords(languages)]);
}

export function listWords(languages: WordLines): string[] {
  return Object.values(languages).flat().flatMap(splitWords);
}

/** Splits a line of a file at its commas. */
function splitWords(line: string): string[] {
  return line
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

/**
 * Returns true if the token is a word of one of these classes. A word has one class or two, so comparing them is faster than a
 * look-up.
 */
export function isA(
  token: Token | undefined,
  name: WordClass,
  second?: WordClass,
  third?: WordClass,
): boolean {
  const classes = token?.facts?.classes;
  if (classes === undefined) return false;
  for (const own of classes) if (own === name || own === second || own === third) return true;
  return false;
}

/** The same for more classes. */
export function isOneOf(token: Token | undefined, names: ReadonlySet<string>): boolean {
  const classes = token?.facts?.classes;
  if (classes === undefined) return false;
  for (const own of classes) if (names.has(own)) return true;
  return false;
}

/** Classes to ask for with `isOneOf`. */
export function classSet(...names: readonly WordClass[]): ReadonlySet<string> {
  return new Set(names);
}

const PARTS = classSet("strap", "loose_part", "part_of_watch", "set_piece", "part");

/** A part of a watch, loose or not. */
export function isPart(token: Token | undefined): boolean {
  return isOneOf(token, PARTS);
}

/** Returns the classes of every single word that a rule can ask for. */
export function classesByWord(files: WordFiles): Map<string, Set<WordClass>> {
  const classes = new Map<string, Set<WordClass>>();
  for (const kind of TOKEN_KINDS) {
    for (const [name, words] of listClasses(files, kind)) {
      for (const written of words) {
        const word = foldLetters(written);
        const known = classes.get(word);
        if (known === undefined) classes.set(word, new Set([name as WordClass]));
        else known.add(name as WordClass);
      }
    }
  }
  return classes;
}
