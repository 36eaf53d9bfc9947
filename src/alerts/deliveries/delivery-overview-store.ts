import type { Database } from "../../db/database.ts";
import { dropNulls, type Present } from "../../db/row.ts";
import { sql } from "../../db/sql.ts";
import type { MatchKey } from "../match.ts";
import type { TargetKind } from "./target-kind.ts";

export const DELIVERY_STATUSES = ["pending", "delivered", "dead"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export interface DeliveryRow extends MatchKey {
  readonly id: string;
  readonly target: string;
  readonly kind: TargetKind;
  readonly alert: string;
  readonly status: DeliveryStatus;
  readonly attempt_count: number;
  readonly last_result: string | null;
  readonly next_attempt_at_ms: number;
  readonly created_at_ms: number;
  readonly finished_at_ms: number | null;
}

/** Newest first. */
export async function listDeliveries(
  db: Database,
  page: { readonly status?: DeliveryStatus; readonly limit: number },
): Promise<readonly DeliveryRow[]> {
  return db.query<DeliveryRow>(sql`
    select delivery.id, target.name as target, target.kind, alert.name as alert, delivery.alert_id, delivery.resource,
           delivery.resource_id, delivery.status, delivery.attempt_count, delivery.last_result,
           greatest(delivery.next_attempt_at_ms, target.next_send_at_ms) as next_attempt_at_ms,
           delivery.created_at_ms, delivery.finished_at_ms
      from webhook_delivery as delivery
      join webhook_target as target on target.id = delivery.target_id
      join alert on alert.id = delivery.alert_id
     where ${page.status === undefined ? sql`true` : sql`delivery.status = ${page.status}`}
     order by delivery.created_at_ms desc, delivery.id
     limit ${page.limit}`);
}

/** A delivery as the API shows it. */
export type Delivery = Present<DeliveryObjectRow>;

interface DeliveryObjectRow extends MatchKey {
  readonly id: string;
  readonly target_id: string;
  readonly alert_name: string;
  readonly status: DeliveryStatus;
  readonly attempt_count: number;
  readonly last_result: string | null;
  /** Of a pending one. */
  readonly next_attempt_at_ms: number | null;
  readonly created_at_ms: number;
  readonly finished_at_ms: number | null;
}

/** The deliveries of a target after a position, newest first, ties by id. */
export async function listTargetDeliveries(
  db: Database,
  targetId: string,
  page: {
    readonly after?: { readonly createdAtMs: number; readonly id: string } | undefined;
    readonly limit: number;
  },
): Promise<readonly Delivery[]> {
  const { after } = page;
  const isAfter =
    after === undefined
      ? sql`true`
      : sql`(delivery.created_at_ms <= ${after.createdAtMs}
             and (delivery.created_at_ms < ${after.createdAtMs} or delivery.id > ${after.id}))`;
  const rows = await db.query<DeliveryObjectRow>(sql`
    select ${OBJECT_COLUMNS}
     where delivery.target_id = ${targetId} and ${isAfter}
     order by delivery.created_at_ms desc, delivery.id
     limit ${page.limit}`);
  return rows.map(dropNulls);
}

export async function findDelivery(db: Database, id: string): Promise<Delivery | undefined> {
  const [row] = await db.query<DeliveryObjectRow>(
    sql`select ${OBJECT_COLUMNS} where delivery.id = ${id}`,
  );
  return row && dropNulls(row);
}

const OBJECT_COLUMNS = sql`
       delivery.id, delivery.target_id, delivery.alert_id, alert.name as alert_name, delivery.resource,
       delivery.resource_id, delivery.status, delivery.attempt_count, delivery.last_result,
       case when delivery.status = 'pending'
            then greatest(delivery.next_attempt_at_ms, target.next_send_at_ms) end as next_attempt_at_ms,
       delivery.created_at_ms, delivery.finished_at_ms
  from webhook_delivery as delivery
  join webhook_target as target on target.id = delivery.target_id
  join alert on alert.id = delivery.alert_id`;

interface FailingDeliveries {
  readonly target: string;
  readonly last_result: string;
  readonly count: number;
}

/** The pending deliveries whose last attempt failed, by target and result. */
export async function listFailingDeliveries(
  db: Database,
  limit: number,
): Promise<readonly FailingDeliveries[]> {
  return db.query<FailingDeliveries>(sql`
    select target.name as target, delivery.last_result, count(*) as count
      from webhook_delivery as delivery
      join webhook_target as target on target.id = delivery.target_id
     where delivery.status = 'pending' and delivery.last_result is not null
     group by target.name, delivery.last_result
     order by count(*) desc, target.name, delivery.last_result
     limit ${limit}`);
}

/** The targets that say that they are gone, by name. Nothing is sent to them. */
export async function listGoneTargets(
  db: Database,
  limit: number,
): Promise<readonly { readonly name: string; readonly gone_at_ms: number }[]> {
  return db.query(sql`
    select name, gone_at_ms from webhook_target where gone_at_ms is not null order by name limit ${limit}`);
}

export async function countDeadDeliveries(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from webhook_delivery where status = 'dead'`);
  return row?.count ?? 0;
}

/** Makes deliveries due now, with all attempts left. Returns how many. */
export async function retryDeliveries(
  db: Database,
  which: { readonly ids: readonly string[] } | "all dead",
  nowMs: number,
): Promise<number> {
  const rows = await db.query<{ target_id: string }>(sql`
    update webhook_delivery
       set status = 'pending', finished_at_ms = null, attempt_count = 0, next_attempt_at_ms = ${nowMs},
           is_fresh = false
     where ${which === "all dead" ? sql`status = 'dead'` : sql`id = any(${[...which.ids]}::uuid[]) and status <> 'delivered'`}
    returning target_id`);
  await db.execute(sql`
    update webhook_target set gone_at_ms = null
     where id = any(${[...new Set(rows.map(({ target_id }) => target_id))]}::uuid[]) and gone_at_ms is not null`);
  await db.execute(sql`select pg_notify('assay_changes', 'webhook_delivery')`);
  return rows.length;
}
