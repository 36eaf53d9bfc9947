import type { Database } from "../../db/database.ts";
import type { NewRawEvent } from "../../intake/raw-event-store.ts";
import { isTooOld } from "./event-age.ts";
import { addTooOld, findFloor } from "./retention-store.ts";

/** Returns the events without those that are too old to be stored, and counts these. */
export async function leaveOutOld<Event extends NewRawEvent>(
  db: Database,
  events: readonly Event[],
  nowMs: number,
): Promise<readonly Event[]> {
  const floorMs = await findFloor(db);
  if (floorMs === undefined) return events;
  const kept = events.filter((event) => !isTooOld(event, floorMs));
  const count = events.length - kept.length;
  if (count > 0) await addTooOld(db, { count, nowMs });
  return kept;
}
