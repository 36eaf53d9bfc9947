import type { MatchPair } from "../alerts/seen-store.ts";
import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/** How far the demo market is loaded. */
export interface DemoLoad {
  readonly from_ms: number;
  /** Null until the first stretch of the first load is complete. */
  readonly until_ms: number | null;
  readonly manifest_sha256: string | null;
}

export async function findDemoLoad(db: Database): Promise<DemoLoad | undefined> {
  const [row] = await db.query<DemoLoad>(
    sql`select from_ms, until_ms, manifest_sha256 from demo_load limit 1`,
  );
  return row;
}

export async function saveDemoLoad(db: Database, load: DemoLoad): Promise<void> {
  await db.execute(sql`
    insert into demo_load (from_ms, until_ms, manifest_sha256)
    values (${load.from_ms}, ${load.until_ms}, ${load.manifest_sha256})
    on conflict (is_only) do update
       set from_ms = excluded.from_ms,
           until_ms = excluded.until_ms,
           manifest_sha256 = excluded.manifest_sha256`);
}

const PAIRS_MAX = 3_000;

export async function listUnseenPairs(db: Database): Promise<readonly MatchPair[]> {
  return db.query<MatchPair>(sql`
    select alert_id, resource_id
      from alert_match
     where seen_at_ms is null
     order by resource_id, alert_id
     limit ${PAIRS_MAX}`);
}
