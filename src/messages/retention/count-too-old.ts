import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import { SECOND_MS } from "../../base/time.ts";
import type { Database } from "../../db/database.ts";
import type { NewRawEvent } from "../../intake/raw-event-store.ts";
import { isTooOld } from "./event-age.ts";
import { addTooOld, findFloor } from "./retention-store.ts";

/** Recognises events that are too old to be stored, and counts them. */
export interface AgeCheck {
  /** True if the event is too old: it counts, and the caller does not store it. */
  refuses(event: NewRawEvent): Promise<boolean>;
}

/** The floor rises once a day. An event that slips through in between leaves with the next batch. */
const FLOOR_KEPT_MS = 10 * SECOND_MS;

export function createAgeCheck(options: {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
}): AgeCheck {
  const { db, clock, log } = options;
  const floor = watchFloor(db, clock);
  let waitingCount = 0;
  let isSaving = false;
  // One update at a time, for all events that came during the last one: a gateway may send very many.
  const save = async (): Promise<void> => {
    isSaving = true;
    while (waitingCount > 0) {
      const count = waitingCount;
      waitingCount = 0;
      try {
        await addTooOld(db, { count, nowMs: clock.nowMs() });
      } catch (error) {
        log.warn({ err: error, count }, "the count of events that are too old was not stored");
      }
    }
    isSaving = false;
  };
  return {
    refuses: async (event) => {
      const floorMs = await floor.find();
      if (floorMs === undefined || !isTooOld(event, floorMs)) return false;
      waitingCount += 1;
      if (!isSaving) void save();
      return true;
    },
  };
}

/**
 * The floor as it was last read. Only the first event waits for it; later ones cause a new reading and do not wait, so that a slow
 * store delays no event. A store that cannot be read cannot store the event either; that is reported to the sender.
 */
function watchFloor(db: Database, clock: Clock): { find(): Promise<number | undefined> } {
  let known: { readonly floorMs: number | undefined } | undefined;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading = Promise.resolve();
  const read = async (): Promise<void> => {
    try {
      known = { floorMs: await findFloor(db) };
    } catch {
      readAtMs = Number.NEGATIVE_INFINITY;
    }
  };
  return {
    find: async () => {
      if (clock.elapsedMs() - readAtMs >= FLOOR_KEPT_MS) {
        readAtMs = clock.elapsedMs();
        reading = read();
      }
      if (known === undefined) await reading;
      return known?.floorMs;
    },
  };
}
