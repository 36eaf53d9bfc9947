import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  maximumBuy,
  maximumHkAsk,
  meetsThreshold,
  toComparableAsk,
} from "../../src/pricing/thresholds.ts";

const aMarkup = fc.record({
  rateBps: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 30_000 })),
  fixedEurMinor: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 100_000 })),
});
const aMaximum = fc.oneof(
  fc.integer({ min: 0, max: 50_000 }),
  fc.integer({ min: 0, max: 10_000_000_000 }),
);

test("the maximum ask in Hong Kong is exactly the highest ask that still qualifies", () => {
  fc.assert(
    fc.property(aMaximum, aMarkup, (maximum, markup) => {
      const ask = maximumHkAsk(maximum, markup);
      const comparable = (askMinor: number) =>
        toComparableAsk(askMinor, "HK", markup).comparableAskEurMinor;

      assert.ok(comparable(ask + 1) > maximum, "one more qualifies too");
      assert.ok(ask === 0 || comparable(ask) <= maximum, "it does not qualify itself");
    }),
    { numRuns: 2_000 },
  );
});

test("the maximum ask in Hong Kong is 0 if the fixed amount exceeds the maximum", () => {
  assert.equal(maximumHkAsk(14_999, { rateBps: 500, fixedEurMinor: 15_000 }), 0);
  assert.equal(maximumHkAsk(15_000, { rateBps: 500, fixedEurMinor: 15_000 }), 0);
  assert.equal(maximumHkAsk(15_001, { rateBps: 500, fixedEurMinor: 15_000 }), 1);
});

test("the mark-up is rounded half up, and is 0 in the EU", () => {
  const markup = { rateBps: 500, fixedEurMinor: 0 };

  assert.equal(toComparableAsk(10, "HK", markup).hkMarkupEurMinor, 1);
  assert.equal(toComparableAsk(9, "HK", markup).hkMarkupEurMinor, 0);
  assert.equal(toComparableAsk(10, "EU", markup).comparableAskEurMinor, 10);
});

test("a maximum is never below 0, and with a maximum of 0 no ask qualifies", () => {
  assert.equal(maximumBuy(50_000, 50_001), 0);
  assert.equal(maximumBuy(50_000, 50_000), 0);
  assert.equal(meetsThreshold(0, 0), false);
  assert.equal(meetsThreshold(1, 1), true);
  assert.equal(meetsThreshold(2, 1), false);
});
