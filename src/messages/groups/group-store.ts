import type { Database } from "../../db/database.ts";
import { recordset, sql } from "../../db/sql.ts";
import type { GroupFact } from "../gateway-event.ts";
import { groupIdOf } from "../message.ts";

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
