import type { Database } from "../db/database.ts";
import { takeLock } from "../db/locks.ts";
import { dropNulls } from "../db/row.ts";
import { recordset, rowset, type Sql, sql } from "../db/sql.ts";
import type { Move } from "../matching/resource-store.ts";
import {
  type Match,
  type MatchKey,
  type MatchRow,
  type MovingMatch,
  type NewMatch,
  planMoves,
} from "./match.ts";

interface MatchPage {
  readonly items: readonly Match[];
  readonly total: number;
}

export interface MatchQuery {
  readonly alertId: string;
  readonly offset: number;
  readonly limit: number;
  readonly isUnseenOnly: boolean;
}

/**
 * One page of an alert's matches, newest first, ties by resource id. Returns undefined if there is no such alert. The total
 * comes from the counter in the same statement, so it fits the page. Rows before the offset are skipped in the index.
 */
export async function listMatches(db: Database, query: MatchQuery): Promise<MatchPage | undefined> {
  const selection = query.isUnseenOnly
    ? sql`alert_id = ${query.alertId} and seen_at_ms is null`
    : sql`alert_id = ${query.alertId}`;
  const total = query.isUnseenOnly ? sql`unseen` : sql`total`;
  const rows = await db.query<{ total: number } & MatchRow>(sql`
    with counted as (
      select alert_id, ${total} as total from alert_match_count where alert_id = ${query.alertId}
    ), page as materialized (
      select alert_id, resource, resource_id, matched_at_ms
        from alert_match
       where ${selection} and (select total from counted) > ${query.offset}
       order by matched_at_ms desc, resource_id
      offset ${query.offset}
       limit ${query.limit}
    )
    select counted.total, ${matchColumns()}
      from counted
      left join (page join alert_match as match using (alert_id, resource, resource_id))
        on page.alert_id = counted.alert_id
     order by page.matched_at_ms desc, page.resource_id`);
  const [first] = rows;
  if (first === undefined) return undefined;
  const items = rows
    .filter(({ resource_id }) => resource_id !== null)
    .map(({ total: _, ...match }) => dropNulls(match));
  return { items, total: first.total };
}

/** The columns of `MatchRow`, of the table called `match`. */
export function matchColumns(): Sql {
  return sql`
    match.alert_id, match.resource, match.resource_id, match.listing_id, match.canonical_message_id,
    match.matched_at_ms, match.seen_at_ms, match.match_context`;
}

/**
 * Takes the lock of matches, which only one transaction has at a time. So the matches that it reads cannot change before its
 * commit. A step takes this lock last, because a transaction that holds it must not wait for another. Unlike other steps,
 * the commit waits for the disk: a match that was sent, and its number, must survive a crash.
 */
export async function beginMatches(tx: Database): Promise<void> {
  await tx.execute(sql`set local synchronous_commit to default`);
  await takeLock(tx, "matches");
}

/** The rows of one statement. A listing can match very many alerts. */
const ROWS_MAX = 5_000;

const KEY_TYPES = { alert_id: "uuid", resource: "text", resource_id: "uuid" };

/** A stored match, by its key. */
interface KnownMatch extends MatchKey {
  readonly is_outward: boolean;
}

/** Of the matches, those that are stored already. */
export async function findKnownMatches(
  tx: Database,
  matches: readonly NewMatch[],
): Promise<readonly KnownMatch[]> {
  return inBatches(matches, (rows) =>
    tx.query<KnownMatch>(sql`
      select match.alert_id, match.resource, match.resource_id, match.is_outward
        from ${rowset("wanted", rows, KEY_TYPES)}
        join alert_match as match using (alert_id, resource, resource_id)`),
  );
}

