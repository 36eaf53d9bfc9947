import { type Clock, DAY_MS, SECOND_MS, withDeadline } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import type { Database } from "../../db/database.ts";
import { type NewRawEvent, saveLateEvents } from "../../intake/raw-event-store.ts";
import { boundTime, type GatewayFact } from "../gateway-event.ts";
import { CHANGE_KEPT_MS, isOccurrenceFact, type OccurrenceFact } from "../occurrences/report.ts";
import { readRawEvent } from "../read-raw-event.ts";
import { addTooOld, findFloor } from "./retention-store.ts";

/**
 * An event leaves by its receipt, two days after messages of that day: by then all that it reported has left, whatever the
 * clocks say. So a replay never lacks an event whose report is still there.
 */
export const EVENT_KEPT_MS = 2 * DAY_MS;

/** Such an event would stay for days after its messages, so when they leave is noted (`late_event`). */
const LATE_MIN_MS = DAY_MS;

/** Notes when the messages of these events leave, where that is much earlier than by receipt. */
export async function noteLateEvents(
  tx: Database,
  events: readonly {
    readonly id: number;
    readonly facts: readonly GatewayFact[];
    readonly receivedAtMs: number;
  }[],
): Promise<void> {
  const late = events.flatMap(({ id, facts, receivedAtMs }) => {
    const leavesAfterMs = findLateTime(facts, receivedAtMs);
    return leavesAfterMs === undefined ? [] : [{ id, leavesAfterMs }];
  });
  if (late.length > 0) await saveLateEvents(tx, late);
}

/** Returns when the messages of an event leave, if that is much earlier than by its receipt. */
function findLateTime(facts: readonly GatewayFact[], receivedAtMs: number): number | undefined {
  const leavesAtMs = messagesLeaveAfterMs(facts, receivedAtMs);
  return leavesAtMs !== undefined && leavesAtMs < receivedAtMs - LATE_MIN_MS
    ? leavesAtMs
    : undefined;
}

/** Returns true for an event whose messages would have left already. Events about anything else are never too old. */
export function isTooOld(event: NewRawEvent, floorMs: number): boolean {
  const reading = readRawEvent(event);
  if (reading.kind !== "facts") return false;
  const leavesAtMs = messagesLeaveAfterMs(reading.facts, event.receivedAtMs);
  return leavesAtMs !== undefined && leavesAtMs < floorMs;
}

/** Returns when the last message, edit or revocation of an event leaves; undefined if the event is about none. */
function messagesLeaveAfterMs(
  facts: readonly GatewayFact[],
  receivedAtMs: number,
): number | undefined {
  const times = facts.filter(isOccurrenceFact).map((fact) => leavesAfterMs(fact, receivedAtMs));
  return times.length === 0 ? undefined : Math.max(...times);
}

function leavesAfterMs(fact: OccurrenceFact, receivedAtMs: number): number {
  if (fact.kind === "message") return boundTime(fact.sentAtMs, receivedAtMs);
  const atMs = fact.kind === "edit" ? boundTime(fact.editedAtMs, receivedAtMs) : receivedAtMs;
  return atMs + CHANGE_KEPT_MS;
}

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

/** Recognises events that are too old to be stored, and counts them. */
export interface AgeCheck {
  /** True if the event is too old: it counts, and the caller does not store it. */
  refuses(event: NewRawEvent): Promise<boolean>;
}

/** The floor rises once a day. An event that slips through in between leaves with the next batch. */
const FLOOR_KEPT_MS = 10 * SECOND_MS;
/** Less than the time after which a connection without an answer is closed, with what storing the event may take. */
const FLOOR_TIMEOUT_MS = 4 * SECOND_MS;

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
      if (known === undefined) await withDeadline(reading, FLOOR_TIMEOUT_MS);
      return known?.floorMs;
    },
  };
}
