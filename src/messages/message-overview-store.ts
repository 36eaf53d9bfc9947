import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";

export interface NamedGroup {
  readonly id: string;
  readonly name: string | null;
}

/** A canonical message with its sender and groups. */
export interface MessageOverview {
  readonly id: string;
  readonly text: string | null;
  readonly is_text_cut: boolean;
  readonly contact_id: string | null;
  readonly phone_number: string | null;
  readonly display_name: string | null;
  readonly groups: readonly NamedGroup[];
  readonly first_seen_at_ms: number | null;
  readonly last_seen_at_ms: number | null;
  readonly occurrence_count: number;
  readonly has_media: boolean;
  readonly is_own: boolean;
  readonly is_revoked: boolean;
}

/** Returns the messages by id; texts are cut to `textLengthMax` characters. An id without a message has no entry. */
export async function findMessageOverviews(
  db: Database,
  ids: readonly string[],
  { textLengthMax }: { readonly textLengthMax: number },
): Promise<ReadonlyMap<string, MessageOverview>> {
  const rows = await db.query<MessageOverview>(sql`
    select message.id, left(message.text, ${textLengthMax}) as text,
           coalesce(char_length(message.text) > ${textLengthMax}, false) as is_text_cut,
           message.contact_id, contact.phone_number, contact.display_name,
           (select coalesce(jsonb_agg(jsonb_build_object('id', wanted.id, 'name', market_group.name)
                                      order by market_group.name, wanted.id), '[]')
              from unnest(message.group_ids) as wanted (id)
              left join market_group on market_group.id = wanted.id) as groups,
           message.first_seen_at_ms, message.last_seen_at_ms, message.occurrence_count, message.has_media,
           message.is_own or coalesce(contact.is_own, false) as is_own, message.is_revoked
      from canonical_message as message
      left join contact on contact.id = message.contact_id
     where message.id = any(${ids}::uuid[])
     order by message.id
     limit ${ids.length}`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the id itself, or the id that the message has now; undefined if there is no such message. */
export async function findCurrentMessageId(db: Database, id: string): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(sql`
    select id from canonical_message where id = ${id}
    union all
    select message.id
      from message_alias
      join canonical_message as message on message.id = message_alias.canonical_message_id
     where message_alias.old_id = ${id}
     limit 1`);
  return row?.id;
}
