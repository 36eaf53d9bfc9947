/**
 * Values that are made when they are first needed, such as the compiled schemas of the routes: all of them together take a
 * second, and a test or a command needs few. A service that has just started makes the rest in its idle moments, so that no
 * request has to wait for them.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { sleep } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";

export interface Later {
  /** Returns the function that makes the value at its first call and returns the same value ever after. */
  make<Value>(create: () => Value): () => Value;
  /** Makes all values that are missing, with a turn for others after each. */
  makeAll(signal: AbortSignal): Promise<void>;
}

export function createLater(): Later {
  const missing = new Set<() => unknown>();
  return {
    make: <Value>(create: () => Value) => {
      let made: { readonly value: Value } | undefined;
      const get = (): Value => {
        made ??= { value: create() };
        missing.delete(get);
        return made.value;
      };
      missing.add(get);
      return get;
    },
    makeAll: async (signal) => {
      for (const get of missing) {
        if (signal.aborted) return;
        get();
        await nextTurn();
      }
    },
  };
}

/** The first requests come right after the start, and must not wait for values that they do not need. */
const REST_MS = 5_000;

/** Makes all that is missing, after a rest. Returns the function that breaks it off. */
export function startMaking(later: Later, log: Logger): () => Promise<void> {
  const stop = new AbortController();
  const make = async (): Promise<void> => {
    await sleep(REST_MS, stop.signal);
    await later.makeAll(stop.signal);
  };
  const done = make().catch((error: unknown) => {
    log.error({ err: error }, "a schema cannot be compiled");
  });
  return () => {
    stop.abort();
    return done;
  };
}
