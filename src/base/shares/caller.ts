/**
 * For whom the code runs at this moment: the token of a request. It follows the request through every await, so what is
 * shared, such as the connections to the store, can be given out by token without every function passing one on.
 * Code that runs for nobody, such as the pipeline, has no caller.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { AppError } from "../errors.ts";

export interface Caller {
  /** Whose share it uses. */
  readonly key: string;
  /** When nobody waits for the answer any more, on the clock of `performance.now()`. */
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

const callers = new AsyncLocalStorage<Caller | undefined>();

export function runAs<Result>(caller: Caller | undefined, work: () => Result): Result {
  return callers.run(caller, work);
}

export function currentCaller(): Caller | undefined {
  return callers.getStore();
}

export function budgetUsedUp(waitSeconds: number): AppError {
  return new AppError(
    "rate_limited",
    `this token has used up its budget of work; try again in ${waitSeconds} s, or ask for less at a time`,
    undefined,
    waitSeconds,
  );
}
