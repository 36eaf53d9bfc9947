import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/** Why an event of the gateway was not stored. */
export type RefusalReason = "bad_signature" | "no_key" | "not_direct" | "too_many_parts";

export const REFUSAL_ADVICE: Readonly<Record<RefusalReason, string>> = {
  bad_signature: "check that ASSAY_WAHA_HMAC_KEY is the `hmac.key` of the gateway's webhook",
  not_direct:
    "unsigned events must come from the gateway itself, not through a proxy or a browser; set ASSAY_WAHA_HMAC_KEY",
  no_key: "set ASSAY_WAHA_HMAC_KEY to the `hmac.key` of the gateway's webhook",
  too_many_parts:
    "no group is so large; look in the gateway's log for the event, and at who can post events",
};

/** Makes refused events visible in the log and in `assay doctor`. */
interface Refusals {
  note(reason: RefusalReason): void;
}

export interface RefusalsOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** Smaller in tests. */
  readonly intervalMs?: number;
}

/** Anyone can send an unsigned event, so a flood of them must neither fill the log nor occupy the store. */
const INTERVAL_MS = 10_000;

/** The first refusal is reported at once. Those that follow within the interval are reported together at its end. */
export function createRefusals(options: RefusalsOptions): Refusals {
  const counts = new Map<RefusalReason, number>();
  const report = async (reason: RefusalReason): Promise<void> => {
    const count = counts.get(reason) ?? 0;
    if (count === 0) {
      counts.delete(reason);
      return;
    }
    counts.set(reason, 0);
    setTimeout(() => void report(reason), options.intervalMs ?? INTERVAL_MS).unref();
    const fields = { reason, count, advice: REFUSAL_ADVICE[reason] };
    options.log.warn(fields, "events of the gateway were refused");
    try {
      await saveRefusals(options.db, { reason, count, atMs: options.clock.nowMs() });
    } catch (error) {
      options.log.warn({ err: error, reason }, "the count of refused events was not stored");
    }
  };
  return {
    note: (reason) => {
      const isReporting = counts.has(reason);
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
      if (!isReporting) void report(reason);
    },
  };
}

/** Adds to the count of a reason. */
async function saveRefusals(
  db: Database,
  refusals: { readonly reason: RefusalReason; readonly count: number; readonly atMs: number },
): Promise<void> {
  const { reason, count, atMs } = refusals;
  await db.execute(sql`
    insert into refused_event as stored (reason, refused_count, first_at_ms, last_at_ms)
    values (${reason}, ${count}, ${atMs}, ${atMs})
    on conflict (reason) do update set
      refused_count = stored.refused_count + excluded.refused_count, last_at_ms = excluded.last_at_ms`);
}

interface Refusal {
  readonly reason: RefusalReason;
  readonly refused_count: number;
  readonly last_at_ms: number;
}

export async function listRefusals(db: Database): Promise<readonly Refusal[]> {
  return db.query<Refusal>(sql`
    select reason, refused_count, last_at_ms from refused_event order by reason limit 100`);
}
