/**
 * Work of some milliseconds on the one thread that also takes events and answers everybody else, such as reading typed words. One
 * piece runs at a time, callers have their turns in a round, and between two pieces everything else that waits is done. So a
 * request beside a hundred such pieces is delayed by a few of them, and not by all.
 */
import { setImmediate } from "node:timers";
import { currentCaller } from "./caller.ts";
import { createSlots } from "./slots.ts";

/** Of the process: there is one thread, whoever uses it. */
const turns = createSlots({ countMax: 1, things: "requests" });

/** Runs the work in the caller's turn, and counts it for the caller. Work for nobody, as of the pipeline, runs at once. */
export async function inTurn<Result>(work: () => Result): Promise<Result> {
  const caller = currentCaller();
  if (caller === undefined) return work();
  const { key, untilMs } = caller;
  const slot = turns.tryEnter({ key }) ?? (await turns.enter({ key, untilMs }));
  const startedAtMs = performance.now();
  try {
    return work();
  } finally {
    caller.spend(performance.now() - startedAtMs);
    setImmediate(() => turns.leave(slot));
  }
}
