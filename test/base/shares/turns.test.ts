import assert from "node:assert/strict";
import { test } from "node:test";
import { inTick, inTurn } from "../../../src/base/shares/turns.ts";
import { aCaller } from "../../support/api/callers.ts";

function keepThread(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

/** Runs soon, and again until it is told to stop, as events that arrive do. */
function startNeighbour(order: string[]): () => void {
  let isOn = true;
  const run = (): void => {
    if (!isOn) return;
    order.push("neighbour");
    setImmediate(run);
  };
  setImmediate(run);
  return () => {
    isOn = false;
  };
}

test("requests of one caller that arrive at once leave the thread to others every few milliseconds", async () => {
  const order: string[] = [];
  const stop = startNeighbour(order);

  const results = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      inTick("a", () => {
        order.push("a");
        keepThread(3);
        return at;
      }),
    ),
  );
  stop();

  assert.deepEqual(
    results,
    Array.from({ length: 20 }, (_, at) => at),
  );
  const runs = order.join(" ").split("neighbour");
  assert.ok(Math.max(...runs.map((run) => run.trim().split(" ").length)) <= 4, order.join(" "));
  assert.ok(order.lastIndexOf("a") > order.indexOf("neighbour"));
});

test("another caller does not wait for them, and an error goes to its own caller", async () => {
  const order: string[] = [];
  const work = (name: string) => () => {
    order.push(name);
    keepThread(5);
    if (name === "a2") throw new Error("of a2");
  };

  const outcomes = await Promise.allSettled([
    ...["a1", "a2", "a3"].map(async (name) => inTick("many", work(name))),
    (async () => inTick("other", work("b")))(),
  ]);

  assert.deepEqual(order, ["a1", "b", "a2", "a3"]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ["fulfilled", "rejected", "fulfilled", "fulfilled"],
  );
});

test("between two long pieces of work everything else has the thread for a while", async () => {
  const order: string[] = [];
  const stop = startNeighbour(order);

  await Promise.all(
    ["a", "b"].map((key) =>
      inTurn(aCaller(key), () => {
        order.push(key);
        keepThread(10);
      }),
    ),
  );
  stop();

  const between = order.slice(order.indexOf("a") + 1, order.indexOf("b"));
  assert.ok(between.length > 3, `the neighbour ran ${between.length} times`);
});
