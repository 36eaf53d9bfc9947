import { AppError } from "../base/errors.ts";
import type { Database } from "../db/database.ts";
import { type NewRawEvent, saveRawEvents } from "./raw-event-store.ts";

/** Takes events in and says when each of them is safely stored. */
export interface Intake {
  /** Settles after the commit; fails when it is not certain that the event was stored. */
  receive(event: NewRawEvent): Promise<void>;
}

interface Waiting {
  readonly event: NewRawEvent;
  readonly settle: () => void;
  readonly reject: (error: unknown) => void;
}

const BATCH_EVENTS_MAX = 500;
const BATCH_BYTES_MAX = 16 * 1024 * 1024;
const WAITING_EVENTS_MAX = 20_000;
const WAITING_BYTES_MAX = 256 * 1024 * 1024;
/** While one batch waits for its flush to disk, the next is on its way. */
const BATCHES_AT_ONCE_MAX = 2;

/**
 * Events that arrive while a batch is being committed share the next commit, so that the rate is not one flush to disk
 * per event, and a single event does not wait for company.
 */
export function createIntake(db: Database): Intake {
  const waiting: Waiting[] = [];
  const state = { bytes: 0, batchesUnderWay: 0 };

  const takeBatch = (): readonly Waiting[] => {
    let bytes = 0;
    let count = 0;
    for (const { event } of waiting) {
      bytes += event.body.byteLength;
      if (count > 0 && (bytes > BATCH_BYTES_MAX || count === BATCH_EVENTS_MAX)) break;
      count += 1;
    }
    return waiting.splice(0, count);
  };

  const commitAll = async (): Promise<void> => {
    for (let batch = takeBatch(); batch.length > 0; batch = takeBatch()) {
      try {
        await saveRawEvents(
          db,
          batch.map(({ event }) => event),
          "window",
        );
        for (const { settle } of batch) settle();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      for (const { event } of batch) state.bytes -= event.body.byteLength;
    }
    state.batchesUnderWay -= 1;
  };

  return {
    receive: (event) => {
      const bytes = state.bytes + event.body.byteLength;
      if (waiting.length >= WAITING_EVENTS_MAX || bytes > WAITING_BYTES_MAX) {
        return Promise.reject(new AppError("overloaded", "too many events are waiting; try again"));
      }
      state.bytes = bytes;
      return new Promise((settle, reject) => {
        waiting.push({ event, settle, reject });
        if (state.batchesUnderWay < BATCHES_AT_ONCE_MAX) {
          state.batchesUnderWay += 1;
          // The other requests that this turn of the event loop has read come along.
          setImmediate(() => void commitAll());
        }
      });
    },
  };
}
