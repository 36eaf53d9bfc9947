import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/base/time.ts";
import { listStretchEnds } from "../../src/demo/stretches.ts";

const TO_MS = Date.UTC(2026, 2, 1, 10, 17);

function lengthsOf(fromMs: number): readonly number[] {
  const ends = listStretchEnds({ fromMs, toMs: TO_MS });
  return ends.map((endMs, at) => endMs - (ends[at - 1] ?? fromMs));
}

test("a market is lived through in stretches that become shorter towards its end", () => {
  assert.deepEqual(lengthsOf(TO_MS - 90 * DAY_MS), [
    60 * DAY_MS,
    ...Array(29).fill(DAY_MS),
    ...Array(6).fill(3 * HOUR_MS),
    ...Array(12).fill(30 * MINUTE_MS),
  ]);
});

test("the stretches cover a range of any length, and an empty one has none", () => {
  assert.deepEqual(lengthsOf(TO_MS - 7 * HOUR_MS), [HOUR_MS, ...Array(12).fill(30 * MINUTE_MS)]);
  assert.deepEqual(lengthsOf(TO_MS - MINUTE_MS), [MINUTE_MS]);
  assert.deepEqual(lengthsOf(TO_MS), []);
});
