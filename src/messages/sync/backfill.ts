/**
 * Decides which chats the gateway must be asked about, and from which time on.
 *
 * A mark says up to which time a chat is complete. Only a fetch that reached its last page moves it, to the newest message
 * that the gateway listed. What arrives by itself never moves it, because an event proves nothing about the ones before it.
 * So a fetch that comes late, or fails for hours, still starts where the last good one ended. A session has its first mark
 * from the round that first sees it, even if it does not work then.
 *
 * Example: the mark is 12:00 and the session is cut off at 12:10. It comes back at 14:00 together with a new message. The
 * next fetch starts at 11:50, although the newest stored message is of 14:00.
 */
import { HOUR_MS, MINUTE_MS } from "../../base/clock.ts";

/** The state of one chat of a session, or of all its chats if the engine can list them at once. */
export interface Backfill {
  readonly chat: string;
  readonly complete_to_ms: number | null;
  readonly fetched_at_ms: number | null;
  readonly failed_count: number;
  readonly retry_at_ms: number | null;
}

export const ALL_CHATS = "all";
/** Engines that can list the messages of all chats at once. */
const LISTS_ALL_CHATS: ReadonlySet<string> = new Set(["GOWS", "NOWEB"]);
/** A session may have missed messages older than its mark, because messages can arrive out of order. */
const OVERLAP_MS = 10 * MINUTE_MS;
/** Even if nothing seems wrong: webhooks can be lost without a trace. One request per chat is made less often. */
export const REGULAR_MS = 15 * MINUTE_MS;
const REGULAR_PER_CHAT_MS = HOUR_MS;
const RETRY_MIN_MS = 30_000;
const RETRY_MAX_MS = 15 * MINUTE_MS;

export function listsAllChats(engine: string | null | undefined): boolean {
  return LISTS_ALL_CHATS.has(engine ?? "");
}

/** `neededSinceMs` is the time from which on messages may be missing, if something went wrong. */
export function isDue(
  backfill: Backfill | undefined,
  { nowMs, neededSinceMs }: { readonly nowMs: number; readonly neededSinceMs: number },
): boolean {
  if (backfill === undefined) return true;
  const { chat, fetched_at_ms: fetchedAtMs, retry_at_ms: retryAtMs } = backfill;
  // A time that is further away was stored before the clock was set back.
  if (retryAtMs !== null) return nowMs >= retryAtMs || retryAtMs > nowMs + RETRY_MAX_MS;
  if (fetchedAtMs === null || fetchedAtMs > nowMs || fetchedAtMs < neededSinceMs) return true;
  return nowMs - fetchedAtMs >= (chat === ALL_CHATS ? REGULAR_MS : REGULAR_PER_CHAT_MS);
}

/** Returns the time of the oldest message to fetch. `startMs` replaces a mark that does not exist yet. */
export function sinceOf(
  backfill: Backfill | undefined,
  { nowMs, startMs }: { readonly nowMs: number; readonly startMs: number },
): number {
  return Math.min(backfill?.complete_to_ms ?? startMs, nowMs) - OVERLAP_MS;
}

/** Returns how long to wait after the given number of failures in a row. */
export function retryDelayMs(failedCount: number): number {
  return Math.min(RETRY_MIN_MS * 2 ** Math.min(failedCount - 1, 10), RETRY_MAX_MS);
}
