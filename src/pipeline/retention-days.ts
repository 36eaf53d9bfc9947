import { OperatorError } from "../base/errors.ts";
import type { Database } from "../db/database.ts";
import { REPEAT_DAYS } from "../listings/listing-write-store.ts";
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
  const isDeclared = longest !== undefined && longest.lookback_days > LOOKBACK_DAYS_DEFAULT;
  const lookback = isDeclared ? longest.lookback_days : LOOKBACK_DAYS_DEFAULT;
  const of = isDeclared ? `profile "${longest.name}"` : "a profile by default";
  return {
    days: REPEAT_DAYS + 2 * lookback,
    reason:
      `${REPEAT_DAYS} days in which a repeated ask is a duplicate, ` +
      `and twice the longest look-back (${lookback} days, ${of})`,
  };
}

/** Throws if the setting would remove messages that prices still read. */
export async function checkRetentionDays(db: Database, days: number | undefined): Promise<void> {
  if (days === undefined) return;
  const minimum = await findRetentionMinimum(db);
  if (days >= minimum.days) return;
  throw new OperatorError(
    `ASSAY_RETENTION_DAYS is ${days}, but at least ${minimum.days} days must be kept: ${minimum.reason}. ` +
      `Set it to ${minimum.days} or more, or unset it to keep everything`,
  );
}
