import { setTimeout as delay } from "node:timers/promises";

/** Waits for `durationMs`. Returns early, without an error, if the signal is aborted. */
export async function sleep(durationMs: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(durationMs, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  }
}
