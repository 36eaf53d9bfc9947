import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DAY_MS } from "../../../src/base/clock.ts";
import { listFailures, summarizeFilter } from "../../../src/filters/language/describe-filter.ts";
import { parseFilter, parseFilters } from "../../../src/filters/language/filter.ts";
import { anyFilterObject, CONTEXT } from "../../support/generators/filter-arbitraries.ts";
import { aListingWith } from "../../support/listings.ts";

test("a filter is summarised in one short line of English", () => {
  for (const [given, line] of [
    [{}, "everything"],
    [{ brand: [], q: "", unknown: 1 }, "everything"],
    [
      {
        brand: ["Rolex"],
        reference: ["126610LN"],
        year: { gte: 2020, lte: 2023 },
        condition: ["NEW", "LIKE_NEW"],
      },
      "Rolex, 126610LN, year 2020 to 2023, new or like new",
    ],
    [
      { side: ["for_sale"], price: { lte: 1_250_050, currency: "usd" } },
      "for sale, ask to 12,500.50 USD",
    ],
    [{ price_drop_bps: { gte: 750 } }, "price drop from 7.5%"],
    [{ years: [2019, 2020, 2021, 2022, 2023] }, "2019, 2020, 2021 or 2 more"],
    [
      { country_codes: { include: ["44"], exclude: ["852"] }, has_media: true },
      "from country 44, not from country 852, with media",
    ],
    [
      { q: "full  set", text_search: { query: "naked", mode: "exact_light" } },
      'text "full set", text "naked" (exact light)',
    ],
    [{ text_search: { query: "pepsi full set", mode: "all" } }, 'text "pepsi full set" (all)'],
    [
      { from_ms: 0, last_seen_at_ms: { gte: DAY_MS } },
      "seen from 1970-01-02, sent from 1970-01-01",
    ],
  ] as const) {
    parseFilter(given);
    assert.equal(summarizeFilter(given), line);
  }
});

test("a member inside of a member that asks nothing is not summarised", () => {
  for (const empty of [null, "", []]) {
    const filter = { last_seen_at_ms: { gte: empty, lte: empty }, brand: ["Rolex"] };

    assert.deepEqual(parseFilter(filter), parseFilter({ brand: ["Rolex"] }));
    assert.equal(summarizeFilter(filter), "Rolex");
  }
});

test("every filter has a summary of one line and at most 200 characters", () => {
  fc.assert(
    fc.property(anyFilterObject, (given) => {
      parseFilter(given);
      const summary = summarizeFilter(given);

      assert.ok(summary.length > 0 && [...summary].length <= 200);
      assert.doesNotMatch(summary, /\n|undefined|null|NaN|\[object/);
    }),
    { numRuns: 1000 },
  );
});

const listing = aListingWith({
  year: 2023,
  full_set_status: ["WATCH_AND_BOX", "WATCH_AND_CARD"],
  price_amount_minor: 1_200_000,
  price_currency: "USD",
  price_eur_minor: 1_100_000,
  phone_number: "85291234567",
});

test("each clause that fails is described with what it asks for and what the listing has", () => {
  for (const [filter, failure] of [
    [
      { brand: ["patek philippe", "Unknown & Co"] },
      { member: "brand", expected: "Patek Philippe or unknownco", actual: "Rolex" },
    ],
    [
      { brand: ["?"] },
      { member: "brand", expected: "values that no listing can have", actual: "Rolex" },
    ],
    [{ dial_type: ["blue"] }, { member: "dial_type", expected: "blue" }],
    [
      { full_set_status: ["FULL_SET"] },
      {
        member: "full_set_status",
        expected: "FULL_SET",
        actual: "WATCH_AND_BOX or WATCH_AND_CARD",
      },
    ],
    [
      { years: [2001, 2002, 2003, 2004, 2005, 2006, 2007] },
      {
        member: "years",
        expected: "2001 or 2002 or 2003 or 2004 or 2005 or 2 more",
        actual: "2023",
      },
    ],
    [{ year: { gte: 2024 } }, { member: "year", expected: "at least 2024", actual: "2023" }],
    [
      { year: { gte: 2019, lte: 2020 } },
      { member: "year", expected: "2019 to 2020", actual: "2023" },
    ],
    [
      { price: { lte: 1 } },
      {
        member: "price",
        expected: "at most 1 in hundredths of EUR",
        actual: "1200000 in USD, which is 1100000 in EUR",
      },
    ],
    [
      { country_codes: { exclude: ["852"] } },
      { member: "country_codes", expected: "anything but 852", actual: "85291234567" },
    ],
    [
      { text_search: { query: "full set", mode: "exact" } },
      { member: "text_search", expected: "the words full set (exact)", actual: "others" },
    ],
  ] as const) {
    assert.deepEqual(listFailures(parseFilter(filter), listing, CONTEXT), [failure]);
  }
});

test("a listing that is left out by its set says which sets are compared", () => {
  const watchOnly = aListingWith({ full_set_status: ["WATCH"] });
  const filter = parseFilters([{}, {}], { sets: "papers" });

  const expected = "FULL_SET or WATCH_AND_CARD, or nothing said";
  assert.deepEqual(listFailures(filter, watchOnly, CONTEXT), [
    { member: "sets", expected, actual: "WATCH" },
  ]);
});

test("a clause that holds is not described", () => {
  const filter = parseFilter({ brand: ["Rolex"], year: { gte: 2024 } });

  const failures = listFailures(filter, listing, CONTEXT);

  assert.deepEqual(failures, [{ member: "year", expected: "at least 2024", actual: "2023" }]);
});
