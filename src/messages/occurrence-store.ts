import type { Database } from "../db/database.ts";
import { recordset, type Sql, sql } from "../db/sql.ts";
import type { OccurrenceRollup } from "./occurrence-summary.ts";

/** What one batch knows of an occurrence; joined with what is stored, in any order, it gives the same. */
export interface OccurrenceNews {
  readonly id: string;
  readonly group_id: string;
  readonly raw_id: string;
  readonly sent_at_ms: number | null;
  readonly sender_ids: readonly string[];
  readonly contact_id: string | null;
  readonly is_own: boolean;
  readonly has_media: boolean;
  readonly is_revoked: boolean;
  readonly session_ids: readonly string[];
}

/** A new occurrence of which nothing but its one text is known. */
export interface PlainOccurrence extends OccurrenceNews {
  readonly sent_at_ms: number;
  readonly contact_id: string;
  readonly canonical_message_id: string;
  readonly text: string;
}

/** Where an occurrence counts: its message, day and group. */
export interface OccurrencePlace {
  readonly id: string;
  readonly group_id: string;
  readonly sent_at_ms: number | null;
  readonly canonical_message_id: string | null;
}

/** And by what kind of version it is held. */
export interface HeldOccurrence extends OccurrencePlace {
  readonly is_edited: boolean;
}

export interface SavedOccurrence extends HeldOccurrence {
  readonly sender_ids: readonly string[];
  readonly contact_id: string | null;
}

/** The occurrences as they are, in the order of their ids; nobody changes them until the transaction ends. */
export async function lockOccurrences(
  tx: Database,
  ids: readonly string[],
): Promise<readonly OccurrencePlace[]> {
  return tx.query<OccurrencePlace>(sql`
    select id, group_id, sent_at_ms, canonical_message_id
      from occurrence
     where id = any(${[...ids]}::uuid[])
     order by id
       for update`);
}

/** Stores those that are new, in the order of their ids; gives the ids of those that were. */
export async function addOccurrences(
  tx: Database,
  news: readonly (OccurrenceNews | PlainOccurrence)[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ id: string }>(sql`
    ${insertOccurrences(news)}
    on conflict (id) do nothing
    returning id`);
  return new Set(rows.map(({ id }) => id));
}

/** Joins what is said with what is stored. */
export async function saveOccurrences(
  tx: Database,
  news: readonly OccurrenceNews[],
): Promise<readonly SavedOccurrence[]> {
  return tx.query<SavedOccurrence>(sql`
    ${insertOccurrences(news)}
    on conflict (id) do update set
      sent_at_ms = least(known.sent_at_ms, excluded.sent_at_ms),
      contact_id = coalesce(known.contact_id, excluded.contact_id),
      sender_ids = case when excluded.sender_ids <@ known.sender_ids then known.sender_ids
                        else array(select distinct unnest(known.sender_ids || excluded.sender_ids) order by 1) end,
      session_ids = case when excluded.session_ids <@ known.session_ids then known.session_ids
                         else array(select distinct unnest(known.session_ids || excluded.session_ids) order by 1) end,
      is_own = known.is_own or excluded.is_own,
      has_media = known.has_media or excluded.has_media,
      is_revoked = known.is_revoked or excluded.is_revoked
    returning id, group_id, sent_at_ms, canonical_message_id, is_edited, sender_ids, contact_id`);
}

function insertOccurrences(news: readonly (OccurrenceNews | PlainOccurrence)[]) {
  const rows = news
    .map((row) => ({
      id: row.id,
      group_id: row.group_id,
      raw_id: row.raw_id,
      sent_at_ms: row.sent_at_ms,
      sender_ids: row.sender_ids,
      contact_id: row.contact_id,
      is_own: row.is_own,
      has_media: row.has_media,
      is_revoked: row.is_revoked,
      session_ids: row.session_ids,
      canonical_message_id: "canonical_message_id" in row ? row.canonical_message_id : null,
    }))
    .sort((left, right) => (left.id < right.id ? -1 : 1));
  return sql`
    insert into occurrence as known
           (id, group_id, raw_id, sent_at_ms, sender_ids, contact_id, is_own, has_media, is_revoked,
            is_edited, session_ids, canonical_message_id)
    select id, group_id, raw_id, sent_at_ms, sender_ids, contact_id, is_own, has_media, is_revoked,
           false, session_ids, canonical_message_id
      from ${recordset(rows)} as news
           (id uuid, group_id uuid, raw_id text, sent_at_ms bigint, sender_ids text[], contact_id uuid,
            is_own boolean, has_media boolean, is_revoked boolean, session_ids uuid[], canonical_message_id uuid)`;
}

