import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { buildCatalogue } from "../../../src/extraction/catalogue/catalogue.ts";
import { findUnknownMembers, parseFilter } from "../../../src/filters/language/filter.ts";
import { searchListings } from "../../../src/filters/sql/search-listings.ts";
import { parseQuery, readPieces } from "../../../src/filters/typed/parse-query.ts";
import { borrowTestDatabase } from "../../support/shared-store.ts";
import { NOW_MS } from "../../support/test-app.ts";
import { dealerMessage } from "../../support/texts.ts";
import { buildTypedMarket, readFixture } from "./typed-market.ts";

const catalogue = buildCatalogue();
const reader = { catalogue, nowMs: NOW_MS };

interface Expected {
  readonly query: string;
  /** The query, its chips, its rest and what it finds, as in the file. */
  readonly lines: readonly string[];
}

test("what dealers type becomes the chips and finds the listings that they mean", async (t) => {
  const { pool: db } = await borrowTestDatabase(t);
  const keys = await buildTypedMarket(db);
  const queries = readQueries();
  const wrong: { read: string; expected: string }[] = [];

  for (const { query, lines } of queries) {
    const parsed = await parseQuery(db, query, reader);
    const chips = parsed.chips.map(
      ({ start, end, label }) => `${query.slice(start, end)} = ${label}`,
    );
    const { rows } = await searchListings(db, {
      filters: parsed.filters,
      sort: "newest",
      limit: 20,
      isTotalAsked: false,
    });
    const read = [
      query,
      `  ${chips.join(" | ")}`,
      ...(parsed.rest === "" ? [] : [`  rest ${parsed.rest}`]),
      `  ${rows.map(({ id }) => keys.get(id)).join(" ") || "-"}`,
    ].join("\n");
    const expected = [query, ...lines].join("\n");
    if (read !== expected) wrong.push({ read, expected });
  }

  assert.ok(queries.length >= 60);
  assert.deepEqual(wrong, []);
});

function readQueries(): readonly Expected[] {
  const queries: { query: string; lines: string[] }[] = [];
  for (const line of readFixture("queries.txt")) {
    if (line.startsWith(" ")) queries.at(-1)?.lines.push(line);
    else queries.push({ query: line, lines: [] });
  }
  return queries;
}

/** A query with its chips in short: `member value`. */
function pieces(text: string): readonly string[] {
  const today = { year: 2026, month: 11 };
  return readPieces(text, { catalogue, today }).pieces.map(
    ({ member, value }) => `${member} ${JSON.stringify(value)}`,
  );
}

test("prices are read in every writing, with and without their unit", () => {
  const priced: readonly (readonly [text: string, value: object])[] = [
    ["under 18", { lte: 1_800_000, currency: "EUR" }],
    ["bis 13,5", { lte: 1_350_000, currency: "EUR" }],
    ["max 1.2m hkd", { lte: 120_000_000, currency: "HKD" }],
    ["15w 人民币 以内", { lte: 15_000_000, currency: "CNY" }],
    ["$9,500", { lte: 950_000, currency: "USD" }],
    ["from 8k to 10k", { gte: 800_000, lte: 1_000_000, currency: "EUR" }],
    ["zwischen 8 und 9k", { gte: 800_000, lte: 900_000, currency: "EUR" }],
    ["over 5k usdt", { gte: 500_000, currency: "USDT" }],
    ["about 10k", { gte: 900_000, lte: 1_100_000, currency: "EUR" }],
    ["8.500€ - 9.500€", { gte: 850_000, lte: 950_000, currency: "EUR" }],
    ["more than 2000", { gte: 200_000, currency: "EUR" }],
    ["95k hk", { lte: 9_500_000, currency: "HKD" }],
    ["18k max", { lte: 1_800_000, currency: "EUR" }],
  ];

  for (const [text, value] of priced)
    assert.deepEqual(pieces(text), [`price ${JSON.stringify(value)}`], text);
  for (const text of ["18k gold", "under 41mm", "box 3", "0", "under"])
    assert.ok(!pieces(text).some((piece) => piece.startsWith("price")), text);
});

