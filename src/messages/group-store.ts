import type { Database } from "../db/database.ts";
import { declareQueue } from "../db/queue.ts";
import {
  dropNulls,
  isNamed,
  type ManagedBy,
  type Naming,
  type Present,
  type Stamp,
} from "../db/row.ts";
import { recordset, type Sql, sql } from "../db/sql.ts";
import type { GroupFact } from "./gateway-event.ts";
import { groupIdOf } from "./message.ts";

/**
 * An array of the groups' names, in the order of their ids. `groupIds` is an array column of ids; groups without a
 * name are left out. Which name a group shows is decided once, by the generated column `market_group.name`: the
 * gateway's name, else the declared one. `offset 0` makes the planner look up each id: a join would read all groups again
 * for every row.
 */
export function groupNamesOf(groupIds: Sql): Sql {
  return sql`
    array(select named.name
            from unnest(${groupIds}) with ordinality as own (id, at)
           cross join lateral (select name
                                 from market_group
                                where market_group.id = own.id and name is not null
                               offset 0) as named
           order by own.at)`;
}

interface GroupOverview {
  readonly id: string;
  readonly gateway_group_id: string;
  readonly name: string | null;
  readonly default_currency: string | null;
  readonly is_ignored: boolean;
  readonly managed_by: string | null;
}

/**
 * One page of the groups by name, ties by id, after the group with the id `after`; groups without a name come last. Their
 * number is that of the operator's groups, so no index is needed.
 */
export async function listGroups(
  db: Database,
  page: {
    readonly after?: string;
    readonly limit: number;
    /** A part of the name, in any case. */
    readonly q?: string;
    readonly isIgnored?: boolean;
  },
): Promise<readonly GroupOverview[]> {
  const { after, q, isIgnored } = page;
  return db.query<GroupOverview>(sql`
    select id, gateway_group_id, name, default_currency, is_ignored, managed_by
      from market_group
     where ${
       after === undefined
         ? sql`true`
         : sql`(name is null, coalesce(name, ''), id)
               > (select name is null, coalesce(name, ''), id from market_group where id = ${after})`
     }
       and ${q === undefined ? sql`true` : sql`strpos(lower(name), lower(${q})) > 0`}
       and ${isIgnored === undefined ? sql`true` : sql`is_ignored = ${isIgnored}`}
     order by name is null, coalesce(name, ''), id
     limit ${page.limit}`);
}

/** When the latest message but `rowsMax` was last seen; undefined if there are not so many. */
export async function findMessageHorizon(
  db: Database,
  { rowsMax }: { readonly rowsMax: number },
): Promise<number | undefined> {
  const [row] = await db.query<{ last_seen_at_ms: number }>(sql`
    select last_seen_at_ms
      from canonical_message
     where occurrence_count > 0
     order by last_seen_at_ms desc, id
    offset ${rowsMax}
     limit 1`);
  return row?.last_seen_at_ms;
}

/** How many messages that were last seen after `afterMs` each group has. */
export async function countMessagesByGroup(
  db: Database,
  { afterMs, groupsMax }: { readonly afterMs: number; readonly groupsMax: number },
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ group_id: string; count: number }>(sql`
    select group_id, count(*) as count
      from canonical_message
     cross join unnest(group_ids) as posted (group_id)
     where occurrence_count > 0 and last_seen_at_ms > ${afterMs}
     group by group_id
     order by group_id
     limit ${groupsMax}`);
  return new Map(rows.map(({ group_id, count }) => [group_id, count]));
}

/** Returns the gateway's ids of its groups, without ignored ones. */
export async function listGroupKeys(db: Database): Promise<readonly string[]> {
  const rows = await db.query<{ gateway_group_id: string }>(sql`
    select gateway_group_id
      from market_group
     where gateway_group_id like '%@g.us' and not is_ignored
     order by gateway_group_id
     limit 10000`);
  return rows.map((row) => row.gateway_group_id);
}

export async function listIgnoredGroupKeys(db: Database): Promise<readonly string[]> {
  const rows = await db.query<{ gateway_group_id: string }>(sql`
    select gateway_group_id from market_group where is_ignored order by gateway_group_id limit 10000`);
  return rows.map((row) => row.gateway_group_id);
}

/**
 * Adds the groups that are not stored yet. `groupIds` maps the gateway's ids to ours. Returns our ids of the ignored
 * ones, whose messages are stored as raw events only.
 */
