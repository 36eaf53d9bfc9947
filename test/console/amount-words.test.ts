import assert from "node:assert/strict";
import { test } from "node:test";
import type { ParsedAmount } from "../../client/assay-client.ts";
import { describeRead, isFar, showBare } from "../../console/parts/read-amounts.ts";

const read = (amount_minor: number, more: Partial<ParsedAmount> = {}): ParsedAmount => ({
  amount: { amount_minor, currency: "HKD" },
  ...more,
});
const near = (bps: number) => ({ bps, is_far: false });
const far = (bps: number) => ({ bps, is_far: true });

test("what was understood is said with the distance from the ask, else from the market", () => {
  assert.equal(describeRead(read(13_800_000), "ask"), "HK$138,000");
  assert.equal(
    describeRead(read(13_800_000, { ask: near(-350), market: near(-1_200) }), "ask"),
    "HK$138,000, 3.5% below the ask",
  );
  assert.equal(describeRead(read(100, { ask: near(0) }), "ask"), "HK$1, the same as the ask");
  assert.equal(
    describeRead(read(13_800_050, { market: near(250) }), "ask"),
    "HK$138,000.50, 2.5% above the market",
  );
  assert.equal(
    describeRead(read(100, { ask: far(95_000), market: near(10) }), "ask"),
    "HK$1, 11 times the ask",
  );
  assert.equal(
    describeRead(read(100, { ask: near(10), market: far(-6_000) }), "ask"),
    "HK$1, 60.0% below the market",
  );
  assert.equal(describeRead({ problem: "no_amount" }, "ask"), "");
});

test("a field that corrects the ask is compared with the market only, and is not asked about for the ask", () => {
  const found = read(100, { ask: far(95_000), market: near(10) });

  assert.equal(isFar(found, "ask"), true);
  assert.equal(isFar(found, "market"), false);
  assert.equal(isFar(read(100, { ask: near(1), market: far(-6_000) }), "ask"), true);
  assert.equal(describeRead(found, "market"), "HK$1, 0.1% above the market");
});

test("costs are said as a share of the ask only if they are much of it", () => {
  assert.equal(describeRead(read(16_500, { ask: near(-9_960) }), "share"), "HK$165");
  assert.equal(describeRead(read(16_500, { ask: far(-3_700) }), "share"), "HK$165, 63% of the ask");
  assert.equal(isFar(read(16_500, { ask: far(-3_700) }), "share"), true);
});

test("beside its currency an amount is shown with its separators and hundredths", () => {
  assert.equal(showBare({ amount_minor: 13_800_000 }), "138,000");
  assert.equal(showBare({ amount_minor: 900_050 }), "9,000.50");
});
