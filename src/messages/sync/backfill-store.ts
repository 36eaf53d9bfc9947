import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { groupIdOf, identitySha256, sessionIdOf } from "../message.ts";
import { type Report, reportedMessageIdOf } from "../occurrences/report.ts";
import { findReports } from "../occurrences/reported-message-store.ts";
import { ALL_CHATS, type Backfill, retryDelayMs } from "./backfill.ts";

/** One chat of one session. */
export interface ChatKey {
  readonly session: string;
  readonly chat: string;
}

export async function listBackfills(db: Database, session: string): Promise<readonly Backfill[]> {
  return db.query<Backfill>(sql`
    select chat, complete_to_ms, fetched_at_ms, failed_count, retry_at_ms
      from message_backfill
     where session_name = ${session}
     order by chat
     limit 10000`);
}

/**
 * Gives each session its first mark when it is first seen, whether it works or not: the newest message that it has reported.
 * Without it, a session that comes back with a new message would seem to have missed nothing.
 */
export async function saveFirstMarks(
  db: Database,
  { names, nowMs }: { readonly names: readonly string[]; readonly nowMs: number },
): Promise<void> {
  await db.execute(sql`
    insert into message_backfill (session_name, chat, complete_to_ms)
    select seen.name, ${ALL_CHATS}, least(max(session.last_message_at_ms), ${nowMs}::bigint)
      from (select unnest(${[...names]}::text[]) as name
            union
            select gateway_name from messaging_session) as seen
      left join messaging_session as session on session.gateway_name = seen.name
     where not exists (select from message_backfill where session_name = seen.name)
     group by seen.name
     order by seen.name
    on conflict do nothing`);
}

/** Saves a fetch that reached its last page. */
export async function saveFetched(
  db: Database,
  { session, chat }: ChatKey,
  { completeToMs, fetchedAtMs }: { readonly completeToMs: number; readonly fetchedAtMs: number },
): Promise<void> {
  await db.execute(sql`
    insert into message_backfill (session_name, chat, complete_to_ms, fetched_at_ms)
    values (${session}, ${chat}, ${completeToMs}, ${fetchedAtMs})
    on conflict (session_name, chat) do update set
      complete_to_ms = excluded.complete_to_ms, fetched_at_ms = excluded.fetched_at_ms, failed_count = 0,
      failing_since_ms = null, retry_at_ms = null, last_error = null`);
}

/** Saves how far a fetch got that has more pages than one round may request. The next round continues there. */
export async function saveProgress(
  db: Database,
  { session, chat }: ChatKey,
  completeToMs: number,
): Promise<void> {
  await db.execute(sql`
    insert into message_backfill (session_name, chat, complete_to_ms)
    values (${session}, ${chat}, ${completeToMs})
    on conflict (session_name, chat) do update set
      complete_to_ms = excluded.complete_to_ms, fetched_at_ms = null, failed_count = 0, failing_since_ms = null,
      retry_at_ms = null, last_error = null`);
}

/** `startMs` becomes the mark of a chat that has none, so that messages which arrive until the next attempt do not move it. */
export async function saveFailure(
  db: Database,
  { session, chat }: ChatKey,
  failure: {
    readonly nowMs: number;
    readonly startMs: number;
    readonly failedCount: number;
    readonly error: string;
  },
): Promise<void> {
  const { nowMs, startMs, failedCount, error } = failure;
  await db.execute(sql`
    insert into message_backfill as stored
           (session_name, chat, complete_to_ms, failed_count, failing_since_ms, retry_at_ms, last_error)
    values (${session}, ${chat}, ${startMs}, ${failedCount}, ${nowMs}, ${nowMs + retryDelayMs(failedCount)}, ${error})
    on conflict (session_name, chat) do update set
      complete_to_ms = coalesce(stored.complete_to_ms, excluded.complete_to_ms),
      failed_count = excluded.failed_count,
      failing_since_ms = coalesce(stored.failing_since_ms, excluded.failing_since_ms),
      retry_at_ms = excluded.retry_at_ms, last_error = excluded.last_error`);
}

/**
 * Forgets the failures of chats that the session no longer has. Their marks stay, because a list of groups can be
 * incomplete for a while.
 */
export async function forgetFailures(
  db: Database,
  session: string,
  chats: readonly string[],
): Promise<void> {
  await db.execute(sql`
    update message_backfill
       set failed_count = 0, failing_since_ms = null, retry_at_ms = null, last_error = null
     where session_name = ${session} and failed_count > 0 and chat <> all(${[...chats]}::text[])`);
}

/** Likewise for sessions that the gateway no longer lists. */
export async function forgetOtherSessions(
  db: Database,
  sessions: readonly string[],
): Promise<void> {
  await db.execute(sql`
    update message_backfill
       set failed_count = 0, failing_since_ms = null, retry_at_ms = null, last_error = null
     where failed_count > 0 and session_name <> all(${[...sessions]}::text[])`);
}

