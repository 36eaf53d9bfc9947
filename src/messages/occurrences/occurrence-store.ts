import { DAY_MS } from "../../base/clock.ts";
import type { Database } from "../../db/database.ts";
import { recordset, rowset, type Sql, sql } from "../../db/sql.ts";
import type {
  NewRollup,
  Occurrence,
  OccurrenceRollup,
  RollupKey,
  StoredVersion,
  Version,
} from "./occurrence.ts";

/** A raw id in a group. */
export interface RawKey {
  readonly group_id: string;
  readonly raw_id: string;
}

/** All stored occurrences of these raw ids. */
export async function findOccurrences(
  tx: Database,
  keys: readonly RawKey[],
): Promise<readonly Occurrence[]> {
  return tx.query<Occurrence>(sql`
    select id, group_id, raw_id, second, sent_at_ms, sender_ids, contact_id, is_own, has_media, is_revoked, is_edited,
           session_ids, canonical_message_id, reply_to_raw_id
      from occurrence
      join unnest(${keys.map(({ group_id }) => group_id)}::uuid[], ${keys.map(({ raw_id }) => raw_id)}::text[])
           as wanted (group_id, raw_id) using (group_id, raw_id)`);
}

/** Returns the messages of all replies to these posts, also those of former texts. */
export async function listReplyMessages(
  tx: Database,
  posts: readonly RawKey[],
): Promise<readonly string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select distinct version.canonical_message_id as id
      from unnest(${posts.map(({ group_id }) => group_id)}::uuid[], ${posts.map(({ raw_id }) => raw_id)}::text[])
           as post (group_id, raw_id)
      join occurrence as reply
        on reply.group_id = post.group_id and reply.reply_to_raw_id = post.raw_id
      join message_version as version on version.occurrence_id = reply.id
     order by 1`);
  return rows.map(({ id }) => id);
}

export async function findVersions(
  tx: Database,
  occurrenceIds: readonly string[],
): Promise<readonly StoredVersion[]> {
  return tx.query<StoredVersion>(sql`
    select occurrence_id, version_at_ms, encode(text_sha256, 'hex') as text_sha256,
           encode(identity_sha256, 'hex') as identity_sha256, canonical_message_id
      from message_version
     where occurrence_id = any(${[...occurrenceIds]}::uuid[])`);
}

/** Adds occurrences, or replaces what is stored of them. */
export async function saveOccurrences(
  tx: Database,
  occurrences: readonly Occurrence[],
): Promise<void> {
  await tx.execute(sql`
    insert into occurrence
           (id, group_id, raw_id, second, sent_at_ms, sender_ids, contact_id, is_own, has_media, is_revoked, is_edited,
            session_ids, canonical_message_id, reply_to_raw_id)
    select id, group_id, raw_id, second, sent_at_ms, sender_ids, contact_id, is_own, has_media, is_revoked, is_edited,
           session_ids, canonical_message_id, reply_to_raw_id
      from ${rowset("derived", occurrences, {
        id: "uuid",
        group_id: "uuid",
        raw_id: "text",
        second: "bigint",
        sent_at_ms: "bigint",
        sender_ids: "text[]",
        contact_id: "uuid",
        is_own: "boolean",
        has_media: "boolean",
        is_revoked: "boolean",
        is_edited: "boolean",
        session_ids: "uuid[]",
        canonical_message_id: "uuid",
        reply_to_raw_id: "text",
      })}
    on conflict (id) do update set
      sent_at_ms = excluded.sent_at_ms, sender_ids = excluded.sender_ids, is_own = excluded.is_own,
      has_media = excluded.has_media, is_revoked = excluded.is_revoked, is_edited = excluded.is_edited,
      session_ids = excluded.session_ids, canonical_message_id = excluded.canonical_message_id,
      reply_to_raw_id = excluded.reply_to_raw_id`);
}

export async function removeOccurrences(tx: Database, ids: readonly string[]): Promise<void> {
  await tx.execute(sql`delete from occurrence where id = any(${[...ids]}::uuid[])`);
}

export async function addVersions(tx: Database, versions: readonly Version[]): Promise<void> {
  await tx.execute(sql`
    insert into message_version
           (occurrence_id, version_at_ms, text_sha256, text, identity_sha256, canonical_message_id)
    select occurrence_id, version_at_ms, decode(text_sha256, 'hex'), text, decode(identity_sha256, 'hex'),
           canonical_message_id
      from ${rowset("added", versions, {
        occurrence_id: "uuid",
        version_at_ms: "bigint",
        text_sha256: "text",
        text: "text",
        identity_sha256: "text",
        canonical_message_id: "uuid",
      })}`);
}

export async function removeVersions(
  tx: Database,
  versions: readonly StoredVersion[],
): Promise<void> {
  await tx.execute(sql`
    delete from message_version as version
     using ${recordset(versions)}
           as removed (occurrence_id uuid, version_at_ms bigint, text_sha256 text)
     where version.occurrence_id = removed.occurrence_id
       and version.version_at_ms = removed.version_at_ms
       and version.text_sha256 = decode(removed.text_sha256, 'hex')`);
}

/** One post of a message. */
interface OccurrenceRow {
  readonly id: string;
  readonly group_id: string;
  readonly group_name: string | null;
  readonly sent_at_ms: number;
  readonly session_ids: readonly string[];
  readonly has_media: boolean;
  readonly is_own: boolean;
  readonly is_edited: boolean;
  readonly is_revoked: boolean;
}

export interface OccurrencePosition {
  readonly sentAtMs: number;
  readonly id: string;
}

/** One page of the posts of a message, newest first, ties by id. The cost grows with the posts of this message. */
export async function listOccurrences(
  db: Database,
  messageId: string,
  page: { readonly after?: OccurrencePosition; readonly limit: number },
): Promise<readonly OccurrenceRow[]> {
  const { after } = page;
  return db.query<OccurrenceRow>(sql`
    select occurrence.id, occurrence.group_id, market_group.name as group_name, occurrence.sent_at_ms,
           occurrence.session_ids, occurrence.has_media, occurrence.is_own, occurrence.is_edited, occurrence.is_revoked
      from occurrence
      left join market_group on market_group.id = occurrence.group_id
     where occurrence.canonical_message_id = ${messageId}
       and ${
         after === undefined
           ? sql`true`
           : sql`(occurrence.sent_at_ms < ${after.sentAtMs}
                  or (occurrence.sent_at_ms = ${after.sentAtMs} and occurrence.id > ${after.id}))`
       }
     order by occurrence.sent_at_ms desc, occurrence.id
     limit ${page.limit}`);
}

/**
 * Roll-ups count the occurrences of a message, for each UTC day and group. Messages are summed up from them, and the
 * API shows them, so neither has to read every occurrence.
 *
 * Invariant: a roll-up exists exactly where at least one occurrence has that message, day and group, and its counts
 * are those of these occurrences. Writers hold the lock of the message.
 *
 * Example: message m was posted in group g on 20 August at 09:00, and at 17:00 by a second post that was edited
 * later. While both have the text, the roll-up (m, 20 August, g) has occurrence_count 2. The edit moves the second
 * post to message n: (m, 20 August, g) is recounted to 1, and (n, 20 August, g) is added with edited_count 1.
 */

const KEY_TYPES = { canonical_message_id: "uuid", day_start_ms: "bigint", group_id: "uuid" };

/**
 * Adds new occurrences to their roll-ups. It reads none of the occurrences that are counted already, so a text that is
 * posted all day costs no more than a new one. The messages must be locked.
 */
export async function addToRollups(tx: Database, rollups: readonly NewRollup[]): Promise<void> {
  await tx.execute(sql`
    insert into occurrence_rollup as stored
           (canonical_message_id, day_start_ms, group_id, occurrence_count, edited_count, revoked_count,
            media_count, own_count, first_seen_at_ms, last_seen_at_ms, live_first_seen_at_ms,
            live_last_seen_at_ms, session_ids)
    select canonical_message_id, day_start_ms, group_id, occurrence_count, 0, 0, media_count, own_count,
           first_seen_at_ms, last_seen_at_ms, first_seen_at_ms, last_seen_at_ms, session_ids
      from ${rowset("added", rollups, {
        ...KEY_TYPES,
        occurrence_count: "integer",
        media_count: "integer",
        own_count: "integer",
        first_seen_at_ms: "bigint",
        last_seen_at_ms: "bigint",
        session_ids: "uuid[]",
      })}
    on conflict (canonical_message_id, day_start_ms, group_id) do update set
      occurrence_count = stored.occurrence_count + excluded.occurrence_count,
      media_count = stored.media_count + excluded.media_count,
      own_count = stored.own_count + excluded.own_count,
      first_seen_at_ms = least(stored.first_seen_at_ms, excluded.first_seen_at_ms),
      last_seen_at_ms = greatest(stored.last_seen_at_ms, excluded.last_seen_at_ms),
      live_first_seen_at_ms = least(stored.live_first_seen_at_ms, excluded.live_first_seen_at_ms),
      live_last_seen_at_ms = greatest(stored.live_last_seen_at_ms, excluded.live_last_seen_at_ms),
      session_ids = case when stored.session_ids @> excluded.session_ids then stored.session_ids
                         else array(select distinct unnest(stored.session_ids || excluded.session_ids) order by 1) end`);
}

/** Deletes the roll-ups that no longer have an occurrence. The messages must be locked. */
export async function removeEmptyRollups(tx: Database, keys: readonly RollupKey[]): Promise<void> {
  const { touched, isIn } = fragmentsOf(keys);
  await tx.execute(sql`
    delete from occurrence_rollup as rollup
     using ${touched}
     where rollup.canonical_message_id = touched.canonical_message_id
       and rollup.day_start_ms = touched.day_start_ms
       and rollup.group_id = touched.group_id
       and not exists (select from occurrence where ${isIn})`);
}

/** Counts the roll-ups again from their occurrences. The messages must be locked. */
export async function recountRollups(tx: Database, keys: readonly RollupKey[]): Promise<void> {
  const { touched, isIn } = fragmentsOf(keys);
  await tx.execute(sql`
    insert into occurrence_rollup
           (canonical_message_id, day_start_ms, group_id, occurrence_count, edited_count, revoked_count,
            media_count, own_count, first_seen_at_ms, last_seen_at_ms, live_first_seen_at_ms,
            live_last_seen_at_ms, session_ids)
    select touched.canonical_message_id, touched.day_start_ms, touched.group_id, counted.*,
           array(select distinct unnest(occurrence.session_ids) from occurrence where ${isIn} order by 1)
      from ${touched}
     cross join lateral (
        select count(*), count(*) filter (where is_edited), count(*) filter (where is_revoked),
               count(*) filter (where has_media), count(*) filter (where is_own),
               min(sent_at_ms), max(sent_at_ms),
               min(sent_at_ms) filter (where not is_revoked), max(sent_at_ms) filter (where not is_revoked)
          from occurrence
         where ${isIn}
        having count(*) > 0
      ) as counted
    on conflict (canonical_message_id, day_start_ms, group_id) do update set
      occurrence_count = excluded.occurrence_count, edited_count = excluded.edited_count,
      revoked_count = excluded.revoked_count, media_count = excluded.media_count,
      own_count = excluded.own_count, first_seen_at_ms = excluded.first_seen_at_ms,
      last_seen_at_ms = excluded.last_seen_at_ms, live_first_seen_at_ms = excluded.live_first_seen_at_ms,
      live_last_seen_at_ms = excluded.live_last_seen_at_ms, session_ids = excluded.session_ids`);
}

function fragmentsOf(keys: readonly RollupKey[]) {
  const touched = rowset("touched", keys, KEY_TYPES);
  const isIn = sql`
    occurrence.canonical_message_id = touched.canonical_message_id
    and occurrence.group_id = touched.group_id
    and occurrence.sent_at_ms >= touched.day_start_ms
    and occurrence.sent_at_ms < touched.day_start_ms + ${DAY_MS}`;
  return { touched, isIn };
}

/**
 * Returns the roll-ups of messages by requested id: newest day first, within a day the group with the most occurrences
 * first, ties by name and id. An id that is neither a message nor an alias has no entry. The cost grows with the number
 * of days and groups, not with the number of occurrences.
 */
export async function findOccurrenceRollups(
  db: Database,
  messageIds: readonly string[],
): Promise<ReadonlyMap<string, readonly OccurrenceRollup[]>> {
  const found = await findRollupsOf(
    db,
    sql`(select id, id from unnest(${[...messageIds]}::uuid[]) as id)`,
  );
  const missing = messageIds.filter((id) => !found.has(id));
  if (missing.length === 0) return found;
  // Rare: the id is from before a merge.
  const moved = await findRollupsOf(
    db,
    sql`(select old_id, canonical_message_id from message_alias where old_id = any(${missing}::uuid[]))`,
  );
  return new Map([...found, ...moved]);
}

interface RollupRow extends Omit<OccurrenceRollup, "session_ids"> {
  readonly requested_id: string;
  /** Joined by commas: the driver parses arrays one character at a time. */
  readonly session_ids: string;
}

/** `requested` selects pairs: the requested id and the id of the message. */
async function findRollupsOf(
  db: Database,
  requested: Sql,
): Promise<Map<string, readonly OccurrenceRollup[]>> {
  const rows = await db.query<
    RollupRow | { readonly requested_id: string; readonly day_start_ms: null }
  >(sql`
    select requested.requested_id, rollup.day_start_ms, rollup.group_id, market_group.name as group_name,
           rollup.occurrence_count, rollup.first_seen_at_ms, rollup.last_seen_at_ms,
           array_to_string(rollup.session_ids, ',') as session_ids,
           rollup.edited_count, rollup.revoked_count, rollup.media_count
      from ${requested} as requested (requested_id, message_id)
      join canonical_message on canonical_message.id = requested.message_id
      left join occurrence_rollup as rollup on rollup.canonical_message_id = canonical_message.id
      left join market_group on market_group.id = rollup.group_id
     order by rollup.day_start_ms desc, rollup.occurrence_count desc, market_group.name, rollup.group_id`);
  const found = new Map<string, OccurrenceRollup[]>();
  for (const row of rows) {
    const rollups = found.get(row.requested_id) ?? [];
    if (row.day_start_ms !== null) rollups.push(toRollup(row));
    found.set(row.requested_id, rollups);
  }
  return found;
}

function toRollup({ requested_id: _, session_ids, ...row }: RollupRow): OccurrenceRollup {
  return { ...row, session_ids: session_ids === "" ? [] : session_ids.split(",") };
}
