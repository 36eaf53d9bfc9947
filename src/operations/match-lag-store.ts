import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/** How long after their messages the matches came. */
export interface MatchLag {
  readonly match_count: number;
  readonly p50_ms: number | null;
  readonly p99_ms: number | null;
}

/** Of the latest matches since `sinceMs`, at most `matchesMax`: from the time of the message to that of the match. */
export async function findMatchLag(
  db: Database,
  { sinceMs, matchesMax }: { readonly sinceMs: number; readonly matchesMax: number },
): Promise<MatchLag> {
  const [row] = await db.query<MatchLag>(sql`
    select count(*) as match_count,
           percentile_disc(0.5) within group (order by lag_ms) as p50_ms,
           percentile_disc(0.99) within group (order by lag_ms) as p99_ms
      from (select greatest(latest.matched_at_ms - message.first_seen_at_ms, 0) as lag_ms
              from (select canonical_message_id, matched_at_ms
                      from alert_match
                     order by sequence desc
                     limit ${matchesMax}) as latest
              join canonical_message as message on message.id = latest.canonical_message_id
             where latest.matched_at_ms >= ${sinceMs}) as lag`);
  return row ?? { match_count: 0, p50_ms: null, p99_ms: null };
}