export interface SessionBackfill {
  readonly session_name: string;
  readonly failing_count: number;
  readonly failing_since_ms: number | null;
  readonly retry_at_ms: number | null;
  readonly last_error: string | null;
  /** Null until a chat was fetched. */
  readonly fetched_at_ms: number | null;
}

/** Returns the state of each session, by name. */
export async function listSessionBackfills(db: Database): Promise<readonly SessionBackfill[]> {
  return db.query<SessionBackfill>(sql`
    select session_name, count(failing_since_ms) as failing_count,
           min(failing_since_ms) as failing_since_ms, min(retry_at_ms) as retry_at_ms, min(last_error) as last_error,
           max(fetched_at_ms) as fetched_at_ms
      from message_backfill
     group by session_name
     order by session_name
     limit 1000`);
}

/** A stored message that a window lacks, or one that counts as revoked and that the window has. */
export interface StoredMessage {
  readonly group: string;
  readonly rawId: string;
  readonly sentAtMs: number;
  readonly isListed: boolean;
  readonly reports: readonly Report[];
}

/**
 * Returns the stored messages about which a window may say something new, at most `limit` that it lacks. Messages without a
 * text, and our own, have no listing, so they are left out.
 */
export async function listCheckable(
  db: Database,
  window: {
    readonly session: string;
    readonly fromMs: number;
    readonly toMs: number;
    readonly listed: readonly { readonly group: string; readonly rawId: string }[];
    readonly limit: number;
  },
): Promise<readonly StoredMessage[]> {
  const { session, fromMs, toMs, listed, limit } = window;
  const rows = await db.query<Omit<StoredMessage, "reports"> & { groupId: string }>(sql`
    with listed as materialized (
      select group_id, raw_id
        from unnest(${listed.map(({ group }) => groupIdOf(group))}::uuid[],
                    ${listed.map(({ rawId }) => rawId)}::text[]) as message (group_id, raw_id)
    ), missing as (
      select occurrence.group_id, occurrence.raw_id, min(occurrence.second) as second
        from canonical_message as message
        join occurrence on occurrence.canonical_message_id = message.id
       where message.occurrence_count > 0 and message.last_seen_at_ms >= ${fromMs} and message.text <> ''
         and occurrence.sent_at_ms between ${fromMs} and ${toMs}
         and not occurrence.is_revoked and not occurrence.is_own
         and ${sessionIdOf(session)}::uuid = any(occurrence.session_ids)
         and not exists (select from listed
                          where listed.group_id = occurrence.group_id and listed.raw_id = occurrence.raw_id)
       group by occurrence.group_id, occurrence.raw_id
       order by occurrence.group_id, occurrence.raw_id
       limit ${limit}
    ), withdrawn as (
      select distinct listed.group_id, listed.raw_id, 0::bigint as second
        from listed
        join occurrence on occurrence.group_id = listed.group_id and occurrence.raw_id = listed.raw_id
       where occurrence.is_revoked
    )
    select market_group.gateway_group_id as group, market_group.id as "groupId", found.raw_id as "rawId",
           found.second * 1000 as "sentAtMs", found.is_listed as "isListed"
      from (select *, false as is_listed from missing
            union all
            select *, true from withdrawn) as found
      join market_group on market_group.id = found.group_id
     order by found.group_id, found.raw_id`);
  const reports = await findReports(
    db,
    rows.map(({ groupId, rawId }) => reportedMessageIdOf(groupId, rawId)),
  );
  return rows.map(({ groupId, ...row }) => ({
    ...row,
    reports: reports.get(reportedMessageIdOf(groupId, row.rawId)) ?? [],
  }));
}

interface ListedMessage {
  readonly group: string;
  readonly rawId: string;
  readonly text: string;
}

/** Returns those of the messages that the session has reported already and that have this text now, as an edit may be lost. */
export async function listReported<Message extends ListedMessage>(
  db: Database,
  session: string,
  messages: readonly Message[],
): Promise<ReadonlySet<Message>> {
  const rows = await db.query<{ at: number }>(sql`
    select listed.at::integer
      from unnest(${messages.map(({ group }) => groupIdOf(group))}::uuid[],
                  ${messages.map(({ rawId }) => rawId)}::text[],
                  ${messages.map(({ text }) => identitySha256(text) ?? "")}::text[])
             with ordinality as listed (group_id, raw_id, identity, at)
     where exists (
        select from occurrence
          join message_version as version
            on version.occurrence_id = occurrence.id
           and version.canonical_message_id = occurrence.canonical_message_id
         where occurrence.group_id = listed.group_id and occurrence.raw_id = listed.raw_id
           and ${sessionIdOf(session)}::uuid = any(occurrence.session_ids)
           and (listed.identity = '' or version.identity_sha256 = decode(listed.identity, 'hex')))
     order by listed.at
     limit ${messages.length}`);
  return new Set(rows.flatMap(({ at }) => messages[at - 1] ?? []));
}
