import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createHeavyReads, type HeavyReads } from "../../../src/api/cache/heavy-reads.ts";
import type { Read } from "../../../src/db/reads.ts";
import { aCaller } from "../../support/api/callers.ts";
import { createTestClock, until } from "../../support/test-app.ts";

/** A store that answers when the test says so. */
function openSlowStore() {
  const open: { answer: (value: string) => void; fail: (error: Error) => void }[] = [];
  const read: Read = (ask) => ask({} as never);
  const ask = () =>
    new Promise<string>((answer, fail) => {
      open.push({ answer, fail });
    });
  return { open, read, ask };
}

/** As one token asks. */
function openHeavyReads(options: Parameters<typeof createHeavyReads>[0]): HeavyReads {
  const heavy = createHeavyReads(options);
  return { read: (key, ask) => heavy.read(key, ask, aCaller("a token")) };
}

test("equal questions share one read, whose answer is kept for a second", async () => {
  const { open, read, ask } = openSlowStore();
  const clock = createTestClock();
  const heavy = openHeavyReads({ read, clock, isBusy: () => false });

  const both = [heavy.read("a", ask), heavy.read("a", ask)];
  await until(() => open.length === 1);
  open[0]?.answer("first");

  assert.deepEqual(await Promise.all(both), ["first", "first"]);
  clock.advance(999);
  assert.equal(await heavy.read("a", ask), "first");
  clock.advance(1);
  const later = heavy.read("a", ask);
  await until(() => open.length === 2);
  open[1]?.answer("second");
  assert.equal(await later, "second");
});

test("two reads of a token run at a time, and the next starts when one has ended, also if it failed", async () => {
  const { open, read, ask } = openSlowStore();
  const heavy = openHeavyReads({ read, clock: createTestClock(), isBusy: () => false });

  const answers = ["a", "b", "c", "d"].map((key) => heavy.read(key, ask));
  const failure = assert.rejects(answers[0] ?? Promise.resolve(), /broken/);
  await until(() => open.length === 2);
  open[0]?.fail(new Error("broken"));
  await failure;
  await until(() => open.length === 3);
  open[1]?.answer("b");
  await until(() => open.length === 4);
  open[2]?.answer("c");
  open[3]?.answer("d");

  assert.deepEqual(await Promise.all(answers.slice(1)), ["b", "c", "d"]);
});

test("a read that starts while six others wait is told that it is crowded", async () => {
  const { open, read, ask } = openSlowStore();
  const heavy = openHeavyReads({ read, clock: createTestClock(), isBusy: () => false });
  const told: boolean[] = [];
  const keys = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];

  const answers = keys.map((key) =>
    heavy.read(key, (_, isCrowded) => {
      told.push(isCrowded);
      return ask();
    }),
  );
  for (const [at, key] of keys.entries()) {
    await until(() => open.length > at);
    open[at]?.answer(key);
  }

  assert.deepEqual(await Promise.all(answers), keys);
  // Seven wait when the first two start, six when the third one does.
  assert.deepEqual(told, [true, true, true, ...Array(6).fill(false)]);
});

test("a failed read is not kept", async () => {
  const { open, read, ask } = openSlowStore();
  const heavy = openHeavyReads({ read, clock: createTestClock(), isBusy: () => false });

  const failing = heavy.read("a", ask);
  const failure = assert.rejects(failing, /broken/);
  await until(() => open.length === 1);
  open[0]?.fail(new Error("broken"));
  await failure;
  const next = heavy.read("a", ask);
  await until(() => open.length === 2);
  open[1]?.answer("second");

  assert.equal(await next, "second");
});

test("a place stays taken until the store has answered, even after the caller's deadline", async () => {
  const { open, ask } = openSlowStore();
  const read: Read = (asked) => {
    void asked({} as never).catch(() => undefined);
    return Promise.reject(new Error("no answer in time"));
  };
  const heavy = openHeavyReads({ read, clock: createTestClock(), isBusy: () => false });

  for (const key of ["a", "b"]) await assert.rejects(heavy.read(key, ask), /in time/);
  const third = assert.rejects(heavy.read("c", ask), /in time/);
  assert.equal(open.length, 2);
  open[0]?.answer("late");
  await third;

  assert.equal(open.length, 3);
});

test("a reader that finds the line full is refused", async () => {
  const { open, read, ask } = openSlowStore();
  const heavy = openHeavyReads({ read, clock: createTestClock(), isBusy: () => false });

  const running = Array.from({ length: 102 }, (_, at) => heavy.read(String(at), ask));
  await assert.rejects(heavy.read("one more", ask), { code: "rate_limited" });

  for (let at = 0; at < running.length; at += 1) {
    await until(() => open.length > at);
    open[at]?.answer("done");
  }
  assert.equal((await Promise.all(running)).length, 102);
});

test("a token that fills the line does not delay the first read of another", async () => {
  const { open, read, ask } = openSlowStore();
  const heavy = createHeavyReads({ read, clock: createTestClock(), isBusy: () => false });
  const greedy = Array.from({ length: 20 }, (_, at) =>
    heavy.read(`greedy ${at}`, ask, aCaller("a")),
  );
  const ended = Promise.all(greedy);
  await until(() => open.length === 2);

  const other = heavy.read("other", ask, aCaller("b"));
  await until(() => open.length === 3);
  open[2]?.answer("other");

  assert.equal(await other, "other");
  for (const at of [0, 1]) open[at]?.answer("greedy");
  for (let at = 3; at <= 20; at += 1) {
    await until(() => open.length > at);
    open[at]?.answer("greedy");
  }
  await ended;
});

test("while the machine is busy, a place rests nineteen times as long as its read took", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { open, read, ask } = openSlowStore();
  const clock = createTestClock();
  const heavy = openHeavyReads({ read, clock, isBusy: () => true });

  const both = [heavy.read("a", ask), heavy.read("b", ask)];
  const third = heavy.read("c", ask);
  await setImmediate();
  clock.advance(100);
  open[0]?.answer("a");
  open[1]?.answer("b");
  await Promise.all(both);
  t.mock.timers.tick(1_899);
  await setImmediate();
  const countWhileResting = open.length;
  t.mock.timers.tick(1);
  await setImmediate();
  open[2]?.answer("c");

  assert.equal(countWhileResting, 2);
  assert.equal(await third, "c");
});
