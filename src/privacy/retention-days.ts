import { DAY_MS, dayStartOf } from "../base/clock.ts";
import type { Database } from "../db/database.ts";
import { REPEAT_DAYS } from "../listings/listing-write-store.ts";
import { findNewestMessageMs } from "../messages/message-store.ts";
import {
  findLongestLookback,
  LOOKBACK_DAYS_DEFAULT,
} from "../pricing/configurations/profile-store.ts";

/** The fewest days that may be kept, and why, as a part of a sentence. */
export interface RetentionMinimum {
  readonly days: number;
  readonly reason: string;
}

/**
 * Prices must not change because messages left: a cell reads the asks of its look-back, compares them with those of the
 * look-back before, and an ask counts once within the 30 days in which it is repeated.
 */
export async function findRetentionMinimum(db: Database): Promise<RetentionMinimum> {
  const longest = await findLongestLookback(db);
  return longest === undefined
    ? minimumOf(LOOKBACK_DAYS_DEFAULT, "a profile by default")
    : minimumOf(longest.lookback_days, `profile "${longest.name}"`);
}

/**
 * Returns the start of the first day to keep; undefined without a message. The days count back from the newest message, if
 * that is before now: a clock that was set wrong must not remove anything, because that cannot be undone.
 */
export async function findWantedFloor(
  db: Database,
  { days, nowMs }: { readonly days: number; readonly nowMs: number },
): Promise<number | undefined> {
  const newestMs = await findNewestMessageMs(db);
  return newestMs === undefined ? undefined : dayStartOf(Math.min(newestMs, nowMs)) - days * DAY_MS;
}

/** Why so few days are refused, as a sentence. */
export function describeMinimum(days: number, minimum: RetentionMinimum): string {
  return (
    `ASSAY_RETENTION_DAYS is ${days}, but at least ${minimum.days} days must be kept: ${minimum.reason}. ` +
    `Set it to ${minimum.days} or more, or unset it to keep everything`
  );
}

function minimumOf(lookbackDays: number, of: string): RetentionMinimum {
  return {
    days: REPEAT_DAYS + 2 * lookbackDays,
    reason:
      `${REPEAT_DAYS} days in which a repeated ask is a duplicate, ` +
      `and twice the longest look-back (${lookbackDays} days, ${of})`,
  };
}
