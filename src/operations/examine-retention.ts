import type { Config } from "../base/config.ts";
import { DAY_MS, HOUR_MS } from "../base/time.ts";
import type { Database } from "../db/database.ts";
import { hasOldReports } from "../messages/occurrences/reported-message-store.ts";
import { findRetention, type Retention } from "../messages/retention/retention-store.ts";
import {
  describeMinimum,
  findRetentionMinimum,
  findWantedFloor,
} from "../privacy/retention-days.ts";
import type { Finding } from "./finding.ts";

/** A worker raises the floor within a minute after midnight. */
const BEHIND_MAX_MS = DAY_MS;
/** Removing a day takes minutes, also of a large market. */
const REMOVING_MAX_MS = 6 * HOUR_MS;

/** Reports which messages are kept, and what keeps old ones from leaving. */
export async function examineRetention(
  db: Database,
  { retentionDays: days }: Pick<Config, "retentionDays">,
  nowMs: number,
): Promise<readonly Finding[]> {
  const retention = await findRetention(db);
  const kept = retention === undefined ? "" : await describe(db, retention);
  if (days === undefined) {
    if (retention === undefined) return [];
    const text = `retention: ${kept}; ASSAY_RETENTION_DAYS is not set, so no more days leave`;
    return [{ isFine: true, text }];
  }
  const minimum = await findRetentionMinimum(db);
  if (days < minimum.days) {
    return [{ isFine: false, text: `retention: paused. ${describeMinimum(days, minimum)}` }];
  }
  const wantedMs = await findWantedFloor(db, { days, nowMs });
  if (wantedMs === undefined) {
    return [{ isFine: true, text: `retention: ${days} days are kept; there are no messages yet` }];
  }
  if (retention === undefined || wantedMs - retention.floor_ms > BEHIND_MAX_MS) {
    const text =
      `retention: ${kept === "" ? "not begun" : kept}, but messages should leave after ${days} days; ` +
      "start `assay serve` with a worker, or check its log";
    return [{ isFine: false, text, command: "assay serve" }];
  }
  const isStuck =
    nowMs - retention.raised_at_ms > REMOVING_MAX_MS &&
    (await hasOldReports(db, retention.floor_ms));
  const help = isStuck ? "; that takes too long, check the log of the worker" : "";
  return [{ isFine: !isStuck, text: `retention: ${kept}${help}` }];
}

async function describe(db: Database, retention: Retention): Promise<string> {
  const { floor_ms, too_old_count, last_too_old_at_ms } = retention;
  const isBusy = await hasOldReports(db, floor_ms);
  const tooOld =
    last_too_old_at_ms === null
      ? ""
      : `; ${too_old_count} events were too old when they arrived and were not stored, ` +
        `the last at ${new Date(last_too_old_at_ms).toISOString()}`;
  return (
    `messages since ${new Date(floor_ms).toISOString().slice(0, 10)} are kept` +
    `${isBusy ? ", older ones are being removed" : ""}${tooOld}`
  );
}
