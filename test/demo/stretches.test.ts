import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/base/clock.ts";
import { listStretches } from "../../src/demo/market-events.ts";

const TO_MS = Date.UTC(2026, 2, 1, 10, 17);

/** A market with an event every so often. */
function listEvery(everyMs: number, fromMs: number) {
  const events: { readonly atMs: number }[] = [];
  for (let atMs = fromMs; atMs < TO_MS; atMs += everyMs) events.push({ atMs });
  return { events, stretches: listStretches(events, { fromMs, toMs: TO_MS }) };
}

function lengthsOf(fromMs: number): readonly number[] {
  const { stretches } = listEvery(MINUTE_MS, fromMs);
  return stretches.map(({ endMs }, at) => endMs - (stretches[at - 1]?.endMs ?? fromMs));
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

test("each event is in one stretch, in order, and those with few events are joined", () => {
  const { events, stretches } = listEvery(HOUR_MS, TO_MS - 30 * DAY_MS);

  assert.deepEqual(
    stretches.flatMap((stretch) => stretch.events),
    events,
  );
  // Three days have 72 events. The last two days are joined to the first three hours of the last one.
  assert.deepEqual(
    stretches.map((stretch) => stretch.events.length),
    [...Array(9).fill(72), 51, 9, 8, 4],
  );
});