test("a plus and the words for more, before or behind an amount, are the least that the ask may be", () => {
  const words =
    "10k+, 10.000€+, 10k€+, 10k+ €, 10k +, min 10k, min. 10k, mind. 10k, wenigstens 10k, 10k or more, 10k and up, 10k and above, " +
    "10k plus, 10k upwards, 10k oder mehr, 10k aufwärts, 10k o più, 10k in su, 10k o más, 10k en adelante, 10k ou plus, " +
    "10k以上, 10k起, 最少 10k, не менее 10k, 10k min";

  for (const text of words.split(", "))
    assert.deepEqual(pieces(text), ['price {"gte":1000000,"currency":"EUR"}'], text);
  const from90 = 'price {"gte":9000000,"currency":"HKD"}';
  assert.deepEqual(pieces("90k+ hkd"), [from90]);
  assert.deepEqual(pieces("10k or more 2022"), [
    'price {"gte":1000000,"currency":"EUR"}',
    'year {"values":[2022]}',
  ]);
  assert.deepEqual(pieces("2020 or more"), ['year {"gte":2020}']);
  assert.deepEqual(pieces("10k or less 2022")[0], 'price {"lte":1000000,"currency":"EUR"}');
  assert.deepEqual(pieces("10k+, hk"), [
    'price {"gte":1000000,"currency":"EUR"}',
    'country_codes {"include":["852"]}',
  ]);
  for (const text of ["10k + box", "10k+box", "10k plus box", "10k+papers"])
    assert.deepEqual(pieces(text)[0], 'price {"lte":1000000,"currency":"EUR"}', text);
  assert.deepEqual(pieces("max 20k min 10k"), [
    'price {"lte":2000000,"currency":"EUR"}',
    'price {"gte":1000000,"currency":"EUR"}',
  ]);
});

test("the plus of a date is of its year, and a word beside a year can be of the amount behind it", () => {
  const years: readonly (readonly [text: string, ...pieces: readonly string[]])[] = [
    ["'23+", 'year {"gte":2023}'],
    ["2000+", 'year {"gte":2000}'],
    ["2020 plus", 'year {"gte":2020}'],
    ["2021 plus box", 'year {"values":[2021]}', 'full_set_status ["FULL_SET","WATCH_AND_BOX"]'],
    ["2022 or under 15k", 'price {"lte":1500000,"currency":"EUR"}', 'year {"values":[2022]}'],
    ["2022 and over 10k", 'price {"gte":1000000,"currency":"EUR"}', 'year {"values":[2022]}'],
  ];

  for (const [text, ...expected] of years)
    assert.deepEqual(pieces(text).toSorted(), expected.toSorted(), text);
  assert.deepEqual(
    pieces("126500ln n3+ 2026").filter((piece) => piece.startsWith("price")),
    [],
  );
});

test("hk is a place unless it is the currency of an amount", () => {
  const hongKong = 'country_codes {"include":["852"]}';
  const upTo18 = 'price {"lte":1800000,"currency":"EUR"}';

  assert.deepEqual(pieces("under 18k hk"), [upTo18, hongKong]);
  assert.deepEqual(pieces("hk under 18k"), [hongKong, upTo18]);
  assert.deepEqual(pieces("2023 hk"), ['year {"values":[2023]}', hongKong]);
  assert.deepEqual(pieces("🇭🇰"), [hongKong]);
});

