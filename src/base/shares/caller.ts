/**
 * For whom work is done: the token of a request. What is shared, such as the connections to the store, is given out by caller. It is
 * handed on with the connections (`pool.as(caller)`) and not kept beside the call stack, because Node 20 takes up to half as long
 * again for every request when it must follow one through each await. The pipeline's work has no caller.
 */
import { AppError } from "../errors.ts";

export interface Caller {
  /** Whose share it uses. */
  readonly key: string;
  /** When the client gives up, on the clock of `performance.now()`. */
  readonly untilMs: number;
  /** How many of its statements wait for their turn. */
  waitingCount: number;
  /**
   * Counts work that was done for the caller, in milliseconds of this process or of the store. `besideCount` is how many such pieces of
   * work were under way at a time.
   */
  spend(workMs: number, besideCount?: number): void;
  /** Returns the seconds to wait if the caller has used up its budget of work. */
  findWait(): number | undefined;
}

export function budgetUsedUp(waitSeconds: number): AppError {
  return new AppError(
    "rate_limited",
    `this token has used up its budget of work; try again in ${waitSeconds} s, or ask for less at a time`,
    undefined,
    waitSeconds,
  );
}
