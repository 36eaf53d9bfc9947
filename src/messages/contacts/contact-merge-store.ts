import { dayStartOf } from "../../base/time.ts";
import type { Database } from "../../db/database.ts";
import { recordset, sql } from "../../db/sql.ts";
import { contactIdOf, phoneOf } from "./contact.ts";
import {
  type Evidence,
  listPairs,
  type Sighting,
  type StoredIdentifier,
  savePairs,
} from "./contact-store.ts";

/** All identifiers of one contact: a connected component of the stored pairs. */
export type Component = readonly StoredIdentifier[];

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

/** Adds new identifiers and pairs, and joins times, names and ownership with what is stored. */
export async function applySightings(tx: Database, sightings: readonly Sighting[]): Promise<void> {
  const rows = sightings
    .flatMap(({ identifiers, atMs, name, isOwn }) =>
      identifiers.map((identifier) => ({
        identifier,
        contact_id: contactIdOf(identifier),
        at_ms: atMs,
        name: name ?? null,
        named_on_ms: name === undefined ? null : dayStartOf(atMs),
        is_own: isOwn,
      })),
    )
    .toSorted((left, right) => (left.identifier < right.identifier ? -1 : 1));
  await savePairs(tx, listPairs(sightings));
  const reported = sql`${recordset(rows)} as reported
    (identifier text collate "C", contact_id uuid, at_ms bigint, name text collate "C", named_on_ms bigint,
     is_own boolean)`;
  await tx.execute(sql`
    insert into contact_identifier (identifier, contact_id, first_seen_at_ms)
    select distinct on (identifier) identifier, contact_id, at_ms from ${reported} order by identifier, at_ms
    on conflict (identifier) do nothing`);
  await tx.execute(sql`
    select identifier from contact_identifier
     where identifier = any(${rows.map(({ identifier }) => identifier)}::text[])
     order by identifier
       for update`);
  await tx.execute(sql`
    update contact_identifier as stored
       set first_seen_at_ms = least(stored.first_seen_at_ms, joined.at_ms),
           is_own = stored.is_own or joined.is_own
      from (select identifier, min(at_ms) as at_ms, bool_or(is_own) as is_own from ${reported} group by identifier)
           as joined
     where stored.identifier = joined.identifier`);
  await tx.execute(sql`
    update contact_identifier as stored
       set name = newest.name, named_on_ms = newest.named_on_ms
      from (select distinct on (identifier) identifier, name, named_on_ms
              from ${reported}
             where name is not null
             order by identifier, named_on_ms desc, name desc) as newest
     where stored.identifier = newest.identifier
       and (coalesce(stored.named_on_ms, -1), coalesce(stored.name, '') collate "C")
           < (newest.named_on_ms, newest.name)`);
}

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

export interface SettledContact {
  readonly id: string;
  readonly key: string;
  readonly component: Component;
}

/**
 * Assigns each component its contact. The contacts `from` are deleted, and their ids become aliases of `to`. Returns
 * the contacts of which it became known that they are ours, or are not.
 */
export async function moveContacts(
  tx: Database,
  contacts: readonly SettledContact[],
  moves: readonly { readonly from: string; readonly to: string }[],
): Promise<readonly string[]> {
  const rows = contacts.map(({ id, key, component }) => ({
    id,
    key,
    phone_number: phoneOf(key) ?? null,
    display_name: newestName(component),
    is_own: component.some((row) => row.is_own),
  }));
  const before = await tx.query<{ id: string; is_own: boolean }>(sql`
    select id, is_own from contact where id = any(${rows.map(({ id }) => id)}::uuid[])`);
  const wasOwn = new Map(before.map(({ id, is_own }) => [id, is_own]));
  await tx.execute(sql`
    insert into contact (id, key, phone_number, display_name, is_own)
    select id, key, phone_number, display_name, is_own
      from ${recordset(rows)}
           as settled (id uuid, key text, phone_number text, display_name text, is_own boolean)
     order by id
    on conflict (id) do update set display_name = excluded.display_name, is_own = excluded.is_own`);
  const owners = contacts.flatMap(({ id, component }) =>
    component.map(({ identifier }) => ({ identifier, contact_id: id })),
  );
  await tx.execute(sql`
    update contact_identifier set contact_id = owner.contact_id
      from ${recordset(owners)} as owner (identifier text, contact_id uuid)
     where contact_identifier.identifier = owner.identifier
       and contact_identifier.contact_id <> owner.contact_id`);
  await tx.execute(sql`
    delete from contact_alias where old_id = any(${rows.map(({ id }) => id)}::uuid[])`);
  if (moves.length > 0) await replaceContacts(tx, moves);
  return rows.filter(({ id, is_own }) => is_own !== (wasOwn.get(id) ?? false)).map(({ id }) => id);
}

async function replaceContacts(
  tx: Database,
  moves: readonly { readonly from: string; readonly to: string }[],
): Promise<void> {
  const pairs = sql`unnest(${moves.map(({ from }) => from)}::uuid[], ${moves.map(({ to }) => to)}::uuid[])
                   as moved (old_id, new_id)`;
  await tx.execute(sql`
    update contact_alias set contact_id = moved.new_id
      from ${pairs} where contact_alias.contact_id = moved.old_id`);
  await tx.execute(sql`
    insert into contact_alias (old_id, contact_id) select old_id, new_id from ${pairs}
    on conflict (old_id) do update set contact_id = excluded.contact_id`);
  await tx.execute(sql`delete from contact using ${pairs} where contact.id = moved.old_id`);
}

function newestName(component: Component): string | null {
  const named = component.flatMap(({ name, named_on_ms }) =>
    name === null ? [] : [{ name, atMs: named_on_ms ?? 0 }],
  );
  const [newest] = named.toSorted((left, right) =>
    left.atMs === right.atMs
      ? Buffer.compare(Buffer.from(right.name), Buffer.from(left.name))
      : right.atMs - left.atMs,
  );
  return newest?.name ?? null;
}
