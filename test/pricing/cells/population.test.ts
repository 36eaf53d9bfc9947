import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DAY_MS } from "../../../src/base/clock.ts";
import { describePopulation } from "../../../src/pricing/cells/population.ts";
import { mean } from "../../../src/pricing/cells/statistics.ts";
import {
  aMember,
  anyMembers,
  anyRules,
  calculate,
  calculatorOf,
  rulesWith,
} from "../../support/pricing.ts";
import { NOW_MS } from "../../support/test-app.ts";

const KEY = { year: 2023, condition_bucket: "new" } as const;

/** Five asks that count, then one of each other role. */
function asksOfEveryRole() {
  const asks = [9_500, 9_800, 10_000, 10_200, 10_400].map((euros) =>
    aMember({ price_eur_minor: euros * 100 }),
  );
  const again = aMember({
    contact_id: asks[0]?.contact_id ?? "",
    price_eur_minor: 970_000,
    last_seen_at_ms: NOW_MS - 1,
  });
  return [
    ...asks,
    again,
    aMember({ price_eur_minor: 1_500_000 }),
    aMember({ price_eur_minor: 202_400 }),
    aMember({ last_seen_at_ms: NOW_MS - 30 * DAY_MS - 1 }),
  ];
}

const RULES = rulesWith({ excludes_outliers: true });

test("each ask has the role that says why it does not count", () => {
  const population = describePopulation(asksOfEveryRole(), KEY, { rules: RULES, nowMs: NOW_MS });

  assert.deepEqual(
    population.items.map(({ role }) => role),
    [...Array(5).fill("counted"), "superseded", "outlier", "suspect", "aged_out"],
  );
  // Q1 9,850 and Q3 10,350, of the six asks that are not suspect.
  assert.equal(population.lower_fence_eur_minor, 910_000);
  assert.equal(population.upper_fence_eur_minor, 1_110_000);
});

/** Asks of one cell that are close to each other, with some outliers. */
const closeMembers = anyMembers.map((members) =>
  members.map((member, at) => ({
    ...member,
    ...KEY,
    price_eur_minor: at % 6 === 5 ? 1_400_000 : 1_000_000 + at * 100,
  })),
);

test("the mean and the number of the counted asks are those of the cell", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.oneof(anyMembers, closeMembers), anyRules, (members, rules) => {
      const cells = calculate(members, rules);
      for (const cell of cells) {
        const inCell = members.filter(
          ({ year, condition_bucket }) =>
            year === cell.year && condition_bucket === cell.condition_bucket,
        );
        const { items } = describePopulation(inCell, cell, { rules, nowMs: NOW_MS });
        const counted = items.filter(({ role }) => role === "counted");
        assert.equal(items.length, inCell.length);
        assert.equal(counted.length, cell.listing_count);
        if (cell.market_average_eur_minor !== null) {
          assert.equal(
            mean(counted.map((ask) => ask.comparable_ask_eur_minor)),
            cell.market_average_eur_minor,
          );
        }
        assert.equal(
          items.filter(({ role }) => role === "suspect").length,
          calculatorOf(inCell, rules).listSuspects().length,
        );
        for (const { role } of items) seen.add(role);
      }
    }),
    { examples: [[asksOfEveryRole(), RULES]] },
  );
  assert.deepEqual([...seen].sort(), ["aged_out", "counted", "outlier", "superseded", "suspect"]);
});
