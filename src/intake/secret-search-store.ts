import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/** A search of stored bodies for secrets of the gateway. */
interface SecretSearch {
  readonly dueAtMs: number;
  readonly afterId: number;
  /** Bodies that it has rewritten so far. */
  readonly rewrittenCount: number;
}

export async function isSecretSearchDue(db: Database, nowMs: number): Promise<boolean> {
  return (await db.query(sql`select from secret_search where due_at_ms <= ${nowMs}`)).length > 0;
}

/** Returns the first search that is due, locked until the transaction ends; undefined if there is none, or another worker has it. */
export async function takeSecretSearch(
  tx: Database,
  nowMs: number,
): Promise<SecretSearch | undefined> {
  const [search] = await tx.query<SecretSearch>(sql`
    select due_at_ms as "dueAtMs", after_raw_event_id as "afterId", rewritten_count as "rewrittenCount"
      from secret_search
     where due_at_ms <= ${nowMs}
     order by due_at_ms
     limit 1
       for update skip locked`);
  return search;
}

export async function moveSecretSearch(
  tx: Database,
  { dueAtMs, afterId, rewrittenCount }: SecretSearch,
): Promise<void> {
  await tx.execute(sql`
    update secret_search set after_raw_event_id = ${afterId}, rewritten_count = ${rewrittenCount}
     where due_at_ms = ${dueAtMs}`);
}

export async function finishSecretSearch(
  tx: Database,
  { dueAtMs }: Pick<SecretSearch, "dueAtMs">,
): Promise<void> {
  await tx.execute(sql`delete from secret_search where due_at_ms = ${dueAtMs}`);
}
