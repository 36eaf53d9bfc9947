import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import type { NamedGroup } from "../message-overview-store.ts";
import { phoneOf } from "./contact.ts";

/** Returns the id itself, or the id that the contact has now; undefined if there is no such contact. */
export async function findCurrentContactId(db: Database, id: string): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(sql`
    select id from contact where id = ${id}
    union all
    select contact.id
      from contact_alias
      join contact on contact.id = contact_alias.contact_id
     where contact_alias.old_id = ${id}
     limit 1`);
  return row?.id;
}

export interface ContactOverview {
  readonly id: string;
  readonly display_name: string | null;
  readonly phone_number: string | null;
  readonly is_own: boolean;
  /** All names that it was seen with, the latest first. */
  readonly names: readonly string[];
  /** All numbers, the earliest seen first. */
  readonly phone_numbers: readonly string[];
  readonly first_seen_at_ms: number | null;
}

/** A contact of a hundred devices is not a person; the rest is not shown. */
const IDENTIFIERS_MAX = 100;

export async function findContactOverview(
  db: Database,
  id: string,
): Promise<ContactOverview | undefined> {
  const [contact] = await db.query<
    Pick<ContactOverview, "id" | "display_name" | "phone_number" | "is_own">
  >(sql`select id, display_name, phone_number, is_own from contact where id = ${id}`);
  if (contact === undefined) return undefined;
  const identifiers = await db.query<{
    identifier: string;
    name: string | null;
    named_on_ms: number | null;
    first_seen_at_ms: number;
  }>(sql`
    select identifier, name, named_on_ms, first_seen_at_ms
      from contact_identifier
     where contact_id = ${id}
     order by first_seen_at_ms, identifier
     limit ${IDENTIFIERS_MAX}`);
  const named = identifiers.toSorted((a, b) => (b.named_on_ms ?? 0) - (a.named_on_ms ?? 0));
  return {
    ...contact,
    names: [...new Set(named.flatMap(({ name }) => name ?? []))],
    phone_numbers: identifiers.flatMap(({ identifier }) => phoneOf(identifier) ?? []),
    first_seen_at_ms: identifiers[0]?.first_seen_at_ms ?? null,
  };
}

export interface ContactActivity {
  readonly message_count: number;
  readonly last_seen_at_ms: number | null;
  /** Where it posted, the group with the most messages first. */
  readonly groups: readonly (NamedGroup & { readonly message_count: number })[];
}

const GROUPS_MAX = 200;

/** Sums up the latest messages of a contact, at most `messagesMax` of them. */
export async function findContactActivity(
  db: Database,
  id: string,
  { messagesMax }: { readonly messagesMax: number },
): Promise<ContactActivity> {
  const [row] = await db.query<ContactActivity>(sql`
    with latest as materialized (
      select last_seen_at_ms, group_ids
        from canonical_message
       where contact_id = ${id} and occurrence_count > 0
       order by last_seen_at_ms desc, id
       limit ${messagesMax}
    ), counted as (
      select group_id, count(*) as message_count
        from latest cross join unnest(group_ids) as posted (group_id)
       group by group_id
       order by count(*) desc, group_id
       limit ${GROUPS_MAX}
    )
    select (select count(*) from latest) as message_count,
           (select max(last_seen_at_ms) from latest) as last_seen_at_ms,
           (select coalesce(jsonb_agg(jsonb_build_object('id', counted.group_id, 'name', market_group.name,
                                                         'message_count', counted.message_count)
                                      order by counted.message_count desc, counted.group_id), '[]')
              from counted
              left join market_group on market_group.id = counted.group_id) as groups`);
  return row ?? { message_count: 0, last_seen_at_ms: null, groups: [] };
}
