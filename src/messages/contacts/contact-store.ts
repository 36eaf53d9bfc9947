import { foldWords, toDigits } from "../../base/text.ts";
import type { Database } from "../../db/database.ts";
import { declareQueue } from "../../db/queue.ts";
import { rawSql, recordset, type Sql, sql } from "../../db/sql.ts";
import type { NamedGroup } from "../message-store.ts";
import { ALL_MEMBERS, type Evidence, type Pair, phoneOf, type Sighting } from "./contact.ts";

export interface StoredIdentifier {
  readonly identifier: string;
  readonly contact_id: string;
  readonly first_seen_at_ms: number;
  readonly name: string | null;
  readonly named_on_ms: number | null;
  readonly is_own: boolean;
}

/** Returns the stored identifiers and locks them: their contacts cannot be merged until the transaction ends. */
export async function lockIdentifiers(
  tx: Database,
  identifiers: readonly string[],
): Promise<readonly StoredIdentifier[]> {
  return tx.query<StoredIdentifier>(sql`
    select identifier, contact_id, first_seen_at_ms, name, named_on_ms, is_own
      from contact_identifier
     where identifier = any(${[...identifiers]}::text[])
     order by identifier
       for key share`);
}

/** All identifiers of one contact: a connected component of the stored pairs. */
export type Component = readonly StoredIdentifier[];

/** Returns the complete components of the identifiers, locked. */
export async function loadComponents(
  tx: Database,
  identifiers: readonly string[],
): Promise<readonly Component[]> {
  const edges = await tx.query<{ root: string; identifier: string }>(sql`
    with recursive reached (root, identifier) as (
      select seed collate "C", seed collate "C" from unnest(${[...identifiers]}::text[]) as seed
      union
      select reached.root, neighbour.identifier
        from reached
       cross join lateral (
          select right_identifier as identifier from contact_pair where left_identifier = reached.identifier
          union all
          select left_identifier from contact_pair where right_identifier = reached.identifier
        ) as neighbour
    )
    select root, identifier from reached`);
  const all = [...new Set(edges.map(({ identifier }) => identifier))];
  const rows = await tx.query<StoredIdentifier>(sql`
    select identifier, contact_id, first_seen_at_ms, name, named_on_ms, is_own
      from contact_identifier
     where identifier = any(${all}::text[])
     order by identifier
       for update`);
  const byIdentifier = new Map(rows.map((row) => [row.identifier, row]));
  const members = new Map<string, Set<string>>();
  for (const { root, identifier } of edges) {
    members.set(root, (members.get(root) ?? new Set()).add(identifier));
  }
  const components = new Map(
    [...members.values()].map((set) => {
      const sorted = [...set].sort();
      return [sorted.join(" "), sorted.flatMap((identifier) => byIdentifier.get(identifier) ?? [])];
    }),
  );
  return [...components.values()];
}

/** Returns those of the pairs that are stored, by `lid phone`, and whether they are listed. */
export async function findPairs(
  tx: Database,
  pairs: readonly Pair[],
): Promise<ReadonlyMap<string, boolean>> {
  const rows = await tx.query<{ pair: string; is_listed: boolean }>(sql`
    select left_identifier || ' ' || right_identifier as pair, is_listed
      from contact_pair
      join unnest(${pairs.map(([lid]) => lid)}::text[], ${pairs.map(([, phone]) => phone)}::text[])
           as requested (left_identifier, right_identifier) using (left_identifier, right_identifier)`);
  return new Map(rows.map(({ pair, is_listed }) => [pair, is_listed]));
}

/** A contact as a member of a group, at a time. */
interface MemberAt {
  readonly group_id: string;
  readonly contact_id: string;
  readonly at_ms: number;
}

/**
 * Returns those who were an admin then: what was said last before that time decides, and what was said first after it if
 * nothing was. A list of all members without him counts less than what was said of him at the same time.
 */