test("a word such as no, ohne or outside leaves a country out", () => {
  const words =
    "no hk, not hk, not from hk, not in hk, outside hk, outside of hk, without hk, non-hk, ohne hk, nicht aus hongkong, außerhalb von hk, " +
    "senza hong kong, fuori da hong kong, sin hk, fuera de hk, sans hk, pas de hk, hors de hk, 不要香港, no 香港, " +
    "香港以外, 香港除外, 除了香港以外, hk excluded";
  const notHongKong = 'country_codes {"exclude":["852"]}';
  const upTo15 = 'price {"lte":1500000,"currency":"EUR"}';

  for (const text of words.split(", ")) assert.deepEqual(pieces(text), [notHongKong], text);
  for (const text of ["not in the uk", "not from the uk", "nicht aus dem uk"])
    assert.deepEqual(pieces(text), ['country_codes {"exclude":["44"]}'], text);
  const notBoth = 'country_codes {"exclude":["852","1"]}';
  for (const text of [
    "no hk or us",
    "no hk, us",
    "not from hk or from the us",
    "hk and us excluded",
  ])
    assert.deepEqual(pieces(text), [notBoth], text);
  for (const text of [
    "no hk or us 15k",
    "not from hk, us 15k",
    "not from hong kong or the us 15k",
    "nicht hk oder us 15k",
  ])
    assert.deepEqual(pieces(text), [notBoth, upTo15], text);
  assert.deepEqual(pieces("not from hk 15k"), [notHongKong, upTo15]);
  for (const text of ["no hk, only dubai", "nicht hk, nur dubai"])
    assert.deepEqual(pieces(text), [notHongKong, 'country_codes {"include":["971"]}'], text);
  assert.ok(pieces("no box, hk 95k").includes('price {"lte":9500000,"currency":"HKD"}'));
  assert.deepEqual(pieces("dubai no hk"), ['country_codes {"include":["971"]}', notHongKong]);
  assert.deepEqual(pieces("15k not hk"), [upTo15, notHongKong]);
  assert.deepEqual(pieces("no hk 15k"), [notHongKong, upTo15]);
  assert.deepEqual(pieces("no papers hk")[1], 'country_codes {"include":["852"]}');
});

test("years are read as values and bounds", () => {
  const years: readonly (readonly [text: string, value: object])[] = [
    ["2021", { values: [2021] }],
    ["2019 or 2021", { values: [2019, 2021] }],
    ["2019 bis 2021", { gte: 2019, lte: 2021 }],
    ["between 2019 and 2021", { gte: 2019, lte: 2021 }],
    ["bis 2015", { lte: 2015 }],
    ["newer than 2019", { gte: 2020 }],
    ["vor 2000", { lte: 1999 }],
    ["2020年以后", { gte: 2020 }],
    ["06/2023", { values: [2023] }],
  ];

  for (const [text, value] of years)
    assert.deepEqual(pieces(text), [`year ${JSON.stringify(value)}`], text);
});

test("a year beside a range or an open bound is one more year", async (t) => {
  const { pool: db } = await borrowTestDatabase(t);
  const joined: readonly (readonly [text: string, value: object])[] = [
    ["2020-2022 2024", { values: [2020, 2021, 2022, 2024] }],
    ["2015-2016 2020-2021", { values: [2015, 2016, 2020, 2021] }],
    ["2021 2023+", { gte: 2021 }],
    ["2020-2021 2023+", { gte: 2020 }],
    ["before 2010 2015", { lte: 2015 }],
    ["since 2019 until 2021", { gte: 2019, lte: 2021 }],
    ["2021 2023", { values: [2021, 2023] }],
  ];

  for (const [text, value] of joined)
    assert.deepEqual((await parseQuery(db, text, reader)).filters, { year: value }, text);
});

test("box and papers are a full set, and contradictions are alternatives", async (t) => {
  const { pool: db } = await borrowTestDatabase(t);
  const sets = async (text: string) =>
    (await parseQuery(db, text, reader)).filters["full_set_status"];

  assert.deepEqual(await sets("126334 box papers"), ["FULL_SET"]);
  assert.deepEqual(await sets("126334 no box no papers"), ["WATCH"]);
  assert.deepEqual(await sets("126334 papers"), ["FULL_SET", "WATCH_AND_CARD"]);
  assert.deepEqual(await sets("full set or only watch"), ["FULL_SET", "WATCH"]);
});

test("whatever is typed, the filter is valid and the chips are in order and inside of the text", async (t) => {
  const { pool: db } = await borrowTestDatabase(t);
  await fc.assert(
    fc.asyncProperty(fc.oneof(dealerMessage, fc.string({ unit: "binary" })), async (text) => {
      const { filters, rest, chips } = await parseQuery(db, text.slice(0, 500), reader);
      parseFilter(filters);
      assert.deepEqual(findUnknownMembers(filters), []);
      let end = 0;
      for (const chip of chips) {
        assert.ok(end <= chip.start && chip.start < chip.end && chip.end <= text.length);
        assert.notEqual(chip.label, "");
        end = chip.end;
      }
      assert.equal(rest === "", filters["text_search"] === undefined);
    }),
    { numRuns: 300 },
  );
});
