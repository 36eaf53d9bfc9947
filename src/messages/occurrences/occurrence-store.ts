import type { Database } from "../../db/database.ts";
import { recordset, sql } from "../../db/sql.ts";
import type {
  OccurrencePlace,
  OccurrenceUpdate,
  PlacedOccurrence,
  SavedOccurrence,
  SingleFactOccurrence,
} from "./occurrence.ts";

/** Locks the stored ones of these occurrences until the transaction ends, in the order of their ids. */
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

/** Adds the occurrences that are not stored yet, in the order of their ids. Returns the ids of those it added. */
export async function addOccurrences(
  tx: Database,
  updates: readonly (OccurrenceUpdate | SingleFactOccurrence)[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ id: string }>(sql`
    ${insertOccurrences(updates)}
    on conflict (id) do nothing
    returning id`);
  return new Set(rows.map(({ id }) => id));
}

/** Joins the updates with what is stored. See `occurrence.ts`, which joins updates by the same rules. */
export async function saveOccurrences(
  tx: Database,
  updates: readonly OccurrenceUpdate[],
): Promise<readonly SavedOccurrence[]> {
  return tx.query<SavedOccurrence>(sql`
    ${insertOccurrences(updates)}
    on conflict (id) do update set
      sent_at_ms = least(stored.sent_at_ms, excluded.sent_at_ms),
      contact_id = coalesce(stored.contact_id, excluded.contact_id),
      sender_ids = case when excluded.sender_ids <@ stored.sender_ids then stored.sender_ids
                        else array(select distinct unnest(stored.sender_ids || excluded.sender_ids) order by 1) end,
      session_ids = case when excluded.session_ids <@ stored.session_ids then stored.session_ids
                         else array(select distinct unnest(stored.session_ids || excluded.session_ids) order by 1) end,
      is_own = stored.is_own or excluded.is_own,
      has_media = stored.has_media or excluded.has_media,
      is_revoked = stored.is_revoked or excluded.is_revoked
    returning id, group_id, sent_at_ms, canonical_message_id, is_edited, sender_ids, contact_id`);
}

function insertOccurrences(updates: readonly (OccurrenceUpdate | SingleFactOccurrence)[]) {
  const rows = updates
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
    insert into occurrence as stored
           (id, group_id, raw_id, sent_at_ms, sender_ids, contact_id, is_own, has_media, is_revoked,
            is_edited, session_ids, canonical_message_id)
    select id, group_id, raw_id, sent_at_ms, sender_ids, contact_id, is_own, has_media, is_revoked,
           false, session_ids, canonical_message_id
      from ${recordset(rows)} as reported
           (id uuid, group_id uuid, raw_id text, sent_at_ms bigint, sender_ids text[], contact_id uuid,
            is_own boolean, has_media boolean, is_revoked boolean, session_ids uuid[], canonical_message_id uuid)`;
}

/** Assigns occurrences to the message of their current version. */
export async function saveCurrentMessages(
  tx: Database,
  occurrences: readonly {
    readonly id: string;
    readonly canonical_message_id: string;
    readonly is_edited: boolean;
  }[],
): Promise<void> {
  await tx.execute(sql`
    update occurrence
       set canonical_message_id = placed.canonical_message_id, is_edited = placed.is_edited
      from ${recordset(occurrences)}
           as placed (id uuid, canonical_message_id uuid, is_edited boolean)
     where occurrence.id = placed.id
       and (occurrence.canonical_message_id is distinct from placed.canonical_message_id
            or occurrence.is_edited <> placed.is_edited)`);
}

/** Assigns all occurrences of the contacts `from` to the contacts `to`. */
export async function moveOccurrences(
  tx: Database,
  moves: readonly { readonly from: string; readonly to: string }[],
): Promise<readonly PlacedOccurrence[]> {
  const ids = await tx.query<{ id: string }>(sql`
    select id
      from occurrence
     where contact_id = any(${moves.map(({ from }) => from)}::uuid[])
     order by id
       for update`);
  return tx.query<PlacedOccurrence>(sql`
    update occurrence
       set contact_id = move.to_id
      from unnest(${moves.map(({ from }) => from)}::uuid[], ${moves.map(({ to }) => to)}::uuid[])
           as move (from_id, to_id)
     where occurrence.id = any(${ids.map(({ id }) => id)}::uuid[]) and occurrence.contact_id = move.from_id
    returning occurrence.id, occurrence.group_id, occurrence.sent_at_ms, occurrence.canonical_message_id,
              occurrence.is_edited`);
}
