import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DAY_MS } from "../../../src/base/clock.ts";
import { parseFilter } from "../../../src/filters/language/filter.ts";
import { summarizeFilter } from "../../../src/filters/language/summary.ts";
import { anyFilterObject } from "../../support/filter-arbitraries.ts";

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
    [{ years: [2019, 2020, 2021, 2022, 2023] }, "2019, 2020, 2021 or 2 more"],
    [
      { country_codes: { include: ["44"], exclude: ["852"] }, has_media: true },
      "from country 44, not from country 852, with media",
    ],
    [
      { q: "full  set", text_search: { query: "naked", mode: "exact_light" } },
      'text "full set", text "naked" (exact light)',
    ],
    [
      { from_ms: 0, last_seen_at_ms: { gte: DAY_MS } },
      "seen from 1970-01-02, sent from 1970-01-01",
    ],
  ] as const) {
    parseFilter(given);
    assert.equal(summarizeFilter(given), line);
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
