import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createBuckets, createMinuteBuckets } from "../../../src/base/shares/bucket.ts";
import { createTestClock } from "../../support/test-app.ts";

test("a bucket may be used up in one burst, and refills evenly", () => {
  const clock = createTestClock();
  const buckets = createMinuteBuckets({ perMinute: 60, clock });

  for (let at = 0; at < 60; at += 1) assert.equal(buckets.take("a"), undefined);
  assert.equal(buckets.take("a"), 1);
  assert.equal(buckets.take("b"), undefined, "each key has a bucket of its own");
  clock.advance(1_000);

  assert.equal(buckets.take("a"), undefined);
  assert.equal(buckets.take("a"), 1);
});

test("what is spent may exceed what is there, and then the key waits until it has come back", () => {
  const clock = createTestClock();
  const buckets = createBuckets({ size: 10_000, perSecond: 300, clock });

  buckets.spend("a", 10_000);
  assert.equal(buckets.findWait("a"), undefined, "an empty bucket owes nothing");
  buckets.spend("a", 3_000);
  assert.equal(buckets.findWait("a"), 10);
  assert.equal(buckets.findWait("b"), undefined);
  clock.advance(10_000);

  assert.equal(buckets.findWait("a"), undefined);
});

test("a rate of 0 means no limit", () => {
  const buckets = createMinuteBuckets({ perMinute: 0, clock: createTestClock() });

  for (let at = 0; at < 10_000; at += 1) assert.equal(buckets.take("key"), undefined);
  buckets.spend("key", 1e9);
  assert.equal(buckets.findWait("key"), undefined);
});

test("the memory of buckets is bounded, however many keys there are", () => {
  const buckets = createMinuteBuckets({ perMinute: 1, clock: createTestClock() });
  buckets.take("first");

  assert.notEqual(buckets.take("first"), undefined);
  for (let at = 0; at < 20_000; at += 1) buckets.take(`caller ${at}`);

  assert.equal(buckets.take("first"), undefined, "it is forgotten");
});

test("whatever is taken and spent, no key gets more in a time than its size and what came back", () => {
  const step = fc.record({
    isSpent: fc.boolean(),
    amount: fc.integer({ min: 1, max: 8 }),
    afterMs: fc.integer({ min: 0, max: 3_000 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const clock = createTestClock();
      const buckets = createBuckets({ size: 10, perSecond: 2, clock });
      let level = 10;
      for (const { isSpent, amount, afterMs } of steps) {
        clock.advance(afterMs);
        level = Math.min(10, level + (afterMs * 2) / 1_000);
        if (isSpent) {
          if (buckets.findWait("a") === undefined) {
            buckets.spend("a", amount);
            level -= amount;
          }
        } else if (buckets.take("a", amount) === undefined) {
          level -= amount;
          assert.ok(level > -1e-6, "what is taken was there");
        }
        assert.equal(buckets.findWait("a") !== undefined, level < -1e-6);
      }
    }),
  );
});
