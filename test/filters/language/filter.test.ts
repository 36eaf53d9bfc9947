import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { AppError } from "../../../src/base/errors.ts";
import { parseFilter } from "../../../src/filters/language/filter.ts";
import { MEMBERS } from "../../../src/filters/language/members.ts";
import { LIMITS } from "../../../src/filters/language/shapes.ts";
import { anyFilterObject, MEMBER_NAMES } from "../../support/generators/filter-arbitraries.ts";

const WORDS_33 = Array.from({ length: 33 }, (_, at) => `w${at}`).join(" ");

const WRONG: readonly (readonly [unknown, RegExp])[] = [
  [[], /^filters: must be an object/],
  ["brand", /^filters: must be an object/],
  [null, /^filters: must be an object/],
  [{ brand: "Rolex" }, /^filters\.brand: must be array/],
  [{ brand: [1] }, /^filters\.brand\.0: must be string/],
  [{ brand: [null] }, /^filters\.brand\.0: must be string/],
  [{ year: 2020 }, /^filters\.year: must be object/],
  [{ year: { gte: 2020.5 } }, /^filters\.year\.gte: must be integer/],
  [{ year: { gte: "2020" } }, /^filters\.year\.gte: must be integer/],
  [{ years: [1e20] }, /^filters\.years\.0: must be <= 9007199254740991/],
  [{ price: { currency: "€" } }, /^filters\.price\.currency: must match pattern/],
  [{ side: ["FOR_SALE"] }, /^filters\.side\.0: must be one of for_sale, want_to_buy/],
  [{ condition: ["mint"] }, /^filters\.condition\.0: must be one of NEW, LIKE_NEW, USED/],
  [
    { text_search: { query: "x", mode: "fuzzy" } },
    /^filters\.text_search\.mode: must be one of broad/,
  ],
  [{ contact_id: "7" }, /^filters\.contact_id: must be a UUID/],
  [{ group_ids: ["7"] }, /^filters\.group_ids\.0: must be a UUID/],
  [{ price_drop_bps: 500 }, /^filters\.price_drop_bps: must be object/],
  [{ price_drop_bps: { gte: 0 } }, /^filters\.price_drop_bps\.gte: must be >= 1/],
  [{ price_drop_bps: { gte: 5_001 } }, /^filters\.price_drop_bps\.gte: must be <= 5000/],
  [{ price_drop_bps: { gte: 1.5 } }, /^filters\.price_drop_bps\.gte: must be integer/],
  [{ has_media: "yes" }, /^filters\.has_media: must be boolean/],
  [{ from_ms: "now" }, /^filters\.from_ms: must be integer/],
  [{ include_hidden: 1 }, /^filters\.include_hidden: must be boolean/],
  [{ q: "x".repeat(LIMITS.textLength + 1) }, /^filters\.q: must not have more than 500 characters/],
  [
    { text_search: { query: "a b c d e f g h i", mode: "exact" } },
    /^filters\.text_search: must not have more than 8 words in mode exact/,
  ],
  [
    { text_search: { query: WORDS_33, mode: "broad" } },
    /^filters\.text_search: must not have more than 32 words/,
  ],
  [
    { years: Array(LIMITS.values + 1).fill(2020) },
    /^filters\.years: must not have more than 500 items/,
  ],
  [
    Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`x${at}`, 1])),
    /^filters: must not have more than 100 members/,
  ],
  [{ note: "\u0000" }, /U\+0000/],
  [{ note: { "\ud800": 1 } }, /surrogate/],
  [{ note: JSON.parse("[".repeat(5000) + "]".repeat(5000)) }, /nested deeper than 20/],
  [{ note: Array(30_000).fill(0) }, /must not have more than 20000 parts/],
];

test("an invalid filter is rejected with an error that names the member or the limit", () => {
  for (const [given, message] of WRONG) {
    assert.throws(
      () => parseFilter(given),
      (error: unknown) => {
        assert.ok(error instanceof AppError);
        assert.equal(error.code, "invalid_payload");
        assert.match(error.message, message);
        return true;
      },
      String(message),
    );
  }
});

test("a word that is said twice in a row counts once in a phrase, and repeats count once where order does not matter", () => {
  const wordsOf = (mode: string, query: string) =>
    parseFilter({ text_search: { query, mode } }).clauses.flatMap((clause) =>
      clause.kind === "text" ? [clause.words] : [],
    );

  assert.deepEqual(wordsOf("exact_light", "Rolex ".repeat(32)), [["rolex"]]);
  assert.deepEqual(wordsOf("exact", "full set and full full link"), [
    ["full", "set", "and", "full", "link"],
  ]);
  assert.deepEqual(wordsOf("all", "full set full"), [["full", "set"]]);
});

test("member names such as __proto__ are treated as data", () => {
  const given: unknown = JSON.parse(
    '{"__proto__": {"brand": ["x"]}, "constructor": {"prototype": {}}, "toString": 1, "year": {"__proto__": {"gte": 1}}}',
  );

  assert.deepEqual(parseFilter(given), parseFilter({}));
  assert.equal(({} as Record<string, unknown>)["brand"], undefined);
});

test("parseFilter returns a filter or throws invalid_payload for any JSON value", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.jsonValue(),
        fc.dictionary(fc.constantFrom(...MEMBER_NAMES, "__proto__", "x"), fc.jsonValue()),
      ),
      (given) => {
        try {
          parseFilter(given);
        } catch (error) {
          assert.ok(error instanceof AppError && error.code === "invalid_payload", String(error));
        }
      },
    ),
    { numRuns: 2000 },
  );
});

test("the generators of the property tests cover every member", () => {
  assert.deepEqual([...MEMBER_NAMES].sort(), [...MEMBERS.keys()].sort());
  const seen = new Set(fc.sample(anyFilterObject, 2000).flatMap((given) => Object.keys(given)));
  assert.equal(seen.size, MEMBERS.size);
});
