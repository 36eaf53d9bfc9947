import { DAY_MS, dayStartOf } from "../base/clock.ts";
import type { Database } from "../db/database.ts";
import { dropNulls, type Present } from "../db/row.ts";
import { sql } from "../db/sql.ts";

interface StateRow {
  readonly alert_id: string;
  readonly total_count: number;
  readonly unseen_count: number;
  readonly last_matched_at_ms: number | null;
  /** Null if the alert is not muted now. */
  readonly muted_until_ms: number | null;
  /** UTC days with a match, oldest first. */
  readonly days: readonly { readonly day_start_ms: number; readonly match_count: number }[];
}

type AlertState = Present<StateRow>;

/** Today and the days before it. */
export const STATE_DAYS = 30;

/** How often each alert matched, in the order of the list of alerts. Reads the matches of these days in the index only. */
export async function listAlertStates(db: Database, nowMs: number): Promise<readonly AlertState[]> {
  const sinceMs = dayStartOf(nowMs) - (STATE_DAYS - 1) * DAY_MS;
  const rows = await db.query<StateRow>(sql`
    select alert.id as alert_id, counted.total as total_count, counted.unseen as unseen_count,
           (select match.matched_at_ms
              from alert_match as match
             where match.alert_id = alert.id
             order by match.matched_at_ms desc, match.resource_id
             limit 1) as last_matched_at_ms,
           case when alert.muted_until_ms > ${nowMs}::bigint then alert.muted_until_ms end as muted_until_ms,
           (select coalesce(json_agg(json_build_object(
                     'day_start_ms', day.start_ms, 'match_count', day.count) order by day.start_ms), '[]')
              from (select matched_at_ms - matched_at_ms % ${DAY_MS}::bigint as start_ms, count(*) as count
                      from alert_match as match
                     where match.alert_id = alert.id and match.matched_at_ms >= ${sinceMs}
                     group by 1) as day) as days
      from alert
      join alert_match_count as counted on counted.alert_id = alert.id
     order by alert.created_at_ms desc, alert.id`);
  return rows.map(dropNulls);
}
