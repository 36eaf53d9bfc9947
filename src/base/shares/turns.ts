/**
 * Work of some milliseconds on the one thread that also takes events and answers everybody else, such as reading typed words. One
 * piece runs at a time, callers have their turns in a round, and after each piece everything else has the thread for as long as the piece
 * took. So a request beside a hundred such pieces takes about twice as long as without them.
 */
import { setImmediate } from "node:timers";
import type { Caller } from "./caller.ts";
import { createSlots } from "./slots.ts";

/** Such a piece delays no one noticeably, and a timer would make the next one wait longer than the piece took. */
const SHORT_MS = 2;
/** One for the process, because it has one thread. */
const turns = createSlots({ countMax: 1, things: "requests" });

/** Runs the work in the caller's turn, and counts it for the caller. Work without a caller, such as the pipeline's, runs at once. */
export async function inTurn<Result>(
  caller: Caller | undefined,
  work: () => Result,
): Promise<Result> {
  if (caller === undefined) return work();
  const { key, untilMs } = caller;
  const slot = turns.tryEnter({ key }) ?? (await turns.enter({ key, untilMs }));
  const startedAtMs = performance.now();
  try {
    return work();
  } finally {
    const tookMs = performance.now() - startedAtMs;
    caller.spend(tookMs);
    if (tookMs < SHORT_MS) setImmediate(() => turns.leave(slot));
    else setTimeout(() => turns.leave(slot), tookMs);
  }
}

/** How long the beginnings of one caller's requests may keep the thread, before everything else that waits is done. */
const TICK_MS = 4;

interface Tick {
  spentMs: number;
  readonly waiting: (() => void)[];
}

/** By caller. */
const ticks = new Map<string, Tick>();

/**
 * Runs the work now, unless the caller has kept the thread for a few milliseconds since it last took events and other callers' requests.
 * Then the work waits until it has. So two hundred requests that arrive at once, with some milliseconds each, do not stop the others for a second.
 */
export function inTick<Result>(key: string, work: () => Result): Result | Promise<Awaited<Result>> {
  const tick = ticks.get(key) ?? startTick(key);
  if (tick.waiting.length === 0 && tick.spentMs < TICK_MS) return runInTick(tick, work);
  return new Promise((resolve, reject) => {
    tick.waiting.push(() => {
      try {
        resolve(runInTick(tick, work) as Awaited<Result>);
      } catch (error) {
        reject(error);
      }
    });
  });
}

function startTick(key: string): Tick {
  const tick: Tick = { spentMs: 0, waiting: [] };
  ticks.set(key, tick);
  const next = (): void => {
    if (tick.waiting.length === 0) {
      ticks.delete(key);
      return;
    }
    tick.spentMs = 0;
    while (tick.waiting.length > 0 && tick.spentMs < TICK_MS) tick.waiting.shift()?.();
    setImmediate(next);
  };
  setImmediate(next);
  return tick;
}

function runInTick<Result>(tick: Tick, work: () => Result): Result {
  const startedAtMs = performance.now();
  try {
    return work();
  } finally {
    tick.spentMs += performance.now() - startedAtMs;
  }
}
