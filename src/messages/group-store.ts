import type { Database } from "../db/database.ts";
import { recordset } from "../db/row.ts";
import type { GroupFact } from "./gateway-event.ts";
import { groupIdOf } from "./message.ts";

/** Makes the groups known; gives the ids of those whose messages are kept raw only. */
export async function saveGroups(
  tx: Database,
  gatewayGroupIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = gatewayGroupIds
    .map((gatewayGroupId) => ({ id: groupIdOf(gatewayGroupId), gatewayGroupId }))
    .toSorted((left, right) => (left.id < right.id ? -1 : 1));
  await tx`
    insert into market_group (id, gateway_group_id)
    select id, gateway_group_id
      from unnest(${rows.map(({ id }) => id)}::uuid[],
                  ${rows.map((row) => row.gatewayGroupId)}::text[]) as seen (id, gateway_group_id)
    on conflict (id) do nothing`;
  const ignored = await tx<{ id: string }[]>`
    select id from market_group where id = any(${rows.map(({ id }) => id)}::uuid[]) and is_ignored`;
  return new Set(ignored.map(({ id }) => id));
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

/** The messages whose text is read as one of these groups', to be read again; nothing fires for them. */
export async function queueGroupMessages(
  tx: Database,
  groupIds: readonly string[],
): Promise<number> {
  const queued = await tx`
    insert into message_queue (canonical_message_id)
    select message.id
      from canonical_message as message
      join occurrence on occurrence.id = message.source_occurrence_id
     where occurrence.group_id = any(${groupIds}::uuid[])
     order by message.id
    on conflict (canonical_message_id) do nothing`;
  return queued.count;
}
