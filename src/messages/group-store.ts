import type { Database } from "../db/database.ts";
import { recordset } from "../db/row.ts";
import type { GroupFact } from "./gateway-event.ts";
import { groupIdOf } from "./message.ts";

/** Makes the groups known, our ids by the gateway's; gives the ids of those whose messages are kept raw only. */
export async function saveGroups(
  tx: Database,
  groupIds: ReadonlyMap<string, string>,
): Promise<ReadonlySet<string>> {
  const find = (ids: readonly string[]) =>
    tx<{ id: string; is_ignored: boolean }[]>`
      select id, is_ignored from market_group where id = any(${[...ids]}::uuid[])`;
  const known = await find([...groupIds.values()]);
  const isKnown = new Set(known.map(({ id }) => id));
  const rows = [...groupIds]
    .map(([gatewayGroupId, id]) => ({ id, gatewayGroupId }))
    .filter(({ id }) => !isKnown.has(id))
    .sort((left, right) => (left.id < right.id ? -1 : 1));
  const ids = rows.map(({ id }) => id);
  if (rows.length > 0) {
    await tx`
      insert into market_group (id, gateway_group_id)
      select id, gateway_group_id
        from unnest(${ids}::uuid[], ${rows.map((row) => row.gatewayGroupId)}::text[])
             as seen (id, gateway_group_id)
      on conflict (id) do nothing`;
  }
  // Somebody else may have declared one of them just now.
  const added = rows.length === 0 ? [] : await find(ids);
  return new Set([...known, ...added].filter((group) => group.is_ignored).map(({ id }) => id));
}

/** The newest name wins, at the same time the bytewise greatest. */
export async function saveGroupNames(tx: Database, facts: readonly GroupFact[]): Promise<void> {
  const rows = facts.map(({ group, name, atMs }) => ({ id: groupIdOf(group), name, at_ms: atMs }));
  await tx`
    update market_group
       set gateway_name = newest.name, named_at_ms = newest.at_ms
      from (select distinct on (id) id, name, at_ms
              from ${recordset(tx, rows)}
                   as fact (id uuid, name text collate "C", at_ms bigint)
             order by id, at_ms desc, name desc) as newest
     where market_group.id = newest.id
       and (coalesce(named_at_ms, -1), coalesce(gateway_name, '')) < (newest.at_ms, newest.name)`;
}

/** The gateway's ids of all its groups whose messages we read. */
export async function listGroupKeys(db: Database): Promise<readonly string[]> {
  const rows = await db<{ gateway_group_id: string }[]>`
    select gateway_group_id
      from market_group
     where gateway_group_id like '%@g.us' and not is_ignored
     order by gateway_group_id
     limit 10000`;
  return rows.map((row) => row.gateway_group_id);
}

/** What amounts without a currency are in, in this group. */
export async function declareDefaultCurrency(
  db: Database,
  group: { readonly gatewayGroupId: string; readonly currency: string },
): Promise<void> {
  await db`
    insert into market_group (id, gateway_group_id, default_currency)
    values (${groupIdOf(group.gatewayGroupId)}, ${group.gatewayGroupId}, ${group.currency})
    on conflict (id) do update set default_currency = excluded.default_currency`;
}