/** Moves occurrences to the message of the version that holds them. */
export async function saveHolders(
  tx: Database,
  holders: readonly {
    readonly id: string;
    readonly canonical_message_id: string;
    readonly is_edited: boolean;
  }[],
): Promise<void> {
  await tx.execute(sql`
    update occurrence
       set canonical_message_id = held.canonical_message_id, is_edited = held.is_edited
      from ${recordset(holders)}
           as held (id uuid, canonical_message_id uuid, is_edited boolean)
     where occurrence.id = held.id
       and (occurrence.canonical_message_id is distinct from held.canonical_message_id
            or occurrence.is_edited <> held.is_edited)`);
}

/** Gives all occurrences of those contacts to another one. */
export async function moveOccurrences(
  tx: Database,
  moves: readonly { readonly from: string; readonly to: string }[],
): Promise<readonly HeldOccurrence[]> {
  const ids = await tx.query<{ id: string }>(sql`
    select id
      from occurrence
     where contact_id = any(${moves.map(({ from }) => from)}::uuid[])
     order by id
       for update`);
  return tx.query<HeldOccurrence>(sql`
    update occurrence
       set contact_id = move.to_id
      from unnest(${moves.map(({ from }) => from)}::uuid[], ${moves.map(({ to }) => to)}::uuid[])
           as move (from_id, to_id)
     where occurrence.id = any(${ids.map(({ id }) => id)}::uuid[]) and occurrence.contact_id = move.from_id
    returning occurrence.id, occurrence.group_id, occurrence.sent_at_ms, occurrence.canonical_message_id,
              occurrence.is_edited`);
}

/**
 * The roll-ups of messages, by the id that was asked for: newest day first, within a day the group with the most
 * occurrences first, ties by name and id. There are none for an id that is no message's and leads to none. The cost follows
 * the number of days and groups, not of occurrences.
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
  // Hardly ever: an id from before a merge.
  const moved = await findRollupsOf(
    db,
    sql`(select old_id, canonical_message_id from message_alias where old_id = any(${missing}::uuid[]))`,
  );
  return new Map([...found, ...moved]);
}

interface RollupRow extends Omit<OccurrenceRollup, "session_ids"> {
  readonly asked_id: string;
  /** Joined: the driver reads an array letter by letter. */
  readonly session_ids: string;
}

/** `asked` gives pairs: the id that was asked for, and the message's. */
async function findRollupsOf(
  db: Database,
  asked: Sql,
): Promise<Map<string, readonly OccurrenceRollup[]>> {
  const rows = await db.query<
    RollupRow | { readonly asked_id: string; readonly day_start_ms: null }
  >(sql`
    select asked.asked_id, rollup.day_start_ms, rollup.group_id, market_group.name as group_name,
           rollup.occurrence_count, rollup.first_seen_at_ms, rollup.last_seen_at_ms,
           array_to_string(rollup.session_ids, ',') as session_ids,
           rollup.edited_count, rollup.revoked_count, rollup.media_count
      from ${asked} as asked (asked_id, message_id)
      join canonical_message on canonical_message.id = asked.message_id
      left join occurrence_rollup as rollup on rollup.canonical_message_id = canonical_message.id
      left join market_group on market_group.id = rollup.group_id
     order by rollup.day_start_ms desc, rollup.occurrence_count desc, market_group.name, rollup.group_id`);
  const found = new Map<string, OccurrenceRollup[]>();
  for (const row of rows) {
    const rollups = found.get(row.asked_id) ?? [];
    if (row.day_start_ms !== null) rollups.push(toRollup(row));
    found.set(row.asked_id, rollups);
  }
  return found;
}

function toRollup({ asked_id: _, session_ids, ...row }: RollupRow): OccurrenceRollup {
  return { ...row, session_ids: session_ids === "" ? [] : session_ids.split(",") };
}
