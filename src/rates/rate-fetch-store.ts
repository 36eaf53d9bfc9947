import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/** How the fetches of the ECB's rates went. */
export interface RateFetch {
  /** The latest fetch that succeeded. */
  readonly fetched_at_ms: number | null;
  /** The latest day with rates, such as `2026-11-13`. */
  readonly latest_day: string | null;
  /** Failures since then. */
  readonly failed_count: number;
  readonly failing_since_ms: number | null;
  readonly last_error: string | null;
  readonly next_at_ms: number;
}

const NONE: RateFetch = {
  fetched_at_ms: null,
  latest_day: null,
  failed_count: 0,
  failing_since_ms: null,
  last_error: null,
  next_at_ms: 0,
};

export async function findRateFetch(db: Database): Promise<RateFetch> {
  const [row] = await db.query<RateFetch>(sql`
    select fetched_at_ms, latest_day::text as latest_day, failed_count, failing_since_ms, last_error, next_at_ms
      from rate_fetch
     limit 1`);
  return row ?? NONE;
}

export async function saveRateFetch(db: Database, fetched: RateFetch): Promise<void> {
  await db.execute(sql`
    insert into rate_fetch (fetched_at_ms, latest_day, failed_count, failing_since_ms, last_error, next_at_ms)
    values (${fetched.fetched_at_ms}, ${fetched.latest_day}::date, ${fetched.failed_count},
            ${fetched.failing_since_ms}, ${fetched.last_error}, ${fetched.next_at_ms})
    on conflict (is_only) do update set
      fetched_at_ms = excluded.fetched_at_ms, latest_day = excluded.latest_day,
      failed_count = excluded.failed_count, failing_since_ms = excluded.failing_since_ms,
      last_error = excluded.last_error, next_at_ms = excluded.next_at_ms`);
}
