import assert from "node:assert/strict";
import { test } from "node:test";
import { describeFailures } from "../../../src/filters/language/describe-clause.ts";
import { parseFilter } from "../../../src/filters/language/filter.ts";
import { CONTEXT } from "../../support/filter-arbitraries.ts";
import { aListingWith } from "../../support/listings.ts";

const listing = aListingWith({
  year: 2023,
  full_set_status: ["WATCH_AND_BOX", "WATCH_AND_CARD"],
  price_amount_minor: 1_200_000,
  price_currency: "USD",
  price_eur_minor: 1_100_000,
  phone_number: "85291234567",
});

test("each clause that fails is described with what it asks for and what the listing has", () => {
  for (const [filter, line] of [
    [
      { brand: ["patek philippe", "Unknown & Co"] },
      "brand: asks for Patek Philippe or unknownco; the listing has Rolex",
    ],
    [{ brand: ["?"] }, "brand: asks for values that no listing can have; the listing has Rolex"],
    [{ dial_type: ["blue"] }, "dial_type: asks for blue; the listing has none"],
    [
      { full_set_status: ["FULL_SET"] },
      "full_set_status: asks for FULL_SET; the listing has WATCH_AND_BOX or WATCH_AND_CARD",
    ],
    [
      { years: [2001, 2002, 2003, 2004, 2005, 2006, 2007] },
      "years: asks for 2001 or 2002 or 2003 or 2004 or 2005 or 2 more; the listing has 2023",
    ],
    [{ year: { gte: 2024 } }, "year: asks for at least 2024; the listing has 2023"],
    [{ year: { gte: 2019, lte: 2020 } }, "year: asks for 2019 to 2020; the listing has 2023"],
    [
      { price: { lte: 1 } },
      "price: asks for at most 1 in hundredths of EUR; the listing has 1200000 in USD, which is 1100000 in EUR",
    ],
    [
      { country_codes: { exclude: ["852"] } },
      "country_codes: asks for anything but 852; the listing has 85291234567",
    ],
    [
      { text_search: { query: "full set", mode: "exact" } },
      "text_search: asks for the words full set (exact); the listing has others",
    ],
  ] as const) {
    assert.deepEqual(describeFailures(parseFilter(filter), listing, CONTEXT), [line]);
  }
});

test("a clause that holds is not described", () => {
  const filter = parseFilter({ brand: ["Rolex"], year: { gte: 2024 } });

  const failures = describeFailures(filter, listing, CONTEXT);

  assert.deepEqual(failures, ["year: asks for at least 2024; the listing has 2023"]);
});
