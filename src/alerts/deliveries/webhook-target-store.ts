import type { Database } from "../../db/database.ts";
import { freeNames } from "../../db/row.ts";
import { recordset, sql } from "../../db/sql.ts";
import type { QuietHours } from "./quiet-hours.ts";
import type { TargetAddress } from "./target-kind.ts";

/** A declared target of webhooks or notifications. */
export interface WebhookTargetRow extends TargetAddress {
  readonly id: string;
  readonly name: string;
  /** Null if it wants all alerts. */
  readonly alert_ids: readonly string[] | null;
  readonly quiet_hours: QuietHours | null;
}

export async function listWebhookTargets(db: Database): Promise<readonly WebhookTargetRow[]> {
  return db.query<WebhookTargetRow>(sql`
    select id, name, kind, url, secret, recipient, alert_ids, quiet_hours
      from webhook_target
     order by id
     limit 1000000`);
}

export async function saveWebhookTargets(
  tx: Database,
  rows: readonly WebhookTargetRow[],
  nowMs: number,
): Promise<void> {
  await freeNames(tx, sql`update webhook_target`, rows);
  await tx.execute(sql`
    insert into webhook_target
           (id, name, kind, url, secret, recipient, alert_ids, quiet_hours, created_at_ms, updated_at_ms)
    select id, name, kind, url, secret, recipient,
           case when alert_ids is not null then array(select jsonb_array_elements_text(alert_ids)::uuid) end,
           quiet_hours, ${nowMs}, ${nowMs}
      from ${recordset(rows)}
           as declared (id uuid, name text, kind text, url text, secret text, recipient text, alert_ids jsonb,
                        quiet_hours jsonb)
     order by id
    on conflict (id) do update set
      name = excluded.name, kind = excluded.kind, url = excluded.url, secret = excluded.secret,
      recipient = excluded.recipient, alert_ids = excluded.alert_ids, quiet_hours = excluded.quiet_hours,
      updated_at_ms = excluded.updated_at_ms`);
}

export async function deleteWebhookTargets(tx: Database, ids: readonly string[]): Promise<void> {
  await tx.execute(sql`delete from webhook_target where id = any(${ids}::uuid[])`);
}
