import type { Clock } from "./clock.ts";
import { AppError } from "./errors.ts";
import type { Caller } from "./shares/caller.ts";

/**
 * Callers who ask the same question while its read is in progress share the read: when a new buy sends a whole office to the
 * same list, the store reads it once. Nothing is kept, so an answer is at most as much older than its question as the read
 * takes. A failure reaches all who share the read, and the next caller asks again.
 *
 * One caller's limits are not another's: a read that waits for its caller's turn is not shared with others, and they ask for
 * themselves if it is refused because of what its caller did.
 */
export interface SingleFlight {
  /** `key` identifies the question. `isCurrent` returns false once later callers no longer share this read. */
  share<Answer>(
    key: string,
    ask: (isCurrent: () => boolean) => Promise<Answer>,
    caller?: Caller,
  ): Promise<Answer>;
  /** Callers from now on do not share what is in progress; with a condition, only for the keys that it selects. */
  forget(isForgotten?: (key: string) => boolean): void;
}

/** How long after its start a read may be shared or used. */
export interface AgeBound {
  readonly clock: Clock;
  readonly maxMs: number;
}

interface Flight {
  readonly answer: Promise<unknown>;
  readonly caller: Caller | undefined;
  readonly startedAtMs: number;
}

export function createSingleFlight(age?: AgeBound): SingleFlight {
  const flights = new Map<string, Flight>();
  const find = (key: string): Flight | undefined => {
    const flight = flights.get(key);
    return flight === undefined || isTooOld(flight, age) ? undefined : flight;
  };
  const share: SingleFlight["share"] = <Answer>(
    key: string,
    ask: (isCurrent: () => boolean) => Promise<Answer>,
    caller?: Caller,
  ) => {
    const shared = find(key);
    if (shared !== undefined && shared.caller?.key === caller?.key) {
      return shared.answer as Promise<Answer>;
    }
    if (shared !== undefined && (shared.caller?.waitingCount ?? 0) === 0) {
      return (shared.answer as Promise<Answer>).catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
        return share(key, ask, caller);
      });
    }
    const isCurrent = (): boolean => flights.get(key) === started;
    const startedAtMs = age?.clock.elapsedMs() ?? 0;
    const answer = ask(isCurrent).finally(() => isCurrent() && flights.delete(key));
    const started: Flight = { answer, caller, startedAtMs };
    flights.set(key, started);
    return answer;
  };
  return {
    share,
    forget: (isForgotten = () => true) => {
      for (const key of flights.keys()) if (isForgotten(key)) flights.delete(key);
    },
  };
}

export function isTooOld(
  { startedAtMs }: { readonly startedAtMs: number },
  age: AgeBound | undefined,
): boolean {
  return age !== undefined && age.clock.elapsedMs() - startedAtMs >= age.maxMs;
}

function isRefusal(error: unknown): boolean {
  return (
    error instanceof AppError && (error.code === "rate_limited" || error.code === "overloaded")
  );
}