export async function findAdmins(
  tx: Database,
  members: readonly MemberAt[],
): Promise<readonly MemberAt[]> {
  return tx.query<MemberAt>(sql`
    select distinct member.group_id, member.contact_id, member.at_ms
      from ${recordset(members)} as member (group_id uuid, contact_id uuid, at_ms bigint)
     cross join lateral (
        select is_admin
          from group_admin
         where group_id = member.group_id
           and identifier = any(array(select own.identifier from contact_identifier as own
                                       where own.contact_id = member.contact_id) || ${ALL_MEMBERS}::text)
         order by group_admin.at_ms <= member.at_ms desc, abs(group_admin.at_ms - member.at_ms),
                  identifier = ${ALL_MEMBERS}, is_admin
         limit 1
      ) as said
     where said.is_admin`);
}

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

/**
 * All ids of these contacts as a source with the columns `known_id` and `id`: their own, and those from before contacts merged.
 * What keeps an id after its messages have left keeps the one of that time.
 */
export function knownContactIds(ids: Sql): Sql {
  return sql`
    (select own as known_id, own as id from unnest(${ids}) as own
      union all
     select old_id, contact_id from contact_alias where contact_id = any(${ids}))`;
}

interface ContactOverview {
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

/** A contact that posted, as a search shows it. */
export interface FoundContact {
  readonly id: string;
  readonly display_name: string | null;
  readonly phone_number: string | null;
  readonly last_seen_at_ms: number;
}

/** The newest of them are returned. Half of all numbers can have the same three digits. */
const CANDIDATES_MAX = 200;

/** Contacts that posted, with a name that has words with these starts, the latest seen first. The words are folded. */
export async function searchContactsByName(
  db: Database,
  words: readonly string[],
  limit: number,
): Promise<readonly FoundContact[]> {
  return listFound(db, hasNameWords("contact_identifier", words), limit);
}

/** True if the row of `contact_identifier` called so has a name with words with these starts. The words are folded. */
function hasNameWords(identifier: string, words: readonly string[]): Sql {
  const query = words.map((word) => `'${word}':*`).join(" & ");
  return sql`${rawSql(identifier)}.name_words::tsvector @@ ${query}::tsquery`;
}

/** The same by at least three digits of a number, wherever they are in it. */
export async function searchContactsByDigits(
  db: Database,
  digits: string,
  limit: number,
): Promise<readonly FoundContact[]> {
  return listFound(db, sql`identifier like 'phone:%' and identifier like ${`%${digits}%`}`, limit);
}

/** Looks at the first `CANDIDATES_MAX` identifiers that the index finds. */
async function listFound(
  db: Database,
  where: Sql,
  limit: number,
): Promise<readonly FoundContact[]> {
  return db.query<FoundContact>(sql`
    with candidate as materialized (
      select contact_id from contact_identifier where ${where} limit ${CANDIDATES_MAX})
    select contact.id, contact.display_name, contact.phone_number, posted.last_seen_at_ms
      from (select distinct contact_id from candidate) as found
      join contact on contact.id = found.contact_id
     cross join lateral (
        select last_seen_at_ms
          from canonical_message
         where contact_id = contact.id and occurrence_count > 0
         order by last_seen_at_ms desc, id
         limit 1) as posted
     order by posted.last_seen_at_ms desc, contact.id
     limit ${limit}`);
}

/** Fewer digits are in nearly every number, and fewer letters in nearly every name. */
const PART_MIN = 3;

/**
 * True if the row of `contact` is called so: by a part of a name, or by at least three digits of a number. One or two letters are
 * the start of a word of a name.
 */
export function isContactCalled(q: string): Sql {
  const words = foldWords(q);
  if (words.join("").length < PART_MIN && words.length > 0) {
    return sql`
      contact.id in (select own.contact_id from contact_identifier as own where ${hasNameWords("own", words)})`;
  }
  const pattern = `%${q.replace(/[\\%_]/g, "\\$&")}%`;
  const digits = /^[\d\s+()./-]+$/.test(q) ? toDigits(q) : "";
  const isNumber =
    digits.length < PART_MIN ? sql`false` : sql`own.identifier like ${`phone:%${digits}%`}`;
  // A union, because each part has an index of its own.
  return sql`
    contact.id in (select named.id from contact as named where named.display_name ilike ${pattern}
                   union
                   select own.contact_id from contact_identifier as own where own.name ilike ${pattern}
                   union
                   select own.contact_id from contact_identifier as own where ${isNumber})`;
}

interface NamedContact {
  /** The words that were asked for. */
  readonly words: string;
  readonly id: string;
  readonly display_name: string | null;
}

/** A name that more identifiers have is not the name of one dealer. */
const NAMED_MAX = 20;

/**
 * Contacts that posted, with a name in which these words follow each other, at most two for each. Words are as `toNameWords`
 * returns them.
 */
export async function findContactsNamed(
  db: Database,
  names: readonly string[],
): Promise<readonly NamedContact[]> {
  const queries = names.map((name) =>
    name
      .split(" ")
      .map((word) => `'${word}'`)
      .join(" & "),
  );
  return db.query<NamedContact>(sql`
    select asked.words, contact.id, contact.display_name
      from unnest(${[...names]}::text[], ${queries}::text[]) as asked (words, query)
     cross join lateral (
        select distinct contact_id
          from (select contact_id
                  from contact_identifier
                 where name_words::tsvector @@ asked.query::tsquery
                   and position(' ' || asked.words || ' ' in ' ' || name_words || ' ') > 0
                 limit ${NAMED_MAX}) as named
         where exists (select from canonical_message
                        where canonical_message.contact_id = named.contact_id and occurrence_count > 0)
         order by contact_id
         limit 2) as found
      join contact on contact.id = found.contact_id
     order by asked.words, contact.id`);
}

interface ContactActivity {
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

/** Sightings wait here for `mergeContacts`. */
export const sightingQueue = declareQueue({
  table: "identity_queue",
  key: "id",
  number: "id",
  hasLanes: false,
});

/** Queues the sightings for `mergeContacts`. */
export async function queueSightings(tx: Database, sightings: readonly Sighting[]): Promise<void> {
  const rows = sightings.map(({ identifiers, atMs, name, isOwn, evidence, isNew }) => ({
    identifiers,
    at_ms: atMs,
    name: name ?? null,
    is_own: isOwn,
    evidence,
    is_new: isNew ?? false,
  }));
  await tx.execute(sql`
    insert into identity_queue (identifiers, at_ms, name, is_own, evidence, is_new)
    select identifiers, at_ms, name, is_own, evidence, is_new
      from ${recordset(rows)}
           as seen (identifiers text[], at_ms bigint, name text, is_own boolean, evidence text, is_new boolean)`);
}

/** Removes the oldest sightings from the queue, or only the one with `id`, and returns them. */
export async function takeSightings(
  tx: Database,
  { batchMax, id }: { readonly batchMax: number; readonly id?: string },
): Promise<readonly Sighting[]> {
  const rows = await tx.query<{
    identifiers: string[];
    at_ms: number;
    name: string | null;
    is_own: boolean;
    evidence: Evidence;
    is_new: boolean;
  }>(sql`
    delete from identity_queue
     where id in (select id
                    from identity_queue
                   where ${id === undefined ? sql`true` : sql`id = ${id}`}
                   order by id
                   limit ${batchMax})
    returning identifiers, at_ms, name, is_own, evidence, is_new`);
  return rows.map((row) => ({
    identifiers: row.identifiers,
    atMs: row.at_ms,
    ...(row.name === null ? {} : { name: row.name }),
    isOwn: row.is_own,
    evidence: row.evidence,
    isNew: row.is_new,
  }));
}
