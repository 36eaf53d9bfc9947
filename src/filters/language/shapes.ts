/**
 * The shapes that members of the filter object have: which values pass, which clauses a value becomes, and its words in a
 * summary. Several members share a shape, such as `brand` and `model`.
 */
import { type TSchema, Type } from "typebox";
import { toDigits } from "../../base/text.ts";
import { toWords } from "../../listings/search-text.ts";
import type { AttributeName, NumberName } from "./attributes.ts";
import type { Bounds, Clause, TextMode } from "./clause.ts";
import {
  countValues,
  type GivenBounds,
  type GivenSets,
  type GivenValues,
  summarizeBounds,
  summarizeSets,
  summarizeValues,
} from "./phrases.ts";

/** High enough for the longest lists that dealers use, and low enough that every filter is cheap to check. */
export const LIMITS = {
  members: 100,
  values: 500,
  textLength: 500,
  words: 32,
  /** Of a phrase: its words are looked for in their order, which takes much longer than looking for words. */
  phraseWords: 8,
  depth: 20,
  parts: 20_000,
} as const;

/** The functions take what passes the schema; `phrase` takes it as it was given, with members inside that are null. */
export interface Shape {
  readonly schema: TSchema;
  /** Runs before the schema check, for enumerations that ignore case. */
  readonly prepare?: (value: unknown) => unknown;
  readonly clauses: (value: never, member: string) => readonly Clause[];
  /** The clauses of a filter that does not have this member. */
  readonly clausesWhenAbsent?: (member: string) => readonly Clause[];
  /** Empty if the summary does not mention the value. */
  readonly phrase: (value: never) => string;
}

export const Text = Type.String({ maxLength: LIMITS.textLength });

export const Whole = Type.Integer({
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
});

export const BoundsSchema = Type.Object({
  gte: Type.Optional(Whole),
  lte: Type.Optional(Whole),
});

const Uuid = Type.String({ format: "uuid" });
const Texts = listOf(Text);
const Sets = Type.Object({ include: Type.Optional(Texts), exclude: Type.Optional(Texts) });

export function listOf<Item extends TSchema>(item: Item) {
  return Type.Array(item, { maxItems: LIMITS.values });
}

export function textList(
  attribute: AttributeName,
  fold: (text: string) => string,
  prefix = "",
): Shape {
  return {
    schema: Texts,
    clauses: (values: readonly string[], member) => [anyOf(attribute, values.map(fold), member)],
    phrase: (values: GivenValues) => summarizeValues(values, prefix),
  };
}

export function enumeration(attribute: AttributeName, allowed: readonly string[]): Shape {
  return {
    schema: listOf(Type.Enum([...allowed])),
    clauses: (values: readonly string[], member) => [anyOf(attribute, values, member)],
    phrase: (values: GivenValues) => summarizeValues(values).toLowerCase().replaceAll("_", " "),
  };
}

export function enumerationIgnoringCase(
  attribute: AttributeName,
  allowed: readonly string[],
): Shape {
  return {
    ...enumeration(attribute, allowed),
    prepare: (value) =>
      Array.isArray(value)
        ? value.map((item) => (typeof item === "string" ? item.toUpperCase() : item))
        : value,
  };
}

export function idList(attribute: AttributeName, noun: string): Shape {
  return {
    schema: listOf(Uuid),
    clauses: (values: readonly string[], member) => [
      anyOf(
        attribute,
        values.map((value) => value.toLowerCase()),
        member,
      ),
    ],
    phrase: (values: GivenValues) => countValues(values, noun),
  };
}

export function singleId(attribute: AttributeName, noun: string): Shape {
  return {
    schema: Uuid,
    clauses: (value: string, member) => [anyOf(attribute, [value.toLowerCase()], member)],
    phrase: () => `of 1 ${noun}`,
  };
}

export function includeExclude(attribute: "country_code" | "phone_number", prefix: string): Shape {
  return {
    schema: Sets,
    clauses: (
      { include, exclude }: { include?: readonly string[]; exclude?: readonly string[] },
      member,
    ) => [
      ...(include === undefined ? [] : [anyOf(attribute, include.map(toDigits), member)]),
      ...(exclude === undefined ? [] : [noneOf(attribute, exclude.map(toDigits), member)]),
    ],
    phrase: (sets: GivenSets) => summarizeSets(sets, prefix),
  };
}

/** `noun` and `show` are for the summary: `sent from 2026-08-20`. */
export function range(
  attribute: NumberName,
  noun: string,
  show: (value: number) => string = String,
): Shape {
  return {
    schema: BoundsSchema,
    clauses: (bounds: Bounds, member) => between(attribute, bounds, member),
    phrase: (bounds: GivenBounds) => summarizeBounds(bounds, show, noun),
  };
}

/** Listings with this mark match only if the filter includes them. */
export function including(
  mark: "is_duplicate" | "is_hidden" | "is_revoked",
  phrase: string,
): Shape {
  const clausesWhenAbsent = (member: string) => [noneOf("mark", [mark], member)];
  return {
    schema: Type.Boolean(),
    clauses: (isIncluded: boolean, member) => (isIncluded ? [] : clausesWhenAbsent(member)),
    clausesWhenAbsent,
    phrase: (isIncluded: boolean) => (isIncluded ? phrase : ""),
  };
}

export function anyOf(attribute: AttributeName, values: readonly string[], member: string): Clause {
  return { member, kind: "any_of", attribute, values: toDistinct(values) };
}

export function noneOf(
  attribute: AttributeName,
  values: readonly string[],
  member: string,
): Clause {
  return { member, kind: "none_of", attribute, values: toDistinct(values) };
}

// A value that folds to "" matches no listing. As a country code, "" would match every number.
function toDistinct(values: readonly string[]): readonly string[] {
  return [...new Set(values.filter((value) => value !== ""))].sort();
}

export function between(attribute: NumberName, bounds: Bounds, member: string): readonly Clause[] {
  return hasBounds(bounds) ? [{ member, kind: "between", attribute, ...pickBounds(bounds) }] : [];
}

export function hasBounds({ gte, lte }: Bounds): boolean {
  return gte !== undefined || lte !== undefined;
}

/** Drops unknown members beside the bounds. */
export function pickBounds({ gte, lte }: Bounds): Bounds {
  return { ...(gte === undefined ? {} : { gte }), ...(lte === undefined ? {} : { lte }) };
}

export function textClauses(query: string, mode: TextMode, member: string): readonly Clause[] {
  const queryWords = toWords(query);
  if (queryWords.length === 0) return [];
  // Order matters only in a phrase. A word that is said twice in a row is one.
  const words = isPhrase(mode)
    ? queryWords.filter((word, at) => word !== queryWords[at - 1])
    : toDistinct(queryWords);
  return [{ member, kind: "text", mode, words }];
}

export function isPhrase(mode: TextMode): boolean {
  return mode === "exact" || mode === "exact_light";
}
