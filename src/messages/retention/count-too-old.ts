import type { Clock } from "../../base/clock.ts";
import { createKeptAnswer } from "../../base/kept-answer.ts";
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
  const floor = createKeptAnswer({ clock, ageMaxMs: FLOOR_KEPT_MS, load: () => findFloor(db) });
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
      // A store that cannot be read cannot store the event either; that is reported to the sender.
      const floorMs = await floor.find().catch(() => undefined);
      if (floorMs === undefined || !isTooOld(event, floorMs)) return false;
      waitingCount += 1;
      if (!isSaving) void save();
      return true;
    },
  };
}
