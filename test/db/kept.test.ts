import assert from "node:assert/strict";
import { test } from "node:test";
import { createKept, createKeptRead } from "../../src/db/kept.ts";
import { aFeed, createTestClock } from "../support/test-app.ts";

test("what a value takes in addition counts, and the oldest makes room for it", async () => {
  const feed = aFeed();
  const kept = createKept<{ readonly size: number }>({
    changes: { feed, topic: "x" },
    sizeMax: 10_000,
    sizeOf: ({ size }) => size,
  });
  const [old, recent, other] = [{ size: 4_500 }, { size: 4_500 }, { size: 4_500 }] as const;
  await kept.read("old", async () => old);
  await kept.read("recent", async () => recent);

  kept.grow("recent", other, 5_000);
  assert.equal(kept.find("old"), old);

  kept.grow("recent", recent, 5_000);
  assert.equal(kept.find("old"), undefined);
  assert.equal(kept.find("recent"), recent);

  // The place is free again with its value.
  feed.announce(["recent"]);
  await kept.read("old", async () => old);
  await kept.read("other", async () => other);
  assert.ok(kept.find("old") === old && kept.find("other") === other);
});

test("a change drops the values of its ids, or all if the keys have other ids", async () => {
  const feed = aFeed();
  const byId = createKept<number>({ changes: { feed, topic: "x" }, sizeMax: 10 });
  const whole = createKept<number>({ changes: { feed, topic: "x", isForAll: true }, sizeMax: 10 });
  for (const [at, key] of ["a 1", "a 2", "b"].entries()) {
    await byId.read(key, async () => at);
    await whole.read(key, async () => at);
  }
  const found = () => ["a 1", "a 2", "b"].map((key) => [byId.find(key), whole.find(key)]);

  feed.announce(["a"]);
  assert.deepEqual(found(), [
    [undefined, undefined],
    [undefined, undefined],
    [2, undefined],
  ]);
  feed.announce();
  assert.equal(byId.find("b"), undefined);
});

test("while the feed is interrupted, neither a value nor a read in progress is shared", async () => {
  const feed = aFeed();
  const kept = createKept<string>({ changes: { feed, topic: "x" }, sizeMax: 10 });
  await kept.read("a", async () => "kept");
  const { load, answers } = heldLoad();
  const before = kept.read("b", load);
  feed.cut();

  const after = kept.read("b", load);
  answers[0]?.("first");
  answers[1]?.("second");

  assert.equal(kept.find("a"), undefined);
  assert.deepEqual(await Promise.all([before, after]), ["first", "second"]);
});

test("an absent value is not kept, and `renew` does not use a kept one", async () => {
  const kept = createKept<string | undefined>({ sizeMax: 10 });
  const values = [undefined, "one", "two", undefined];
  const load = async () => values.shift();

  assert.equal(await kept.read("a", load), undefined);
  assert.equal(await kept.read("a", load), "one");
  assert.equal(await kept.read("a", load), "one");
  assert.equal(await kept.renew("a", load), "two");
  assert.equal(kept.find("a"), "two");
  assert.equal(await kept.renew("a", load), undefined);
  assert.equal(kept.find("a"), undefined);
});

test("a single read is kept by its age, counted from its start, and a failure is not kept", async () => {
  const clock = createTestClock();
  let count = 0;
  const read = createKeptRead({ clock, maxMs: 1_000 }, async () => {
    count += 1;
    clock.advance(400);
    if (count === 1) throw new Error("refused");
    return count;
  });

  await assert.rejects(read(), /refused/);
  assert.equal(await read(), 2);
  clock.advance(599);
  assert.equal(await read(), 2);
  clock.advance(1);
  assert.equal(await read(), 3);
});

/** Loads that end when the test says so, in the order in which they began. */
function heldLoad() {
  const answers: ((text: string) => void)[] = [];
  const load = () =>
    new Promise<string>((answer) => {
      answers.push(answer);
    });
  return { load, answers };
}