export async function saveGroups(
  tx: Database,
  groupIds: ReadonlyMap<string, string>,
): Promise<ReadonlySet<string>> {
  const find = (ids: readonly string[]) =>
    tx.query<{ id: string; is_ignored: boolean }>(sql`
      select id, is_ignored from market_group where id = any(${[...ids]}::uuid[])`);
  const stored = await find([...groupIds.values()]);
  const storedIds = new Set(stored.map(({ id }) => id));
  const rows = [...groupIds]
    .map(([gatewayGroupId, id]) => ({ id, gatewayGroupId }))
    .filter(({ id }) => !storedIds.has(id))
    .sort((left, right) => (left.id < right.id ? -1 : 1));
  const ids = rows.map(({ id }) => id);
  if (rows.length > 0) {
    await tx.execute(sql`
      insert into market_group (id, gateway_group_id)
      select id, gateway_group_id
        from unnest(${ids}::uuid[], ${rows.map((row) => row.gatewayGroupId)}::text[])
             as seen (id, gateway_group_id)
      on conflict (id) do nothing`);
  }
  // A manifest may have declared one of them as ignored in the meantime.
  const added = rows.length === 0 ? [] : await find(ids);
  return new Set([...stored, ...added].filter((group) => group.is_ignored).map(({ id }) => id));
}

/**
 * Saves the newest name; of two with the same time, the bytewise greatest. Filters read group names, so the messages of
 * renamed groups are queued.
 */
export async function saveGroupNames(tx: Database, facts: readonly GroupFact[]): Promise<void> {
  const rows = facts.map(({ group, name, atMs }) => ({ id: groupIdOf(group), name, at_ms: atMs }));
  const before = await tx.query<{ id: string; name: string | null }>(sql`
    select id, name
      from market_group
     where id = any(${[...new Set(rows.map(({ id }) => id))]}::uuid[])
     order by id
       for update`);
  const names = new Map(before.map(({ id, name }) => [id, name]));
  const after = await tx.query<{ id: string; name: string | null }>(sql`
    update market_group
       set gateway_name = newest.name, named_at_ms = newest.at_ms
      from (select distinct on (id) id, name, at_ms
              from ${recordset(rows)}
                   as fact (id uuid, name text collate "C", at_ms bigint)
             order by id, at_ms desc, name desc) as newest
     where market_group.id = newest.id
       and (coalesce(named_at_ms, -1), coalesce(gateway_name, '')) < (newest.at_ms, newest.name)
    returning market_group.id, market_group.name`);
  const renamed = after.filter(({ id, name }) => names.get(id) !== name);
  await queueGroups(
    tx,
    renamed.map(({ id }) => id),
  );
}

/** What is declared about a group, by a manifest or through the API. */
export interface DeclaredGroup {
  readonly id: string;
  readonly gateway_group_id: string;
  /** Used until the gateway reports a name. */
  readonly name: string | null;
  readonly default_currency: string | null;
  readonly is_ignored: boolean;
  /** Null if nothing is declared. */
  readonly managed_by: ManagedBy | null;
}

/** Returns all groups, including those that are not declared. */
export async function listDeclaredGroups(
  db: Database,
  naming?: Naming,
): Promise<readonly DeclaredGroup[]> {
  return db.query<DeclaredGroup>(sql`
    select id, gateway_group_id, declared_name as name, default_currency, is_ignored, managed_by
      from market_group
     where ${isNamed(naming, sql`gateway_group_id`)}
     order by id
     limit 1000000`);
}

/** A group with what is declared about it, as the API shows it. */
export type GroupSettings = Present<{
  readonly id: string;
  readonly gateway_group_id: string;
  readonly name: string | null;
  readonly default_currency: string | null;
  readonly is_ignored: boolean;
  readonly managed_by: ManagedBy | null;
  readonly updated_by: string | null;
}>;

/** `declaredName` is the name until the gateway reports one. */
export async function findGroupSettings(
  db: Database,
  id: string,
): Promise<{ readonly group: GroupSettings; readonly declaredName: string | null } | undefined> {
  const [row] = await db.query<
    DeclaredGroup & { updated_by: string | null; declared_name: string | null }
  >(sql`
    select id, gateway_group_id, name, default_currency, is_ignored, managed_by, updated_by, declared_name
      from market_group
     where id = ${id}`);
  if (row === undefined) return undefined;
  const { declared_name, ...group } = row;
  return { group: dropNulls(group), declaredName: declared_name };
}

