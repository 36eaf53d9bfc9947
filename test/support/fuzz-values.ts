import type { Random } from "../../src/demo/random.ts";
import { MEMBERS } from "../../src/filters/language/members.ts";
import type { Schema, Schemas } from "./fuzz-routes.ts";

/** What values are made of. */
export interface FuzzWords {
  /** Ids that exist. */
  readonly ids: readonly string[];
  /** `next_cursor` of pages, each good for one query only. */
  readonly cursors: readonly string[];
  readonly schemas: Schemas;
}

const DEPTH_MAX = 6;
const MANY_ITEMS = 10_000;

export const ODD_TEXTS: readonly string[] = [
  "",
  " ",
  "0",
  "-1",
  "1",
  "100",
  "101",
  "1.5",
  "1e3",
  "2147483647",
  "2147483648",
  "9007199254740993",
  "NaN",
  "Infinity",
  "true",
  "TRUE",
  "null",
  "undefined",
  "[]",
  "{}",
  "receiving",
  "newest",
  "'; drop table alert; --",
  "%",
  "\\",
  "a".repeat(300),
  "é",
  "劳力士",
  "😀",
  "\u0000",
  "\ud800",
  "../../etc/passwd",
  "<script>alert(1)</script>",
  "{{7*7}}",
  "00000000-0000-0000-0000-000000000000",
];

/** A value that mostly fits the schema; one in twelve parts does not. */
export function aValueOf(random: Random, schema: Schema, words: FuzzWords, depth = 0): unknown {
  if (depth > DEPTH_MAX || random.isBelow(0.08)) return aValue(random, words, depth);
  const name = schema.$ref?.split("/").at(-1);
  if (name === "Filters") return someFilters(random, words);
  if (name !== undefined) return aValueOf(random, words.schemas[name] ?? {}, words, depth + 1);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return aValueOf(random, random.pick(choices), words, depth + 1);
  switch (schema.type) {
    case "string":
      return aTextOf(random, schema, words);
    case "integer":
    case "number":
      return aNumberOf(random, schema);
    case "boolean":
      return random.isBelow(0.5);
    case "array":
      return anArrayOf(random, schema, words, depth);
    case "object":
      return anObjectOf(random, schema, words, depth);
    default:
      return aLikelyValue(random, words);
  }
}

function aTextOf(random: Random, { format, examples }: Schema, words: FuzzWords): unknown {
  if (examples !== undefined && random.isBelow(0.5)) return random.pick(examples);
  if (format === "uuid") return random.pick(words.ids);
  return random.isBelow(0.3)
    ? random.pick(["Rolex", "126610LN", "EUR", "all"])
    : random.pick(ODD_TEXTS);
}

function aNumberOf(random: Random, { minimum = -2, maximum = 4_000_000 }: Schema): number {
  return random.pick([
    minimum,
    maximum,
    minimum + 1,
    Math.floor((minimum + maximum) / 2),
    minimum - 1,
  ]);
}

function anArrayOf(random: Random, schema: Schema, words: FuzzWords, depth: number): unknown[] {
  const item = () => aValueOf(random, schema.items ?? {}, words, depth + 1);
  if (random.isBelow(0.03)) return Array<unknown>(MANY_ITEMS).fill(item());
  return Array.from({ length: random.integer(0, 3) }, item);
}

function anObjectOf(random: Random, schema: Schema, words: FuzzWords, depth: number): object {
  const entries = Object.entries(schema.properties ?? {})
    .filter(([name]) => random.isBelow(schema.required?.includes(name) === true ? 0.97 : 0.4))
    .map(([name, member]) => [name, aMemberOf(random, { name, member }, words, depth)]);
  if (random.isBelow(0.05)) entries.push([random.pick(["x", "__proto__", "id", "limit"]), 1]);
  return Object.fromEntries(entries);
}

function aMemberOf(
  random: Random,
  { name, member }: { readonly name: string; readonly member: Schema },
  words: FuzzWords,
  depth: number,
): unknown {
  if (name === "filters") return someFilters(random, words);
  if (name === "cursor") return aCursor(random, words);
  return aValueOf(random, member, words, depth + 1);
}

/** Mostly a cursor of some query, which is seldom the query that it is sent with. */
export function aCursor(random: Random, { cursors }: FuzzWords): string {
  const cursor = random.pick([...cursors, "x"]);
  const change = random.next();
  if (change < 0.6) return cursor;
  return change < 0.8 ? cursor.slice(0, -2) : random.pick(ODD_TEXTS);
}

export function someFilters(random: Random, words: FuzzWords): unknown {
  const names = [...MEMBERS.keys(), "__proto__", "resource", "x"];
  const entries = Array.from({ length: random.integer(1, 4) }, () => {
    const name = random.pick(names);
    return [name, random.isBelow(0.6) ? aLikelyValue(random, words) : aValue(random, words, 0)];
  });
  return Object.fromEntries(entries);
}

/** A value of a type that some member accepts. */
function aLikelyValue(random: Random, words: FuzzWords): unknown {
  const bound = () => random.pick([0, 1, -1, 2024, 1e12, 9007199254740991, -9007199254740991]);
  const texts = () =>
    Array.from({ length: random.integer(0, 3) }, () => random.pick([...ODD_TEXTS, ...words.ids]));
  return random.pick<() => unknown>([
    texts,
    () => random.pick(ODD_TEXTS),
    () => random.isBelow(0.5),
    bound,
    () => [bound(), bound()],
    () => ({ gte: bound(), lte: bound() }),
    () => ({ gte: bound(), currency: random.pick(["EUR", "HKD", "XXX", "eur"]) }),
    () => ({ values: [bound()] }),
    () => ({ include: texts(), exclude: texts() }),
    () => ({ query: random.pick(ODD_TEXTS), mode: random.pick(["broad", "exact", "exact_light"]) }),
    () => random.pick(words.ids),
  ])();
}

export function aValue(random: Random, words: FuzzWords, depth: number): unknown {
  const kind = random.integer(0, depth > 3 ? 5 : 8);
  switch (kind) {
    case 0:
      return null;
    case 1:
      return random.isBelow(0.5);
    case 2:
      return random.pick([0, -1, 1.5, 1e308, -0, 2 ** 53, 1e-7]);
    case 3:
    case 4:
      return random.pick(ODD_TEXTS);
    case 5:
      return random.pick(words.ids);
    case 6:
      return Array.from({ length: random.integer(0, 4) }, () => aValue(random, words, depth + 1));
    case 7:
      return Array.from({ length: random.pick([1, 50, 2_000]) }, (_, at) => `word ${at}`);
    default:
      return Object.fromEntries(
        Array.from({ length: random.integer(0, 4) }, () => [
          random.pick(["gte", "lte", "values", "include", "exclude", "__proto__", "toString"]),
          aValue(random, words, depth + 1),
        ]),
      );
  }
}
