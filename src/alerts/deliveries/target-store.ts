import type { Database } from "../../db/database.ts";
import { byName, type NamePage } from "../../db/page.ts";
import {
  dropNulls,
  freeNames,
  isNamed,
  type ManagedBy,
  type Naming,
  type Present,
  type Stamp,
  saveStamp,
} from "../../db/row.ts";
import { recordset, sql } from "../../db/sql.ts";
import { CLAIM_MAX_MS } from "./delivery.ts";
import type { QuietHours } from "./quiet-hours.ts";
import { type TargetAddress, toDeclaredAddress } from "./target.ts";

/** A declared target of webhooks or notifications. */
export interface WebhookTargetRow extends TargetAddress {
  readonly id: string;
  readonly name: string;
  /** Null if it wants all alerts. */
  readonly alert_ids: readonly string[] | null;
  readonly quiet_hours: QuietHours | null;
  readonly managed_by: ManagedBy;
}

export async function listWebhookTargets(
  db: Database,
  naming?: Naming,
): Promise<readonly WebhookTargetRow[]> {
  return db.query<WebhookTargetRow>(sql`
    select id, name, kind, url, secret, recipient, alert_ids, quiet_hours, managed_by
      from webhook_target
     where ${isNamed(naming, sql`name`)}
     order by id
     limit 1000000`);
}

/** True if the target wants the alert of the delivery. A condition on the tables called `target` and `delivery`. */
export const IS_WANTED = sql`(target.alert_ids is null or delivery.alert_id = any(target.alert_ids))`;

/** A target as the API shows it, with the members of its kind. Its secret is never shown. */
export type WebhookTarget = ReturnType<typeof toDeclaredAddress> & TargetFacts;

type TargetFacts = Present<{
  readonly id: string;
  readonly name: string;
  readonly has_secret: boolean;
  readonly alerts: readonly string[] | null;
  readonly quiet_hours: QuietHours | null;
  readonly gone_at_ms: number | null;
  readonly managed_by: ManagedBy;
  readonly created_by: string | null;
  readonly updated_by: string | null;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
}>;

interface TargetObjectRow extends WebhookTargetRow {
  readonly gone_at_ms: number | null;
  readonly created_by: string | null;
  readonly updated_by: string | null;
  readonly created_hash: string | null;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
}

const OBJECT_COLUMNS = sql`
  id, name, kind, url, secret, recipient, alert_ids, quiet_hours, gone_at_ms, managed_by, created_by, updated_by,
  created_hash, created_at_ms, updated_at_ms`;

export async function findWebhookTarget(
  db: Database,
  id: string,
): Promise<
  | {
      readonly target: WebhookTarget;
      readonly row: WebhookTargetRow;
      readonly createdHash: string | null;
    }
  | undefined
> {
  const [row] = await db.query<TargetObjectRow>(sql`
    select ${OBJECT_COLUMNS} from webhook_target where id = ${id}`);
  return row && { target: toTarget(row), row, createdHash: row.created_hash };
}

export async function listTargetObjects(
  db: Database,
  page: NamePage,
): Promise<readonly WebhookTarget[]> {
  const rows = await db.query<TargetObjectRow>(
    sql`select ${OBJECT_COLUMNS} from webhook_target ${byName(page)}`,
  );
  return rows.map(toTarget);
}

function toTarget(row: TargetObjectRow): WebhookTarget {
  const { quiet_hours: quiet } = row;
  return dropNulls({
    id: row.id,
    name: row.name,
    ...toDeclaredAddress({ ...toAddress(row), secret: null }),
    has_secret: row.secret !== null,
    alerts: row.alert_ids,
    // In a fixed order, because the tag of the object depends on it.
    quiet_hours: quiet && { from: quiet.from, to: quiet.to, time_zone: quiet.time_zone },
    gone_at_ms: row.gone_at_ms,
    managed_by: row.managed_by,
    created_by: row.created_by,
    updated_by: row.updated_by,
    created_at_ms: row.created_at_ms,
    updated_at_ms: row.updated_at_ms,
  });
}

