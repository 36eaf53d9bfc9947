import { DAY_MS } from "../../base/time.ts";
import type { NewRawEvent } from "../../intake/raw-event-store.ts";
import type { GatewayFact } from "../gateway-event.ts";
import { CHANGE_KEPT_MS, isOccurrenceFact, type OccurrenceFact } from "../occurrences/report.ts";
import { readRawEvent } from "../read-raw-event.ts";
import { boundTime } from "../time.ts";

/**
 * An event leaves by its receipt, two days after messages of that day: by then all that it reported has left, whatever the
 * clocks say. So a replay never lacks an event whose report is still there.
 */
export const EVENT_KEPT_MS = 2 * DAY_MS;

/** Such an event would stay for days after its messages, so when they leave is noted (`late_event`). */
const LATE_MIN_MS = DAY_MS;

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

/** Returns when the messages of an event leave, if that is much earlier than by its receipt. */
export function findLateTime(
  facts: readonly GatewayFact[],
  receivedAtMs: number,
): number | undefined {
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
