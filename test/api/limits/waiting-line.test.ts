import assert from "node:assert/strict";
import { test } from "node:test";
import { createWaitingLine } from "../../../src/api/limits/waiting-line.ts";
import { until } from "../../support/test-app.ts";

test("places are given in the order of arrival, to urgent callers first", async () => {
  const line = createWaitingLine({ runningMax: 1, waitMaxMs: 60_000, refusal: "full" });
  const order: string[] = [];
  const work = async (name: string, isUrgent = false): Promise<void> => {
    const leave = await line.enter({ isUrgent });
    order.push(name);
    leave();
  };
  const leave = await line.enter();

  const waiting = [work("first"), work("second"), work("urgent", true), work("third")];
  await until(() => line.waitingCount() === 4);
  leave();
  await Promise.all(waiting);

  assert.deepEqual(order, ["urgent", "first", "second", "third"]);
  assert.equal(line.waitingCount(), 0);
});

test("a caller for whom there is no place in time is refused, and leaves the line", async () => {
  const line = createWaitingLine({ runningMax: 1, waitMaxMs: 5, refusal: "come back later" });
  const leave = await line.enter();

  await assert.rejects(line.enter(), /come back later/);
  assert.equal(line.waitingCount(), 0);
  leave();

  assert.equal(typeof (await line.enter()), "function");
});
