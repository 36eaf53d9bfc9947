import assert from "node:assert/strict";
import { test } from "node:test";
import { createSharedReads } from "../../../src/api/cache/shared-reads.ts";

test("callers share a read while it is in progress, and only then", async () => {
  const reads = createSharedReads();
  const { ask, answers } = heldAsk();

  const first = reads.read("a", ask);
  const second = reads.read("a", ask);
  const other = reads.read("b", ask);
  answers[0]?.resolve("one");
  answers[1]?.resolve("two");

  assert.deepEqual(await Promise.all([first, second, other]), ["one", "one", "two"]);
  const later = reads.read("a", ask);
  answers[2]?.resolve("three");
  assert.equal(await later, "three");
});

test("all callers of a read that fails are told, and the next caller asks again", async () => {
  const reads = createSharedReads();
  const { ask, answers } = heldAsk();

  const both = Promise.allSettled([reads.read("a", ask), reads.read("a", ask)]);
  answers[0]?.reject(new Error("the store is away"));

  assert.deepEqual(
    (await both).map(({ status }) => status),
    ["rejected", "rejected"],
  );
  const later = reads.read("a", ask);
  answers[1]?.resolve("one");
  assert.equal(await later, "one");
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
