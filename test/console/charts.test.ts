import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { CellPoint, PopulationAsk } from "../../client/assay-client.ts";
import { hongKongMaximum, joinSeries, toOffer } from "../../console/pages/reference/cell-prices.ts";
import { layOutChart } from "../../console/pages/reference/chart-layout.ts";
import {
  linearScale,
  roundTicks,
  stepBand,
  stepLine,
} from "../../console/pages/reference/chart-scale.ts";
import { maximumHkAsk } from "../../src/pricing/thresholds.ts";

test("ticks are round, within the bounds, and about as many as asked for", () => {
  assert.deepEqual(roundTicks(9_830, 14_120, 5), [10_000, 11_000, 12_000, 13_000, 14_000]);
  assert.deepEqual(roundTicks(0, 1, 4), [0, 0.5, 1]);
  fc.assert(
    fc.property(fc.nat(2_000_000_000), fc.integer({ min: 1, max: 2_000_000_000 }), (low, span) => {
      const ticks = roundTicks(low, low + span, 5);
      assert.ok(ticks.length >= 1 && ticks.length <= 7, String(ticks));
      assert.ok(ticks.every((tick) => tick >= low && tick <= low + span));
    }),
  );
});

test("a scale without a span puts everything at its start", () => {
  assert.equal(linearScale({ values: [5, 5], pixels: [10, 20] })(5), 10);
  assert.equal(linearScale({ values: [0, 10], pixels: [100, 0] })(2.5), 75);
});

test("a value holds until the next one, and a missing one leaves a gap", () => {
  const values = [
    { x: 0, y: 10 },
    { x: 5, y: 12 },
    { x: 8, y: undefined },
    { x: 9, y: 11 },
  ];

  assert.equal(stepLine(values, 20), "M0 10H5V12H8M9 11H20");
  assert.equal(
    stepBand(
      [
        { x: 0, low: 20, high: 10 },
        { x: 5, low: 22, high: 12 },
        { x: 8, low: undefined, high: undefined },
      ],
      20,
    ),
    "M0 10H5V12H8V22H5V20H0Z",
  );
});

test("recorded values follow on those that were worked out afterwards, and none is before the period", () => {
  const at = (calculated_at_ms: number): CellPoint => ({
    calculated_at_ms,
    status: "available",
    listing_count: calculated_at_ms,
  });
  const backcast = [at(1), at(2), at(3)];
  const shown = (recorded: readonly CellPoint[], fromMs: number) =>
    joinSeries({ backcast, recorded, fromMs }).map(
      (point) => `${point.basis} ${point.calculated_at_ms} ${point.listing_count}`,
    );

  assert.deepEqual(shown([at(2.5), at(9)], 0), [
    "backcast 1 1",
    "backcast 2 2",
    "recorded 2.5 2.5",
    "recorded 9 9",
  ]);
  assert.deepEqual(shown([], 2), ["backcast 2 2", "backcast 3 3"]);
  assert.deepEqual(shown([at(0.5), at(9)], 4), ["recorded 4 0.5", "recorded 9 9"]);
});

test("an ask far from what counts is drawn at the edge, and does not shrink the rest", () => {
  const ask = (euros: number, role: PopulationAsk["role"]): PopulationAsk => ({
    listing_id: String(euros),
    source_market: "EU",
    original_ask_eur_minor: euros * 100,
    comparable_ask_eur_minor: euros * 100,
    last_seen_at_ms: euros,
    role,
    is_buy: false,
    full_set_status: [],
    offer_state: "today",
  });
  const { asks, plot } = layOutChart({
    asks: [
      ask(10_000, "counted"),
      ask(11_000, "counted"),
      ask(1_000, "suspect"),
      ask(99_000, "suspect"),
    ],
    series: [],
    nowMs: 200_000_000,
    width: 800,
  });
  const placed = new Map(asks.map((each) => [each.ask.listing_id, each]));

  assert.deepEqual(
    asks.map(({ beyond }) => beyond),
    ["below", undefined, undefined, "above"],
  );
  const height = (placed.get("10000")?.y ?? 0) - (placed.get("11000")?.y ?? 0);
  assert.ok(height > (plot.bottom - plot.top) * 0.7, `${height} px`);
  assert.ok(asks.every(({ y }) => y >= plot.top && y <= plot.bottom));
});

test("the most to pay in Hong Kong is what the service calculates", () => {
  const bps = fc.nat(100_000);
  const minor = fc.nat(1_000_000_000);
  fc.assert(
    fc.property(minor, bps, minor, (maximum, rate_bps, fixed_eur_minor) => {
      assert.equal(
        hongKongMaximum(maximum, { rate_bps, fixed_eur_minor }),
        maximumHkAsk(maximum, { rateBps: rate_bps, fixedEurMinor: fixed_eur_minor }),
      );
    }),
  );
});

test("an offer has four digits that count, and is never above the most to pay", () => {
  assert.deepEqual([145_878_90, 9_999_99, 12_34, 7].map(toOffer), [145_800_00, 9_999_00, 12_34, 7]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), (most) => {
      const offer = toOffer(most);
      assert.ok(offer <= most && offer > most * 0.999);
    }),
  );
});
