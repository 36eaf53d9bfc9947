import type { Database } from "../db/database.ts";
import { takeLock } from "../db/locks.ts";
import { dropNulls } from "../db/row.ts";
import { recordset, type Sql, sql } from "../db/sql.ts";
import type { Match, MatchRow } from "./match.ts";
import { matchColumns } from "./match-store.ts";

/** Marks one match as seen. The first time stays. Returns undefined if there is no such match. */
export async function markMatchSeen(
  db: Database,
  match: { readonly alertId: string; readonly resourceId: string },
  nowMs: number,
): Promise<Match | undefined> {
  const pair = { alert_id: match.alertId, resource_id: match.resourceId };
  await markPairsSeen(db, [pair], nowMs);
  const [row] = await db.query<MatchRow>(sql`
    select ${matchColumns()}
      from alert_match as match
     where match.alert_id = ${match.alertId}
       and match.resource_id = any(array[${match.resourceId}::uuid] || ${currentIds(sql`${match.resourceId}::uuid`)})
     order by match.resource_id = ${match.resourceId}::uuid
     limit 1`);
  return row === undefined ? undefined : dropNulls(row);
}

export interface MatchPair {
  readonly alert_id: string;
  readonly resource_id: string;
}

/** Returns how many were marked. Also accepts ids from before a merge, whether the matches were moved already or not. */
export async function markPairsSeen(
  db: Database,
  pairs: readonly MatchPair[],
  nowMs: number,
): Promise<number> {
  const first = await markPairsOnce(db, pairs, nowMs);
  // The first statement may have waited for a merge that moved these matches. The second one finds them.
  return first + (await markPairsOnce(db, pairs, nowMs));
}

async function markPairsOnce(
  db: Database,
  pairs: readonly MatchPair[],
  nowMs: number,
): Promise<number> {
  return db.execute(sql`
    with chosen as materialized (
      select distinct match.alert_id, match.resource, match.resource_id
        from ${recordset(pairs)} as pair (alert_id uuid, resource_id uuid)
       cross join lateral unnest(array[pair.resource_id] || ${currentIds(sql`pair.resource_id`)}) as current (id)
        join alert_match as match on match.alert_id = pair.alert_id and match.resource_id = current.id
       where match.seen_at_ms is null
    )
    ${markChosen(nowMs)}`);
}

/** The ids that replaced an id after a merge. */
function currentIds(id: Sql) {
  return sql`
    array(select listing_id from listing_alias where old_id = ${id}
          union all
          select canonical_message_id from message_alias where old_id = ${id})`;
}

/**
 * Marks the oldest unseen matches up to a time, at most `limit`. Returns how many it marked. It takes the lock before it
 * chooses: otherwise two calls could choose the same matches, and the second would mark none and report that it is done.
 */
export async function markSeenUpTo(
  tx: Database,
  selection: { readonly alertId?: string; readonly beforeMs: number; readonly limit: number },
  nowMs: number,
): Promise<number> {
  const { alertId, beforeMs, limit } = selection;
  await takeLock(tx, "matches");
  return tx.execute(sql`
    with chosen as materialized (
      select alert_id, resource, resource_id
        from alert_match
       where seen_at_ms is null and matched_at_ms <= ${beforeMs}
         and ${alertId === undefined ? sql`true` : sql`alert_id = ${alertId}`}
       order by matched_at_ms, alert_id, resource_id
       limit ${limit}
    )
    ${markChosen(nowMs)}`);
}

function markChosen(nowMs: number) {
  return sql`
    update alert_match as match
       set seen_at_ms = ${nowMs}
      from chosen
     where match.alert_id = chosen.alert_id and match.resource = chosen.resource
       and match.resource_id = chosen.resource_id and match.seen_at_ms is null`;
}
