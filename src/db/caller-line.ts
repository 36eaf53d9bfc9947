/**
 * The waiting line before the connections that requests share. No more is sent than there are connections, so a quick
 * statement is never behind a slow one of somebody else. Callers have their turns in a round (see `src/base/shares/slots.ts`), what they
 * wait for counts for their budget of work, and who has used it up leaves the line.
 *
 * Example: there are 6 connections. A token sends 200 searches of a second each: 3 run, a hundred wait, the others are refused at
 * once. Another token's read is sent at once. After ten seconds of work the first token's budget is used up, and its searches that still
 * wait are refused.
 */
import { budgetUsedUp, type Caller } from "../base/shares/caller.ts";
import { createSlots, type Slot, type Waiting } from "../base/shares/slots.ts";
import type { TransactionOptions } from "./database.ts";

export interface CallerLine {
  /** Runs the work in its turn. `untilMs` is when its caller gives up; undefined without a caller. */
  run<Result>(
    caller: Caller | undefined,
    work: (untilMs: number | undefined) => Promise<Result>,
  ): Promise<Result>;
}

/** For work that nobody asked for in a request, as of the pipeline. */
export const NO_LINE: CallerLine = { run: (_caller, work) => work(undefined) };

/** What is read once for all callers, such as a list that is kept, has its turns like a token. */
const FOR_ALL = "for all";

export function createCallerLine(countMax: number, things: string): CallerLine {
  const slots = createSlots({ countMax, things, isFair: true });
  const wait = async (waiting: Waiting, caller: Caller | undefined): Promise<Slot> => {
    if (caller !== undefined) caller.waitingCount += 1;
    try {
      return await slots.enter(waiting);
    } finally {
      if (caller !== undefined) caller.waitingCount -= 1;
    }
  };
  return {
    run: async (caller, work) => {
      const { key = FOR_ALL, untilMs } = caller ?? {};
      const slot = slots.tryEnter({ key }) ?? (await wait({ key, untilMs }, caller));
      const startedAtMs = performance.now();
      const besideCount = slots.count();
      try {
        return await work(untilMs);
      } finally {
        caller?.spend(performance.now() - startedAtMs, besideCount);
        const waitSeconds = slots.hasWaiting(key) ? caller?.findWait() : undefined;
        if (waitSeconds !== undefined) slots.refuseWaiting(key, budgetUsedUp(waitSeconds));
        slots.leave(slot);
      }
    },
  };
}

/** Shortens the time-out of a transaction's statements to what is left of the caller's time. */
export function boundBy(
  untilMs: number | undefined,
  options: TransactionOptions = {},
  defaultTimeoutMs: number,
): TransactionOptions {
  if (untilMs === undefined) return options;
  const { statementTimeoutMs = defaultTimeoutMs } = options;
  const leftMs = Math.max(1, Math.ceil(untilMs - performance.now()));
  return { ...options, statementTimeoutMs: Math.min(statementTimeoutMs, leftMs) };
}
