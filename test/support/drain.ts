import type { DatabasePool } from "../../src/db/database.ts";
import { type NewRawEvent, saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { drain } from "../../src/pipeline/worker.ts";
import { createTestClock, NOW_MS } from "./test-app.ts";

/** A gateway's event as a raw one. */
export function rawEvent(body: unknown, options: Partial<NewRawEvent> = {}): NewRawEvent {
  return {
    gateway: "waha",
    origin: "webhook",
    isAlerting: false,
    body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
    receivedAtMs: NOW_MS,
    ...options,
  };
}

/** Stores the events and processes everything that is queued. */
export async function process(
  pool: DatabasePool,
  bodies: readonly unknown[],
  options: { readonly batchMax?: number } = {},
): Promise<void> {
  if (bodies.length > 0)
    await saveRawEvents(
      pool,
      bodies.map((body) => rawEvent(body)),
    );
  await drain({ pool, clock: createTestClock() }, options);
}
