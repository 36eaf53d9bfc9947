import type { Database } from "../../db/database.ts";
import {
  isNamed,
  type ManagedBy,
  type Naming,
  type Stamp,
  saveStamp,
} from "../../db/declared-row.ts";
import { freeNames } from "../../db/row.ts";
import { recordset, sql } from "../../db/sql.ts";

/** A declared target of webhooks. */
export interface WebhookTargetRow {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly secret: string;
  /** Null if it wants all alerts. */
  readonly alert_ids: readonly string[] | null;
  readonly managed_by: ManagedBy;
}

export async function listWebhookTargets(
  db: Database,
  naming?: Naming,
): Promise<readonly WebhookTargetRow[]> {
  return db.query<WebhookTargetRow>(sql`
    select id, name, url, secret, alert_ids, managed_by
      from webhook_target
     where ${isNamed(naming, sql`name`)}
     order by id
     limit 1000000`);
}

export async function saveWebhookTargets(
  tx: Database,
  rows: readonly WebhookTargetRow[],
  stamp: Stamp,
): Promise<void> {
  await freeNames(tx, sql`update webhook_target`, rows);
  await tx.execute(sql`
    insert into webhook_target (id, name, url, secret, alert_ids, managed_by, created_at_ms, updated_at_ms)
    select id, name, url, secret,
           case when alert_ids is not null then array(select jsonb_array_elements_text(alert_ids)::uuid) end,
           managed_by, ${stamp.nowMs}, ${stamp.nowMs}
      from ${recordset(rows)}
           as declared (id uuid, name text, url text, secret text, alert_ids jsonb, managed_by text)
     order by id
    on conflict (id) do update set
      name = excluded.name, url = excluded.url, secret = excluded.secret, alert_ids = excluded.alert_ids,
      managed_by = excluded.managed_by, updated_at_ms = excluded.updated_at_ms`);
  await saveStamp(tx, sql`update webhook_target`, rows, stamp);
}

export async function deleteWebhookTargets(tx: Database, ids: readonly string[]): Promise<void> {
  await tx.execute(sql`delete from webhook_target where id = any(${ids}::uuid[])`);
}
