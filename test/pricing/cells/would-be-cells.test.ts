import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DAY_MS } from "../../../src/base/clock.ts";
import {
  backcastCell,
  countPoints,
  type DatedAsk,
} from "../../../src/pricing/cells/would-be-cells.ts";
import { aMember, anyMembers, anyRules, calculate, rulesWith } from "../../support/pricing.ts";
import { NOW_MS } from "../../support/test-app.ts";

const KEY = { year: 2023, condition_bucket: "new" } as const;

test("an ask counts from the first time it was seen until it is older than the look-back, and again when it is repeated", async () => {
  const ask = {
    ...aMember({ price_eur_minor: 1_000_000 }),
    seen_at_ms: [NOW_MS - 60 * DAY_MS, NOW_MS - 10 * DAY_MS],
  };
  const steps = { fromMs: NOW_MS - 70 * DAY_MS, toMs: NOW_MS, stepMs: 10 * DAY_MS };

  const points = await backcastCell([ask], KEY, {
    rules: rulesWith({ minimum_listings: 1 }),
    steps,
  });

  assert.deepEqual(
    points.map(({ calculated_at_ms, status }) => [(calculated_at_ms - NOW_MS) / DAY_MS, status]),
    [
      [-70, "gone"],
      [-60, "available"],
      [-50, "available"],
      [-40, "available"],
      [-30, "available"],
      [-20, "gone"],
      [-10, "available"],
      [0, "available"],
    ],
  );
});

test("points are counted back from the last one, both bounds included", () => {
  assert.equal(countPoints({ fromMs: 0, toMs: 10, stepMs: 5 }), 3);
  assert.equal(countPoints({ fromMs: 1, toMs: 10, stepMs: 5 }), 2);
  assert.equal(countPoints({ fromMs: 10, toMs: 10, stepMs: 5 }), 1);
  assert.equal(countPoints({ fromMs: 11, toMs: 10, stepMs: 5 }), 0);
});

function toTimes(daysAgo: readonly number[]): readonly number[] {
  return daysAgo.map((days) => NOW_MS - days * DAY_MS).sort((left, right) => left - right);
}

test("every point is the cell that a calculation at that time would have had", async () => {
  const anySeen = fc.array(fc.integer({ min: 0, max: 80 }), { minLength: 1, maxLength: 4 });
  let pricedCount = 0;
  await fc.assert(
    fc.asyncProperty(
      anyMembers,
      anyRules,
      fc.infiniteStream(anySeen),
      async (members, rules, seen) => {
        const asks: readonly DatedAsk[] = members.map((member) => ({
          ...member,
          ...KEY,
          seen_at_ms: toTimes(seen.next().value ?? []),
        }));
        const steps = { fromMs: NOW_MS - 90 * DAY_MS, toMs: NOW_MS, stepMs: 7 * DAY_MS };

        const points = await backcastCell(asks, KEY, { rules, steps });

        for (const point of points) {
          const known = asks.flatMap((ask) => {
            const times = ask.seen_at_ms.filter((atMs) => atMs <= point.calculated_at_ms);
            return times.length === 0 ? [] : [{ ...ask, last_seen_at_ms: Math.max(...times) }];
          });
          const [cell] = calculate(known, rules, point.calculated_at_ms);
          assert.equal(point.status, cell?.status ?? "gone");
          assert.equal(point.listing_count, cell?.listing_count ?? 0);
          assert.equal(
            point.market_average_eur_minor ?? null,
            cell?.market_average_eur_minor ?? null,
          );
          if (point.status === "available") pricedCount += 1;
        }
      },
    ),
    { numRuns: 30 },
  );
  assert.ok(pricedCount > 0);
});
