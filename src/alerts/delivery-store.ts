import { idOf } from "../base/ids.ts";
import type { Database } from "../db/database.ts";
import { recordset } from "../db/row.ts";
import type { MatchKey, Move } from "./match.ts";

/** Makes a delivery of each match for every target that wants it: in the match's own transaction. */
export async function saveDeliveries(
  tx: Database,
  matches: readonly (MatchKey & { readonly is_outward: boolean })[],
  nowMs: number,
): Promise<void> {
  const outward = matches.filter(({ is_outward }) => is_outward);
  if (outward.length === 0) return;
  const targets = await tx<{ id: string; alert_ids: string[] | null }[]>`
    select id, alert_ids from webhook_target where gone_at_ms is null order by id`;
  const rows = targets.flatMap(({ id, alert_ids }) => {
    const wanted = alert_ids === null ? undefined : new Set(alert_ids);
    return outward
      .filter(({ alert_id }) => wanted === undefined || wanted.has(alert_id))
      .map(({ is_outward: _, ...match }) => ({
        id: idOf("delivery", id, match.alert_id, match.resource, match.resource_id),
        target_id: id,
        ...match,
      }));
  });
  if (rows.length === 0) return;
  await tx`
    insert into webhook_delivery
           (id, target_id, alert_id, resource, resource_id, next_attempt_at_ms, created_at_ms)
    select id, target_id, alert_id, resource, resource_id, ${nowMs}::bigint, ${nowMs}::bigint
      from ${recordset(tx, rows)} as news (id uuid, target_id uuid, alert_id uuid, resource text, resource_id uuid)
     order by id
    on conflict (id) do nothing`;
}

/**
 * Lets what is still to be sent follow to what its listing or message became; a target that is told of that already, or
 * will be, is not told twice.
 */
export async function moveDeliveries(tx: Database, moves: readonly Move[]): Promise<void> {
  const moved = tx`${recordset(tx, moves)} as moved (resource text, "from" uuid, "to" uuid)`;
  await tx`
    delete from webhook_delivery as delivery
     using ${moved}
     where delivery.resource_id = moved."from" and delivery.resource = moved.resource
       and delivery.status = 'pending' and delivery.attempt_count = 0
       and exists (select from webhook_delivery as other
                    where other.id <> delivery.id and other.status = 'pending'
                      and other.target_id = delivery.target_id and other.alert_id = delivery.alert_id
                      and other.resource_id = moved."to")`;
  await tx`
    update webhook_delivery as delivery
       set resource_id = moved."to"
      from ${moved}
     where delivery.resource_id = moved."from" and delivery.resource = moved.resource
       and delivery.status = 'pending'`;
}