/** Saves the matches of enabled alerts that are not stored yet, and returns them; those of muted alerts are not outward. */
export async function saveMatches(
  tx: Database,
  matches: readonly NewMatch[],
  nowMs: number,
): Promise<readonly KnownMatch[]> {
  return inBatches(matches, (rows) =>
    tx.query<KnownMatch>(sql`
      insert into alert_match
             (alert_id, resource, resource_id, listing_id, canonical_message_id, matched_at_ms, match_context,
              is_outward, is_muted)
      select wanted.alert_id, wanted.resource, wanted.resource_id,
             case when wanted.resource = 'watch_listing' then wanted.resource_id end, wanted.canonical_message_id,
             ${nowMs}::bigint, wanted.match_context, wanted.is_outward, ${isMutedAt(nowMs)}
        from ${rowset("wanted", rows, {
          ...KEY_TYPES,
          canonical_message_id: "uuid",
          match_context: "jsonb",
          is_outward: "boolean",
        })}
        join alert on alert.id = wanted.alert_id and alert.is_enabled
       order by wanted.alert_id, wanted.resource, wanted.resource_id
      on conflict do nothing
      returning alert_id, resource, resource_id, is_outward and not is_muted as is_outward`),
  );
}

function isMutedAt(nowMs: number): Sql {
  return sql`coalesce(alert.muted_until_ms > ${nowMs}::bigint, false)`;
}

/**
 * Marks shadow matches as outward, with new sequence numbers, and returns those that changed. A match that was made while
 * its alert was muted stays muted, and so does one that is released now while the alert is muted.
 */
export async function releaseMatches(
  tx: Database,
  matches: readonly NewMatch[],
  nowMs: number,
): Promise<readonly KnownMatch[]> {
  return inBatches(matches, (rows) =>
    tx.query<KnownMatch>(sql`
      update alert_match as match
         set is_outward = true, is_muted = match.is_muted or ${isMutedAt(nowMs)}, sequence = nextval('alert_match_sequence')
        from ${rowset("wanted", rows, KEY_TYPES)}
        join alert on alert.id = wanted.alert_id and alert.is_enabled
       where match.alert_id = wanted.alert_id and match.resource = wanted.resource
         and match.resource_id = wanted.resource_id and not match.is_outward
      returning match.alert_id, match.resource, match.resource_id, not match.is_muted as is_outward`),
  );
}

async function inBatches<Row>(
  matches: readonly NewMatch[],
  run: (rows: readonly NewMatch[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const results: Row[] = [];
  for (let at = 0; at < matches.length; at += ROWS_MAX) {
    for (const row of await run(matches.slice(at, at + ROWS_MAX))) results.push(row);
  }
  return results;
}

/** Of the listings or messages, those with a match. */
export async function findMatchedIds(
  tx: Database,
  resourceIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (resourceIds.length === 0) return new Set();
  const rows = await tx.query<{ resource_id: string }>(sql`
    select distinct resource_id
      from alert_match
     where resource_id = any(${resourceIds}::uuid[])
     order by resource_id
     limit ${resourceIds.length}`);
  return new Set(rows.map(({ resource_id }) => resource_id));
}

/** Moves the matches of resources whose ids changed. */
export async function moveMatches(tx: Database, moves: readonly Move[]): Promise<void> {
  const ids = [...new Set(moves.flatMap(({ from, to }) => [from, to]))];
  const found = await tx.query<MovingMatch>(sql`
    select alert_id, resource, resource_id, seen_at_ms, matched_at_ms, sequence
      from alert_match
     where resource_id = any(${ids}::uuid[])
     order by alert_id, resource, resource_id`);
  const { kept, dropped } = planMoves(found, moves);
  if (dropped.length > 0) {
    await tx.execute(sql`
      delete from alert_match as match
       using ${recordset(dropped)} as dropped (alert_id uuid, resource text, resource_id uuid)
       where match.alert_id = dropped.alert_id and match.resource = dropped.resource
         and match.resource_id = dropped.resource_id`);
  }
  const rows = kept.map(({ move, ...match }) => ({
    ...match,
    new_id: move.to,
    canonical_message_id: move.canonical_message_id,
  }));
  if (rows.length === 0) return;
  await tx.execute(sql`
    update alert_match as match
       set resource_id = kept.new_id, canonical_message_id = kept.canonical_message_id,
           listing_id = case when match.resource = 'watch_listing' then kept.new_id end,
           seen_at_ms = kept.seen_at_ms
      from ${recordset(rows)}
           as kept (alert_id uuid, resource text, resource_id uuid, new_id uuid, canonical_message_id uuid,
                    seen_at_ms bigint)
     where match.alert_id = kept.alert_id and match.resource = kept.resource
       and match.resource_id = kept.resource_id`);
}
