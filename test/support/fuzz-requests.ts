import { readFileSync } from "node:fs";
import { createRandom, type Random } from "../../src/demo/random.ts";
import { MEMBERS } from "../../src/filters/language/members.ts";

/** A request that no sensible client sends, or one that is almost valid. */
export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface FuzzOptions {
  readonly token: string;
  readonly readOnlyToken: string;
  /** Ids that exist. */
  readonly ids: readonly string[];
  /** Method and path from the contract, with placeholders in braces. */
  readonly routes: readonly { readonly method: string; readonly path: string }[];
}

const METHODS = "GET GET GET GET GET POST POST DELETE HEAD PUT PATCH OPTIONS TRACE PROPFIND".split(
  " ",
);
const QUERY_NAMES =
  "offset limit unseen_only role cursor sort year condition_bucket brand reference q status __proto__ constructor x".split(
    " ",
  );
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

/** The paths of the contract, and others. */
export function listRoutes(): FuzzOptions["routes"] {
  const contract = JSON.parse(readFileSync("openapi-v2.json", "utf8")) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const beside = ["/health/live", "/health/ready", "/metrics", "/openapi.json", "/docs"];
  return [
    ...Object.entries(contract.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
    ),
    ...beside.map((path) => ({ method: "GET", path })),
  ];
}

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
    path: `${path}${aQuery(random)}`,
    headers,
    ...(hasBody ? { body: aBody(random, options) } : {}),
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

function aQuery(random: Random): string {
  if (random.isBelow(0.4)) return "";
  const parts = Array.from({ length: random.integer(1, 4) }, () => {
    const name = random.pick(QUERY_NAMES);
    return `${name}=${encode(random, random.pick(ODD_TEXTS))}`;
  });
  return `?${parts.join(random.isBelow(0.95) ? "&" : ";")}`;
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

function aBody(random: Random, options: FuzzOptions): string | Buffer {
  const kind = random.next();
  if (kind < 0.06) return Buffer.from(Array.from({ length: 40 }, () => random.integer(0, 255)));
  if (kind < 0.12) return random.pick(["{", "[1,", '{"a":1}}', '"', "nul", "{'a':1}", "\ufeff{}"]);
  if (kind < 0.14) return "[".repeat(5_000);
  if (kind < 0.15) return JSON.stringify({ filters: { q: "x".repeat(300_000) } });
  if (kind < 0.3) return JSON.stringify(aValue(random, options, 0)) ?? "null";
  const body = {
    ...(random.isBelow(0.9) ? { filters: someFilters(random, options) } : {}),
    ...(random.isBelow(0.2) ? { sort: aValue(random, options, 2) } : {}),
    ...(random.isBelow(0.2) ? { limit: aValue(random, options, 2) } : {}),
    ...(random.isBelow(0.2) ? { cursor: aValue(random, options, 2) } : {}),
    ...(random.isBelow(0.2) ? { include_total: aValue(random, options, 2) } : {}),
  };
  return JSON.stringify(body);
}

function someFilters(random: Random, options: FuzzOptions): unknown {
  const names = [...MEMBERS.keys(), "__proto__", "resource", "x"];
  const entries = Array.from({ length: random.integer(1, 4) }, () => {
    const name = random.pick(names);
    return [name, random.isBelow(0.6) ? aLikelyValue(random, options) : aValue(random, options, 0)];
  });
  return Object.fromEntries(entries);
}

/** A value of a type that some member accepts. */
function aLikelyValue(random: Random, options: FuzzOptions): unknown {
  const bound = () => random.pick([0, 1, -1, 2024, 1e12, 9007199254740991, -9007199254740991]);
  const words = () =>
    Array.from({ length: random.integer(0, 3) }, () => random.pick([...ODD_TEXTS, ...options.ids]));
  return random.pick<() => unknown>([
    words,
    () => random.pick(ODD_TEXTS),
    () => random.isBelow(0.5),
    bound,
    () => [bound(), bound()],
    () => ({ gte: bound(), lte: bound() }),
    () => ({ gte: bound(), currency: random.pick(["EUR", "HKD", "XXX", "eur"]) }),
    () => ({ values: [bound()] }),
    () => ({ include: words(), exclude: words() }),
    () => ({ query: random.pick(ODD_TEXTS), mode: random.pick(["broad", "exact", "exact_light"]) }),
    () => random.pick(options.ids),
  ])();
}

function aValue(random: Random, options: FuzzOptions, depth: number): unknown {
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
      return random.pick(options.ids);
    case 6:
      return Array.from({ length: random.integer(0, 4) }, () => aValue(random, options, depth + 1));
    case 7:
      return Array.from({ length: random.pick([1, 50, 2_000]) }, (_, at) => `word ${at}`);
    default:
      return Object.fromEntries(
        Array.from({ length: random.integer(0, 4) }, () => [
          random.pick(["gte", "lte", "values", "include", "exclude", "__proto__", "toString"]),
          aValue(random, options, depth + 1),
        ]),
      );
  }
}