const NAMES_MAX = 100_000;

/** All groups with a name. Names are folded by the caller, because SQL cannot fold them the same way. */
export async function listGroupNames(
  db: Database,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  return db.query<{ id: string; name: string }>(sql`
    select id, name from market_group where name is not null order by id limit ${NAMES_MAX}`);
}

/** Of the groups, those that a message was posted in. */
export async function findPostedGroups(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(sql`
    select id
      from unnest(${[...ids]}::uuid[]) as asked (id)
     where exists (select from occurrence where occurrence.group_id = asked.id)`);
  return new Set(rows.map(({ id }) => id));
}

/** Returns the gateway's ids of the declared groups with this name. */
export async function listGroupsNamed(db: Database, name: string): Promise<readonly string[]> {
  const rows = await db.query<{ gateway_group_id: string }>(sql`
    select gateway_group_id
      from market_group
     where declared_name = ${name}
     order by gateway_group_id
     limit 100`);
  return rows.map((row) => row.gateway_group_id);
}

export async function saveDeclaredGroups(
  tx: Database,
  rows: readonly DeclaredGroup[],
  stamp: Stamp,
): Promise<void> {
  await tx.execute(sql`
    insert into market_group (id, gateway_group_id, declared_name, default_currency, is_ignored, managed_by, updated_by)
    select id, gateway_group_id, name, default_currency, is_ignored, managed_by, ${stamp.by}
      from ${recordset(rows)} as declared
           (id uuid, gateway_group_id text, name text, default_currency text, is_ignored boolean, managed_by text)
     order by id
    on conflict (id) do update set
      declared_name = excluded.declared_name, default_currency = excluded.default_currency,
      is_ignored = excluded.is_ignored, managed_by = excluded.managed_by, updated_by = excluded.updated_by`);
}

/** Sets the currency of amounts without one in this group, and queues its messages if it changed. */
export async function declareDefaultCurrency(
  db: Database,
  group: { readonly gatewayGroupId: string; readonly currency: string },
): Promise<void> {
  // One statement, so that it is atomic even if the caller passes a pool.
  await db.execute(sql`
    with declared as (
      insert into market_group (id, gateway_group_id, default_currency)
      values (${groupIdOf(group.gatewayGroupId)}, ${group.gatewayGroupId}, ${group.currency})
      on conflict (id) do update set default_currency = excluded.default_currency
       where market_group.default_currency is distinct from excluded.default_currency
      returning id
    )
    insert into group_queue (group_id) select id from declared
    on conflict (group_id) do update set after_raw_id = ''`);
}

/** A group that is queued again starts at its first message. */
export const groupQueue = declareQueue({
  table: "group_queue",
  key: "group_id",
  number: "group_id",
  hasLanes: false,
  onConflict: sql`on conflict (group_id) do update set after_raw_id = ''`,
});

/** Queues groups whose messages must be read again, because the name or default currency changed. */
export async function queueGroups(tx: Database, groupIds: readonly string[]): Promise<void> {
  if (groupIds.length === 0) return;
  await tx.execute(sql`
    insert into group_queue (group_id)
    select id from unnest(${groupIds.toSorted()}::uuid[]) as changed (id)
    on conflict (group_id) do update set after_raw_id = ''`);
}

export async function hasQueuedGroup(db: Database): Promise<boolean> {
  return (await db.query(sql`select from group_queue limit 1`)).length > 0;
}

/** Returns the next group whose messages must be queued, or the given one, locked until the transaction ends. */
export async function takeGroup(
  tx: Database,
  groupId?: string,
): Promise<{ readonly group_id: string; readonly after_raw_id: string } | undefined> {
  const [row] = await tx.query<{ group_id: string; after_raw_id: string }>(sql`
    select group_id, after_raw_id
      from group_queue
     where ${groupId === undefined ? sql`true` : sql`group_id = ${groupId}`}
     order by group_id
     limit 1
       for update skip locked`);
  return row;
}

/** Saves after which occurrence the next page starts; undefined removes the group from the queue. */
export async function saveGroupProgress(
  tx: Database,
  groupId: string,
  afterRawId: string | undefined,
): Promise<void> {
  await tx.execute(
    afterRawId === undefined
      ? sql`delete from group_queue where group_id = ${groupId}`
      : sql`update group_queue set after_raw_id = ${afterRawId} where group_id = ${groupId}`,
  );
}
