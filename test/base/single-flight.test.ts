import assert from "node:assert/strict";
import { test } from "node:test";
import { budgetUsedUp } from "../../src/base/shares/caller.ts";
import { createSingleFlight } from "../../src/base/single-flight.ts";
import { aCaller } from "../support/api/callers.ts";
import { createTestClock } from "../support/test-app.ts";

test("callers share a read while it is in progress, and only then", async () => {
  const flight = createSingleFlight();
  const { ask, answers } = heldAsk();

  const first = flight.share("a", ask);
  const second = flight.share("a", ask);
  const other = flight.share("b", ask);
  answers[0]?.resolve("one");
  answers[1]?.resolve("two");

  assert.deepEqual(await Promise.all([first, second, other]), ["one", "one", "two"]);
  const later = flight.share("a", ask);
  answers[2]?.resolve("three");
  assert.equal(await later, "three");
});

test("a read that waits for its caller's turn is not shared with another caller", async () => {
  const flight = createSingleFlight();
  const { ask, answers } = heldAsk();
  const greedy = { ...aCaller("a"), waitingCount: 1 };

  const first = flight.share("question", ask, greedy);
  const own = flight.share("question", ask, greedy);
  const other = flight.share("question", ask, aCaller("b"));
  answers[1]?.resolve("at once");
  assert.equal(await other, "at once");
  answers[0]?.resolve("late");

  assert.deepEqual(await Promise.all([first, own]), ["late", "late"]);
});

test("a refusal because of what one caller did is not passed on to another, who asks for itself", async () => {
  const flight = createSingleFlight();
  const { ask, answers } = heldAsk();

  const first = flight.share("question", ask, aCaller("a"));
  const other = flight.share("question", ask, aCaller("b"));
  answers[0]?.reject(budgetUsedUp(7));
  await assert.rejects(first, { code: "rate_limited" });
  await new Promise((settle) => setImmediate(settle));
  answers[1]?.resolve("answer");

  assert.equal(await other, "answer");
});

test("all callers of a read that fails are told, and the next caller asks again", async () => {
  const flight = createSingleFlight();
  const { ask, answers } = heldAsk();

  const both = Promise.allSettled([flight.share("a", ask), flight.share("a", ask)]);
  answers[0]?.reject(new Error("the store is away"));

  assert.deepEqual(
    (await both).map(({ status }) => status),
    ["rejected", "rejected"],
  );
  const later = flight.share("a", ask);
  answers[1]?.resolve("one");
  assert.equal(await later, "one");
});

test("a read that was forgotten, or that began too long ago, is not shared and knows it", async () => {
  const clock = createTestClock();
  const flight = createSingleFlight({ clock, maxMs: 1_000 });
  const { ask, answers } = heldAsk();
  const areCurrent: boolean[] = [];
  const share = () =>
    flight.share("a", async (isCurrent) => {
      const text = await ask();
      areCurrent.push(isCurrent());
      return text;
    });

  const forgotten = share();
  flight.forget((key) => key === "a");
  const old = share();
  clock.advance(999);
  const shared = share();
  clock.advance(1);
  const last = share();
  flight.forget((key) => key === "b");
  for (const [at, text] of ["one", "two", "three"].entries()) answers[at]?.resolve(text);

  assert.deepEqual(await Promise.all([forgotten, old, shared, last]), [
    "one",
    "two",
    "two",
    "three",
  ]);
  assert.deepEqual(areCurrent, [false, false, true]);
});

/** Reads that end when the test says so, in the order in which they began. */
function heldAsk() {
  const answers: { resolve: (text: string) => void; reject: (error: Error) => void }[] = [];
  const ask = (): Promise<string> =>
    new Promise((resolve, reject) => {
      answers.push({ resolve, reject });
    });
  return { ask, answers };
}
