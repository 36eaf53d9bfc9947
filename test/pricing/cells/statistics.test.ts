import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sql } from "../../../src/db/sql.ts";
import {
  findFences,
  findPlausibleRange,
  isOutlier,
  isSuspect,
  mean,
  quantile,
  shareOf,
} from "../../../src/pricing/cells/statistics.ts";
import { borrowTestDatabase } from "../../support/shared-store.ts";

const RULES = { implausible_below_bps: 5_000, implausible_above_bps: 30_000 };

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

const ascending = (amounts: readonly number[]) => [...amounts].sort((left, right) => left - right);

const anAmount = fc.oneof(
  fc.integer({ min: 0, max: 20 }),
  fc.integer({ min: 0, max: 100_000_000 }),
  fc.integer({ min: 0, max: 2 ** 52 }),
);

const someAmounts = fc.array(anAmount, { minLength: 1, maxLength: 40 }).map(ascending);

const aShare = fc.integer({ min: 0, max: 10_000 });

function dropOutliers(amounts: readonly number[]): readonly number[] {
  const fences = findFences(amounts);
  return fences === undefined ? amounts : amounts.filter((amount) => !isOutlier(amount, fences));
}

/** A fraction of integers, rounded half up by comparing twice the remainder. */
function roundHalfUp(dividend: bigint, divisor: bigint): bigint {
  const whole = dividend / divisor;
  return 2n * (dividend % divisor) >= divisor ? whole + 1n : whole;
}

/** The textbook definition: the rank is a fraction, and the value is interpolated between its neighbours. */
function slowQuantile(amounts: readonly number[], bps: number): bigint {
  const at = Math.floor(((amounts.length - 1) * bps) / 10_000);
  const rest = BigInt((amounts.length - 1) * bps - at * 10_000);
  const low = BigInt(amounts[at] ?? 0);
  const high = BigInt(amounts[at + 1] ?? amounts[at] ?? 0);
  return roundHalfUp(low * (10_000n - rest) + high * rest, 10_000n);
}

test("a quantile is exactly that of the textbook definition", () => {
  fc.assert(
    fc.property(someAmounts, aShare, (amounts, bps) => {
      assert.equal(BigInt(quantile(amounts, bps)), slowQuantile(amounts, bps));
    }),
  );
});

test("a half is rounded up", () => {
  assert.equal(quantile([0, 1], 5_000), 1);
  assert.equal(quantile([0, 1], 4_999), 0);
  assert.equal(mean([0, 1]), 1);
  assert.equal(mean([0, 0, 1]), 0);
  assert.equal(shareOf(1, 5_000), 1);
  assert.equal(shareOf(1, 4_999), 0);
});

test("a mean is exact even if the sum exceeds a double's precision", () => {
  fc.assert(
    fc.property(someAmounts, (amounts) => {
      const sum = amounts.reduce((total, amount) => total + BigInt(amount), 0n);
      assert.equal(BigInt(mean(amounts)), roundHalfUp(sum, BigInt(amounts.length)));
    }),
  );
});

test("a share is exact even if the product exceeds a double's precision", () => {
  fc.assert(
    fc.property(anAmount, aShare, (amount, bps) => {
      assert.equal(
        BigInt(shareOf(amount, bps)),
        roundHalfUp(BigInt(amount) * BigInt(bps), 10_000n),
      );
    }),
  );
});

test("quantiles agree with PostgreSQL's percentile_cont within one minor unit", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const someAsks = fc.array(fc.integer({ min: 0, max: 1_000_000_000 }), {
    minLength: 1,
    maxLength: 60,
  });

  await fc.assert(
    fc.asyncProperty(someAsks, aShare, async (asks, bps) => {
      const [row] = await pool.query<{ value: number }>(sql`
        select percentile_cont(${bps / 10_000}::float8) within group (order by ask) as value
          from unnest(${`{${asks.join(",")}}`}::bigint[]) as given (ask)`);

      const difference = Math.abs(quantile(ascending(asks), bps) - (row?.value ?? Number.NaN));

      assert.ok(difference <= 1, `differs by ${difference}`);
    }),
    { numRuns: process.env["ASSAY_TEST_LONG"] === undefined ? 100 : 5_000 },
  );
});

test("outliers are more than 1.5 interquartile ranges outside the quartiles, and four asks have none", () => {
  // Q1 100, Q3 104: the fences are 94 and 110.
  assert.deepEqual(dropOutliers([94, 100, 102, 104, 110]), [94, 100, 102, 104, 110]);
  assert.deepEqual(dropOutliers([93, 100, 102, 104, 110]), [100, 102, 104, 110]);
  assert.deepEqual(dropOutliers([94, 100, 102, 104, 111]), [94, 100, 102, 104]);
  assert.deepEqual(dropOutliers([1, 100, 102, 104]), [1, 100, 102, 104]);
});

test("an amount just outside a fractional fence is dropped, and one just inside is kept", () => {
  // Q1 101, Q3 102: the fences are 99.5 and 103.5.
  assert.deepEqual(dropOutliers([99, 101, 101, 102, 104]), [101, 101, 102]);
  assert.deepEqual(dropOutliers([100, 101, 101, 102, 103]), [100, 101, 101, 102, 103]);
});

test("outliers are the same as in a slow implementation", () => {
  fc.assert(
    fc.property(someAmounts, (amounts) => {
      const low = slowQuantile(amounts, 2_500);
      const high = slowQuantile(amounts, 7_500);
      const isWithin = (amount: number) =>
        2n * BigInt(amount) >= 5n * low - 3n * high && 2n * BigInt(amount) <= 5n * high - 3n * low;
      const expected = amounts.length < 5 ? amounts : amounts.filter(isWithin);

      assert.deepEqual(dropOutliers(amounts), expected);
    }),
  );
});

function keep(asks: readonly number[], rules = RULES): readonly number[] {
  const range = findPlausibleRange(asks, rules);
  return range === undefined ? asks : asks.filter((ask) => !isSuspect(ask, range));
}
