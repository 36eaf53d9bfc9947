import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DAY_MS } from "../../../src/base/clock.ts";
import type { Member } from "../../../src/pricing/cells/calculate-cells.ts";
import {
  type CalculatedCell,
  CONDITION_BUCKETS,
  type PriceRules,
} from "../../../src/pricing/cells/cell.ts";
import { isSuspect } from "../../../src/pricing/cells/statistics.ts";
import { anyMembers, anyRules, calculate, calculatorOf } from "../../support/pricing.ts";
import { NOW_MS } from "../../support/test-app.ts";

/** A slow implementation that follows the specification sentence by sentence, in fractions of integers. */
function slowCells(members: readonly Member[], rules: PriceRules) {
  const population = listLatest(members, rules);
  return [2023, 2022].flatMap((year) =>
    CONDITION_BUCKETS.flatMap((condition_bucket) => {
      const asks = population.filter(
        (ask) => ask.year === year && ask.condition_bucket === condition_bucket,
      );
      return asks.length === 0 ? [] : [slowCell({ year, condition_bucket }, asks, rules)];
    }),
  );
}

type SlowAsk = Member & { readonly comparable: bigint };

function listLatest(members: readonly Member[], rules: PriceRules): readonly SlowAsk[] {
  const asks = members
    .filter((member) => NOW_MS - member.last_seen_at_ms <= rules.lookback_days * DAY_MS)
    .map((member) => {
      const original = BigInt(member.price_eur_minor);
      const markup =
        roundHalfUp(original * BigInt(rules.hk_markup_rate_bps), 10_000n) +
        BigInt(rules.hk_markup_fixed_eur_minor);
      return { ...member, comparable: original + (member.source_market === "HK" ? markup : 0n) };
    });
  const isBeaten = (ask: SlowAsk) =>
    asks.some((other) => {
      if (other.contact_id !== ask.contact_id || other.year !== ask.year) return false;
      if (other.condition_bucket !== ask.condition_bucket) return false;
      if (other.last_seen_at_ms !== ask.last_seen_at_ms) {
        return other.last_seen_at_ms > ask.last_seen_at_ms;
      }
      if (other.comparable !== ask.comparable) return other.comparable < ask.comparable;
      return other.listing_id < ask.listing_id;
    });
  return asks.filter((ask) => !isBeaten(ask));
}

function slowCell(
  key: Pick<CalculatedCell, "year" | "condition_bucket">,
  population: readonly SlowAsk[],
  rules: PriceRules,
) {
  const all = ascending(population);
  // The median is a fraction with the divisor 2.
  const twiceMedian = at(all, (all.length - 1) >> 1) + at(all, all.length >> 1);
  const isFar = (ask: bigint) =>
    all.length >= 3 &&
    twiceMedian > 0n &&
    (2n * ask * 10_000n < twiceMedian * BigInt(rules.implausible_below_bps) ||
      2n * ask * 10_000n > twiceMedian * BigInt(rules.implausible_above_bps));
  const plausible = all.filter((ask) => !isFar(ask));
  const counted = rules.excludes_outliers ? plausible.filter(isInsideFences(plausible)) : plausible;
  const isAvailable = counted.length > 0 && counted.length >= rules.minimum_listings;
  const sum = counted.reduce((total, ask) => total + ask, 0n);
  return {
    ...key,
    listing_count: counted.length,
    average: isAvailable ? Number(roundHalfUp(sum, BigInt(counted.length))) : null,
    median: isAvailable ? Number(slowQuantile(counted, 5_000n)) : null,
    suspects: population
      .filter(({ comparable }) => isFar(comparable))
      .map(({ listing_id }) => listing_id)
      .sort(),
    isSuspect: isFar,
  };
}

function isInsideFences(asks: readonly bigint[]) {
  if (asks.length < 5) return () => true;
  const low = slowQuantile(asks, 2_500n);
  const high = slowQuantile(asks, 7_500n);
  return (ask: bigint) =>
    2n * ask >= 2n * low - 3n * (high - low) && 2n * ask <= 2n * high + 3n * (high - low);
}

function slowQuantile(asks: readonly bigint[], bps: bigint): bigint {
  const rank = BigInt(asks.length - 1) * bps;
  const low = at(asks, Number(rank / 10_000n));
  const high = at(asks, Math.min(Number(rank / 10_000n) + 1, asks.length - 1));
  return low + roundHalfUp((high - low) * (rank % 10_000n), 10_000n);
}

function ascending(asks: readonly SlowAsk[]): readonly bigint[] {
  return asks.map(({ comparable }) => comparable).sort((left, right) => (left < right ? -1 : 1));
}

function at(asks: readonly bigint[], index: number): bigint {
  return asks[index] ?? 0n;
}

function roundHalfUp(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}

test("the cells are those of a slow implementation", () => {
  const seen = { suspects: 0, prices: 0 };
  fc.assert(
    fc.property(anyMembers, anyRules, (members, rules) => {
      const cells = calculate(members, rules);
      const suspects = calculatorOf(members, rules).listSuspects();

      const expected = slowCells(members, rules);
      assert.deepEqual(
        cells.map((cell) => [
          cell.year,
          cell.condition_bucket,
          cell.listing_count,
          cell.market_average_eur_minor,
          cell.market_median_eur_minor,
          cell.suspect_count,
        ]),
        expected.map((cell) => [
          cell.year,
          cell.condition_bucket,
          cell.listing_count,
          cell.average,
          cell.median,
          cell.suspects.length,
        ]),
      );
      assert.deepEqual(
        suspects.map(({ listing_id }) => listing_id).sort(),
        expected.flatMap((cell) => cell.suspects).sort(),
      );
      seen.suspects += suspects.length;
      seen.prices += expected.filter(({ average }) => average !== null).length;
    }),
  );
  assert.ok(seen.suspects > 0 && seen.prices > 0, JSON.stringify(seen));
});

test("the stored bounds separate suspect asks from the others as the exact fractions do", () => {
  fc.assert(
    fc.property(anyMembers, anyRules, (members, rules) => {
      const expected = slowCells(members, rules);

      for (const [index, cell] of calculate(members, rules).entries()) {
        const bounds = [cell.plausible_min_eur_minor ?? 0, cell.plausible_max_eur_minor ?? 0];
        for (const ask of bounds.flatMap((bound) => [bound - 1, bound, bound + 1])) {
          assert.equal(isSuspect(ask, cell), expected[index]?.isSuspect(BigInt(ask)), `${ask}`);
        }
      }
    }),
  );
});

test("the order of the listings does not matter", () => {
  fc.assert(
    fc.property(anyMembers, anyRules, fc.infiniteStream(fc.nat()), (members, rules, numbers) => {
      const shuffled = members
        .map((member) => ({ member, rank: numbers.next().value ?? 0 }))
        .sort((left, right) => left.rank - right.rank)
        .map(({ member }) => member);

      assert.deepEqual(calculate(shuffled, rules), calculate(members, rules));
      assert.deepEqual(
        calculatorOf(shuffled, rules).listSuspects(),
        calculatorOf(members, rules).listSuspects(),
      );
    }),
  );
});
