import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/base/clock.ts";
import {
  isDayMissing,
  isFetchDue,
  nextFetchAtMs,
  retryDelayMs,
} from "../../src/rates/fetch-rates.ts";

const anyMs = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) });
const anyRandom = fc.double({ min: 0, max: 0.999, noNaN: true });

test("the next fetch is within a day and a half hour, between 15:30 and 16:00 UTC", () => {
  fc.assert(
    fc.property(anyMs, anyRandom, (nowMs, random) => {
      const at = nextFetchAtMs(nowMs, random);
      assert.ok(at > nowMs && at <= nowMs + DAY_MS + 30 * MINUTE_MS);
      const timeOfDay = at % DAY_MS;
      assert.ok(timeOfDay >= 15.5 * HOUR_MS && timeOfDay < 16 * HOUR_MS);
      assert.ok(isFetchDue(at, at));
      assert.ok(!isFetchDue(at, at - 1));
    }),
  );
});

test("the delay after failures doubles from a minute to six hours, and is spread", () => {
  assert.equal(retryDelayMs(1, 0.5), MINUTE_MS);
  assert.equal(retryDelayMs(3, 0.5), 4 * MINUTE_MS);
  assert.equal(retryDelayMs(1_000, 0.5), 6 * HOUR_MS);
  assert.ok(retryDelayMs(1, 0) < retryDelayMs(1, 0.9));
});

test("a time that is too far ahead was stored before the clock was set back, and is due", () => {
  assert.ok(isFetchDue(Date.UTC(2040, 0), Date.UTC(2026, 0)));
});

test("a working day between two days may be missing, a weekend is not", () => {
  assert.equal(isDayMissing("2026-11-13", "2026-11-13"), false);
  assert.equal(isDayMissing("2026-11-13", "2026-11-16"), false);
  assert.equal(isDayMissing("2026-11-12", "2026-11-16"), true);
  assert.equal(isDayMissing("2026-11-16", "2026-11-18"), true);
  assert.equal(isDayMissing("2026-11-16", "2026-11-13"), false);
});
