import assert from "node:assert/strict";
import { test } from "node:test";
import { findPlausibleRange, isSuspect } from "../../../src/pricing/cells/plausible-range.ts";

const RULES = { implausible_below_bps: 5_000, implausible_above_bps: 30_000 };

function keep(asks: readonly number[], rules = RULES): readonly number[] {
  const range = findPlausibleRange(asks, rules);
  return range === undefined ? asks : asks.filter((ask) => !isSuspect(ask, range));
}

test("an ask below half or above three times the median is suspect, one at a bound is not", () => {
  assert.deepEqual(keep([5_000, 10_000, 30_000]), [5_000, 10_000, 30_000]);
  assert.deepEqual(keep([4_999, 10_000, 30_000]), [10_000, 30_000]);
  assert.deepEqual(keep([5_000, 10_000, 30_001]), [5_000, 10_000]);
});

test("two asks have no bounds, because either of them may be wrong", () => {
  assert.equal(findPlausibleRange([], RULES), undefined);
  assert.equal(findPlausibleRange([1, 10_000], RULES), undefined);
});

test("a median of 0 gives no bounds", () => {
  assert.equal(findPlausibleRange([0, 0, 10_000], RULES), undefined);
  assert.equal(findPlausibleRange([0, 0, 0, 10_000], RULES), undefined);
  assert.deepEqual(keep([0, 0, 1, 1]), [1, 1]);
});

test("a median of half a minor unit is not rounded before it is compared", () => {
  // The median is 7.5. With 8 instead, the bounds would be 4 and 24.
  assert.deepEqual(findPlausibleRange([3, 7, 8, 23], RULES), {
    plausible_min_eur_minor: 4,
    plausible_max_eur_minor: 22,
    ask_median_eur_minor: 8,
  });
  assert.deepEqual(keep([3, 7, 8, 23]), [7, 8]);
});

test("with shares of 0 % and 100 % nothing is too low, and all above the median is too high", () => {
  const rules = { implausible_below_bps: 0, implausible_above_bps: 10_000 };

  assert.deepEqual(keep([0, 10_000, 10_001], rules), [0, 10_000]);
});

test("bounds above 2^53 are cut there, so that they can be stored exactly", () => {
  const max = Number.MAX_SAFE_INTEGER;

  const range = findPlausibleRange([max, max, max], {
    implausible_below_bps: 10_000,
    implausible_above_bps: 1_000_000,
  });

  assert.equal(range?.plausible_min_eur_minor, max);
  assert.equal(range?.plausible_max_eur_minor, max);
});

test("a cell without bounds has no suspect ask", () => {
  assert.equal(
    isSuspect(1, { plausible_min_eur_minor: null, plausible_max_eur_minor: null }),
    false,
  );
});
