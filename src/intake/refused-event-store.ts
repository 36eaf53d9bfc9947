import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/** Why an event of the gateway was not stored. */
export type RefusalReason = "bad_signature" | "no_key" | "not_direct";

export interface Refusal {
  readonly reason: RefusalReason;
  readonly refused_count: number;
  readonly last_at_ms: number;
}

/** Adds to the count of a reason. */
export async function saveRefusals(
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

export async function listRefusals(db: Database): Promise<readonly Refusal[]> {
  return db.query<Refusal>(sql`
    select reason, refused_count, last_at_ms from refused_event order by reason limit 100`);
}