/** Sends to the target again, although it was gone. */
export async function reviveTarget(db: Database, id: string): Promise<void> {
  await db.execute(sql`
    update webhook_target set gone_at_ms = null where id = ${id} and gone_at_ms is not null`);
}

export async function saveWebhookTargets(
  tx: Database,
  rows: readonly WebhookTargetRow[],
  stamp: Stamp,
): Promise<void> {
  await freeNames(tx, sql`update webhook_target`, rows);
  await makeWaitingDue(tx, rows, stamp.nowMs);
  await tx.execute(sql`
    insert into webhook_target
           (id, name, kind, url, secret, recipient, alert_ids, quiet_hours, managed_by, created_at_ms, updated_at_ms)
    select id, name, kind, url, secret, recipient,
           case when alert_ids is not null then array(select jsonb_array_elements_text(alert_ids)::uuid) end,
           quiet_hours, managed_by, ${stamp.nowMs}, ${stamp.nowMs}
      from ${recordset(rows)}
           as declared (id uuid, name text, kind text, url text, secret text, recipient text, alert_ids jsonb,
                        quiet_hours jsonb, managed_by text)
     order by id
    on conflict (id) do update set
      name = excluded.name, kind = excluded.kind, url = excluded.url, secret = excluded.secret,
      recipient = excluded.recipient, alert_ids = excluded.alert_ids, quiet_hours = excluded.quiet_hours,
      managed_by = excluded.managed_by, updated_at_ms = excluded.updated_at_ms`);
  await tx.execute(sql`
    delete from webhook_delivery as delivery
     using webhook_target as target
     where target.id = any(${rows.map(({ id }) => id)}::uuid[]) and delivery.target_id = target.id
       and delivery.status = 'pending' and not ${IS_WANTED}`);
  await saveStamp(tx, sql`update webhook_target`, rows, stamp);
}

/**
 * What failed at the old address or with the old secret is tried at once with the new one, except what may be under way: it
 * would be sent twice. Locks the targets before their deliveries, as the end of a bundle does.
 */
async function makeWaitingDue(
  tx: Database,
  rows: readonly WebhookTargetRow[],
  nowMs: number,
): Promise<void> {
  const addresses = rows.map((row) => ({ ...toAddress(row), id: row.id }));
  await tx.execute(sql`
    select from webhook_target where id = any(${rows.map(({ id }) => id)}::uuid[]) order by id for no key update`);
  await tx.execute(sql`
    update webhook_delivery as delivery
       set next_attempt_at_ms = ${nowMs}
      from ${recordset(addresses)}
           as declared (id uuid, kind text, url text, secret text, recipient text)
      join webhook_target as known on known.id = declared.id
     where delivery.target_id = known.id and delivery.status = 'pending' and delivery.last_result is not null
       and delivery.next_attempt_at_ms > ${nowMs + CLAIM_MAX_MS}
       and (known.kind, known.url, known.secret, known.recipient)
           is distinct from (declared.kind, declared.url, declared.secret, declared.recipient)`);
}

function toAddress({ kind, url, secret, recipient }: TargetAddress): TargetAddress {
  return { kind, url, secret, recipient };
}

/** The name of a target that names this alert, if there is one. */
export async function findTargetOf(db: Database, alertId: string): Promise<string | undefined> {
  const [target] = await db.query<{ name: string }>(sql`
    select name from webhook_target where ${alertId}::uuid = any(alert_ids) order by name limit 1`);
  return target?.name;
}

export async function deleteWebhookTargets(tx: Database, ids: readonly string[]): Promise<void> {
  await tx.execute(sql`delete from webhook_target where id = any(${ids}::uuid[])`);
}

/** The targets that say that they are gone, by name. Nothing is sent to them. */
export async function listGoneTargets(
  db: Database,
  limit: number,
): Promise<readonly { readonly name: string; readonly gone_at_ms: number }[]> {
  return db.query(sql`
    select name, gone_at_ms from webhook_target where gone_at_ms is not null order by name limit ${limit}`);
}
