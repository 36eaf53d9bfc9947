import { DAY_MS } from "../base/clock.ts";
import type { Database } from "../db/database.ts";
import { rawSql, recordset, type Sql, sql } from "../db/sql.ts";
import {
  type ActivityEntry,
  type ActivityKind,
  type Author,
  type Change,
  NAME_LENGTH_MAX,
  toChanges,
} from "./activity.ts";

export interface ActivityRow {
  readonly id: string;
  readonly sequence: number;
  readonly at_ms: number;
  readonly actor_token_id: string | null;
  readonly actor_name: string;
  readonly action: string;
  readonly object_kind: string;
  readonly object_id: string;
  readonly object_name: string | null;
  readonly changes: readonly Change[];
  readonly contact_id: string | null;
  readonly request_id: string | null;
}

export interface ActivityPosition {
  readonly atMs: number;
  readonly sequence: number;
}

export interface ActivityQuery {
  readonly kind?: ActivityKind;
  readonly objectId?: string;
  /** By name, or by the id of its token. */
  readonly actor?: { readonly name: string } | { readonly tokenId: string };
  readonly fromMs?: number;
  readonly after?: ActivityPosition;
  readonly limit: number;
}

const KEPT_MS = 2 * 365 * DAY_MS;
/**
 * Of one actor. A desk of ten people writes some hundred rows a day. A program that writes without end loses its own oldest rows, and
 * never those of others.
 */
const ACTOR_ROWS_MAX = 50_000;
/** Actors with a row among so many of the newest are looked at: others have written nothing since the last look. */
const RECENT_ROWS = 2_000;
const REMOVED_MAX = 5_000;
const CHUNK = 500;

/** The one way into the log. Call it in the transaction of the write, so that there is no write without its row. */
export async function recordActivity(
  tx: Database,
  author: Author,
  entries: readonly ActivityEntry[],
): Promise<void> {
  const rows = entries.map((entry) => ({
    action: entry.action,
    object_kind: entry.object.kind,
    object_id: entry.object.id,
    object_name: entry.object.name?.slice(0, NAME_LENGTH_MAX).toWellFormed() ?? null,
    changes: JSON.stringify(toChanges(entry)),
    contact_id: entry.contactId ?? null,
  }));
  for (let at = 0; at < rows.length; at += CHUNK) {
    await tx.execute(sql`
      insert into activity (at_ms, actor_token_id, actor_name, action, object_kind, object_id, object_name, changes,
                            contact_id, request_id)
      select ${author.nowMs}, ${author.tokenId ?? null}::uuid, ${author.name}, action, object_kind, object_id, object_name,
             changes::json, contact_id, ${author.requestId ?? null}
        from ${recordset(rows.slice(at, at + CHUNK))} as written
             (action text, object_kind text, object_id uuid, object_name text, changes text, contact_id uuid)`);
  }
}

/** One page, newest first. */
export async function listActivity(
  db: Database,
  { kind, objectId, actor, fromMs, after, limit }: ActivityQuery,
): Promise<readonly ActivityRow[]> {
  const byActor =
    actor === undefined
      ? sql`true`
      : "name" in actor
        ? sql`actor_name = ${actor.name}`
        : sql`actor_token_id = ${actor.tokenId}`;
  return db.query<ActivityRow>(sql`
    select id, sequence, at_ms, actor_token_id, actor_name, action, object_kind, object_id, object_name, changes,
           contact_id, request_id
      from activity
     where ${kind === undefined ? sql`true` : sql`object_kind = ${kind}`}
       and ${objectId === undefined ? sql`true` : sql`object_id = ${objectId}`}
       and ${byActor}
       and ${fromMs === undefined ? sql`true` : sql`at_ms >= ${fromMs}`}
       and ${after === undefined ? sql`true` : sql`(at_ms, sequence) < (${after.atMs}, ${after.sequence})`}
     order by at_ms desc, sequence desc
     limit ${limit}`);
}

/** Deletes what is about these objects: a row from before the contact was known has no contact. */
export async function eraseActivityOf(
  tx: Database,
  kind: ActivityKind,
  objectIds: readonly string[],
): Promise<void> {
  await tx.execute(sql`
    delete from activity where object_kind = ${kind} and object_id = any(${[...objectIds]}::uuid[])`);
}

/** Deletes what is about these contacts. */
export async function eraseActivity(tx: Database, contactIds: readonly string[]): Promise<void> {
  await tx.execute(sql`delete from activity where contact_id = any(${[...contactIds]}::uuid[])`);
}

/**
 * Deletes one batch of rows that are older than two years, and one of actors who have more rows than they may. Returns how many. The
 * years count back from the newest row, if that is before now: a clock that was set wrong must not remove anything.
 */
export async function removeOldActivity(
  db: Database,
  nowMs: number,
  { actorRowsMax = ACTOR_ROWS_MAX }: { readonly actorRowsMax?: number } = {},
): Promise<number> {
  const [newest] = await db.query<{ at_ms: number }>(sql`
    select at_ms from activity order by at_ms desc, sequence desc limit 1`);
  if (newest === undefined) return 0;
  const oldCount = await db.execute(sql`
    with old as materialized (
      select id
        from activity
       where at_ms < ${Math.min(newest.at_ms, nowMs) - KEPT_MS}
       order by at_ms, sequence
       limit ${REMOVED_MAX}
         for update skip locked
    )
    delete from activity using old where activity.id = old.id`);
  const byToken = await removeBeyond(db, rawSql("actor_token_id"), sql`true`, actorRowsMax);
  // Commands have no token.
  const isOfCommand = sql`actor_token_id is null`;
  const byName = await removeBeyond(db, rawSql("actor_name"), isOfCommand, actorRowsMax);
  return oldCount + byToken + byName;
}

/** Deletes the oldest rows of actors who have more than they may. */
function removeBeyond(db: Database, actor: Sql, isCounted: Sql, rowsMax: number): Promise<number> {
  return db.execute(sql`
    with recent as materialized (
      select ${actor} as actor
        from (select actor_token_id, actor_name from activity order by sequence desc limit ${RECENT_ROWS}) as newest
       where ${isCounted} and ${actor} is not null
       group by ${actor}
    ), beyond as materialized (
      select recent.actor, oldest.at_ms, oldest.sequence
        from recent,
             lateral (select at_ms, sequence
                        from activity
                       where ${actor} = recent.actor and ${isCounted}
                       order by at_ms desc, sequence desc
                      offset ${rowsMax}
                       limit 1) as oldest
    ), old as materialized (
      select activity.id
        from beyond
        join activity
          on ${actor} = beyond.actor and ${isCounted}
         and (activity.at_ms, activity.sequence) <= (beyond.at_ms, beyond.sequence)
       order by activity.at_ms, activity.sequence
       limit ${REMOVED_MAX}
         for update of activity skip locked
    )
    delete from activity using old where activity.id = old.id`);
}
