import { createRandom, type Random } from "../../../src/demo/random.ts";
import { MEMBERS } from "../../../src/filters/language/members.ts";
import type { FuzzRoute, Schema, Schemas } from "./fuzz-routes.ts";

/** What values are made of. */
interface FuzzWords {
  /** Ids that exist. */
  readonly ids: readonly string[];
  /** `next_cursor` of pages, each good for one query only. */
  readonly cursors: readonly string[];
  readonly schemas: Schemas;
}

const DEPTH_MAX = 6;

const MANY_ITEMS = 10_000;

const ODD_TEXTS: readonly string[] = [
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

/** A request that no sensible client sends, or one that is almost valid. */
export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface FuzzOptions extends FuzzWords {
  readonly token: string;
  readonly readOnlyToken: string;
  readonly routes: readonly FuzzRoute[];
}

const METHODS = "GET GET GET GET GET POST POST DELETE HEAD PUT PATCH OPTIONS TRACE PROPFIND".split(
  " ",
);

const QUERY_NAMES =
  "offset limit unseen_only role cursor sort year condition_bucket brand reference q status __proto__ constructor x".split(
    " ",
  );

/** Returns the same request for the same seed, whatever was generated before. */
export function aFuzzRequest(seed: number, options: FuzzOptions): FuzzRequest {
  const random = createRandom("fuzz", seed);
  const route = random.pick(options.routes);
  const method = random.isBelow(0.75) ? route.method : random.pick(METHODS);
  const path = random.isBelow(0.85) ? aKnownPath(random, route.path, options) : anOddPath(random);
  const headers = someHeaders(random, options);
  const hasBody = method !== "GET" && method !== "HEAD" && random.isBelow(0.8);
  return {
    method,
    path: `${path}${aQuery(random, route, options)}`,
    headers,
    ...(hasBody ? { body: aBody(random, route, options) } : {}),
  };
}

function aKnownPath(random: Random, template: string, { ids }: FuzzOptions): string {
  const path = template.replaceAll(/\{\w+\}/g, () =>
    random.isBelow(0.6) ? random.pick(ids) : encode(random, anOddId(random, ids)),
  );
  const change = random.next();
  if (change < 0.8) return path;
  if (change < 0.84) return `${path}/`;
  if (change < 0.88) return path.replace("/", "//");
  if (change < 0.92) return path.toUpperCase();
  return path.slice(0, random.integer(1, path.length));
}

function anOddPath(random: Random): string {
  const parts = Array.from({ length: random.integer(0, 5) }, () =>
    encode(random, random.pick([...ODD_TEXTS, "v2", "%2e%2e", "alerts", "market", "webhooks"])),
  );
  return `/${random.isBelow(0.7) ? "v2/" : ""}${parts.join("/")}`;
}

function anOddId(random: Random, ids: readonly string[]): string {
  const id = random.pick(ids);
  return random.pick([
    id.toUpperCase(),
    id.slice(1),
    `${id}0`,
    ` ${id}`,
    `{${id}}`,
    id.replaceAll("-", ""),
    id.replace(/.$/, "0"),
    random.pick(ODD_TEXTS),
  ]);
}

/** Mostly percent escapes, sometimes invalid ones. */
function encode(random: Random, text: string): string {
  const broken = random.next();
  if (broken < 0.03) return "%zz";
  if (broken < 0.06) return "%c3%28";
  return encodeURIComponent(text.toWellFormed());
}

function aQuery(random: Random, { query }: FuzzRoute, options: FuzzOptions): string {
  if (random.isBelow(query.length > 0 ? 0.1 : 0.4)) return "";
  const own = query
    .filter(() => random.isBelow(0.5))
    .map(({ name, schema }) => {
      const value =
        name === "cursor" ? aCursor(random, options) : aValueOf(random, schema, options);
      return `${name}=${encode(random, toText(value))}`;
    });
  const odd = Array.from({ length: random.integer(own.length > 0 ? 0 : 1, 3) }, () => {
    const name = random.pick(QUERY_NAMES);
    return `${name}=${encode(random, random.pick(ODD_TEXTS))}`;
  });
  const parts = random.isBelow(0.6) && own.length > 0 ? own : [...own, ...odd];
  return `?${parts.join(random.isBelow(0.95) ? "&" : ";")}`;
}

function toText(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.slice(0, 300);
}

function someHeaders(random: Random, options: FuzzOptions): Record<string, string> {
  const headers: Record<string, string> = {};
  const { token, readOnlyToken } = options;
  const authorization = random.isBelow(0.8)
    ? `Bearer ${random.pick([token, token, token, readOnlyToken])}`
    : random.pick([
        "",
        "Bearer",
        "Bearer ",
        `bearer ${token}`,
        `Bearer  ${token}`,
        `Bearer ${token}x`,
        `Basic ${Buffer.from(`x:${token}`).toString("base64")}`,
        `Bearer ${"a".repeat(3_000)}`,
        "Bearer \u00e9",
      ]);
  if (authorization !== "") headers["authorization"] = authorization;
  const odd: readonly (readonly [string, readonly string[]])[] = [
    ["accept", ["text/html", "*/*;q=0", "x"]],
    ["accept-encoding", ["gzip", "br", "*;q=0", "gzip;q=0, identity;q=0", ";;,", "br;q=1.0001"]],
    ["if-match", ["*", '"x"', 'W/"x"', "x", '"x.gzip"']],
    ["if-none-match", ["*", '"x"', "W/", `"${"a".repeat(500)}"`]],
    ["x-request-id", ["ok-1", "a b", "x".repeat(200), "\u00e9"]],
    ["content-encoding", ["gzip", "identity", "br"]],
    ["x-forwarded-for", ["127.0.0.1", "'"]],
    ["x-http-method-override", ["DELETE"]],
    ["range", ["bytes=0-1"]],
    ["last-event-id", ["0", "-1", "x", "99999999999999999999"]],
    ["origin", ["null", "http://evil.example"]],
  ];
  headers["content-type"] = random.isBelow(0.85)
    ? "application/json"
    : random.pick(["application/json; charset=utf-16", "text/plain", "x", ""]);
  for (const [name, values] of odd) {
    if (random.isBelow(0.08)) headers[name] = random.pick(values);
  }
  return headers;
}

function aBody(random: Random, route: FuzzRoute, options: FuzzOptions): string | Buffer {
  const kind = random.next();
  if (kind < 0.05) return Buffer.from(Array.from({ length: 40 }, () => random.integer(0, 255)));
  if (kind < 0.1) return random.pick(["{", "[1,", '{"a":1}}', '"', "nul", "{'a':1}", "\ufeff{}"]);
  if (kind < 0.12) return "[".repeat(5_000);
  if (kind < 0.13) return JSON.stringify({ filters: { q: "x".repeat(300_000) } });
  if (kind < 0.2) return JSON.stringify(aValue(random, options, 0)) ?? "null";
  if (kind < 0.25) return JSON.stringify({ filters: someFilters(random, options) });
  if (route.body === undefined) return "{}";
  const made = aValueOf(random, route.body.schema, options);
  const example = route.body.example as object | undefined;
  // Half of the bodies are the example with one changed member, which mostly reaches the route.
  if (example === undefined || random.isBelow(0.5)) return JSON.stringify(made) ?? "null";
  const names = Object.keys(Object(made));
  if (names.length === 0) return JSON.stringify(example);
  const name = random.pick(names);
  return JSON.stringify({ ...example, [name]: (made as Record<string, unknown>)[name] });
}

/** A value that mostly fits the schema; one in twelve parts does not. */
function aValueOf(random: Random, schema: Schema, words: FuzzWords, depth = 0): unknown {
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
function aCursor(random: Random, { cursors }: FuzzWords): string {
  const cursor = random.pick([...cursors, "x"]);
  const change = random.next();
  if (change < 0.6) return cursor;
  return change < 0.8 ? cursor.slice(0, -2) : random.pick(ODD_TEXTS);
}

function someFilters(random: Random, words: FuzzWords): unknown {
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
    () => ({
      query: random.pick(ODD_TEXTS),
      mode: random.pick(["broad", "all", "exact", "exact_light"]),
    }),
    () => random.pick(words.ids),
  ])();
}

function aValue(random: Random, words: FuzzWords, depth: number): unknown {
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
