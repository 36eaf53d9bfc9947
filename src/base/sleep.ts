import { setTimeout as delay } from "node:timers/promises";

/** Waits; with a signal, ends early and without an error when it is aborted. */
export async function sleep(durationMs: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(durationMs, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  }
}
