import { isUuid, toStableId } from "../../base/ids.ts";
import type { Database } from "../../db/database.ts";
import { parseCursor, toCursor, toQueryDigest } from "../../db/page.ts";
import { dropNulls, type Present } from "../../db/row.ts";
import { recordset, sql } from "../../db/sql.ts";
import type { Move } from "../../matching/resource-store.ts";
import type { Author } from "../../people/activity.ts";
import { recordActivity } from "../../people/activity-store.ts";
import type { MatchKey } from "../match.ts";
import type { TargetKind } from "./target.ts";

export const DELIVERY_STATUSES = ["pending", "delivered", "dead"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** A delivery as the command line shows it. */
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
type Delivery = Present<DeliveryObjectRow>;

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

/** One page of the deliveries of a target, newest first. */
export async function listDeliveryPage(
  db: Database,
  targetId: string,
  page: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<{ readonly items: readonly Delivery[]; readonly next_cursor?: string }> {
  const digest = toQueryDigest(["deliveries", targetId.toLowerCase()]);
  const after = page.cursor === undefined ? undefined : parseCursor(page.cursor, digest, toPlace);
  // One row more than the page holds shows whether there is a next page.
  const rows = await listTargetDeliveries(db, targetId, { after, limit: page.limit + 1 });
  const items = rows.slice(0, page.limit);
  const last = items.at(-1);
  if (rows.length === items.length || last === undefined) return { items };
  return { items, next_cursor: toCursor(digest, [last.created_at_ms, last.id]) };
}

function toPlace([createdAtMs, id]: readonly unknown[]) {
  if (!Number.isSafeInteger(createdAtMs) || typeof id !== "string" || !isUuid(id)) return undefined;
  return { createdAtMs: createdAtMs as number, id };
}

/** The deliveries of a target after a position, newest first, ties by id. */
async function listTargetDeliveries(
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

export async function countDeadDeliveries(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from webhook_delivery where status = 'dead'`);
  return row?.count ?? 0;
}

interface SentMatch extends MatchKey {
  readonly is_outward: boolean;
  /** A match that is told again has deliveries of its own: a receiver drops an id that it knows. */
  readonly returned_at_ms?: number;
}

/** Saves a delivery of each match for every target that wants its alert, in the transaction of the match. */
export async function saveDeliveries(
  tx: Database,
  matches: readonly SentMatch[],
  nowMs: number,
): Promise<void> {
  const outward = matches.filter(({ is_outward }) => is_outward);
  if (outward.length === 0) return;
  const targets = await tx.query<{ id: string; alert_ids: string[] | null }>(sql`
    select id, alert_ids from webhook_target where gone_at_ms is null order by id`);
  const rows = targets.flatMap(({ id, alert_ids }) => {
    const wanted = alert_ids === null ? undefined : new Set(alert_ids);
    return outward
      .filter(({ alert_id }) => wanted === undefined || wanted.has(alert_id))
      .map(({ is_outward: _, returned_at_ms, ...match }) => {
        const { alert_id, resource, resource_id } = match;
        const again = returned_at_ms === undefined ? [] : [String(returned_at_ms)];
        return {
          id: toStableId("delivery", id, alert_id, resource, resource_id, ...again),
          target_id: id,
          ...match,
        };
      });
  });
  if (rows.length === 0) return;
  await tx.execute(sql`
    insert into webhook_delivery
           (id, target_id, alert_id, resource, resource_id, next_attempt_at_ms, created_at_ms)
    select id, target_id, alert_id, resource, resource_id, ${nowMs}::bigint, ${nowMs}::bigint
      from ${recordset(rows)} as wanted (id uuid, target_id uuid, alert_id uuid, resource text, resource_id uuid)
     order by id
    on conflict (id) do nothing`);
}

/** Deletes what waits to be sent of matches that are told again, so that no one is told twice. */
export async function dropPendingDeliveries(
  tx: Database,
  matches: readonly MatchKey[],
): Promise<void> {
  if (matches.length === 0) return;
  const keys = matches.map(({ alert_id, resource, resource_id }) => ({
    alert_id,
    resource,
    resource_id,
  }));
  await tx.execute(sql`
    delete from webhook_delivery as delivery
     using ${recordset(keys)} as again (alert_id uuid, resource text, resource_id uuid)
     where delivery.alert_id = again.alert_id and delivery.resource = again.resource
       and delivery.resource_id = again.resource_id and delivery.status = 'pending'`);
}

/**
 * Moves deliveries that are not delivered to the resource that replaced theirs, so that dead ones can be retried. Of several
 * deliveries of what is now one match to one target, one is kept: the one that was delivered, else one that is pending, else the
 * one with the most attempts, because it may have been received. What was delivered before a passed watch was back is another telling.
 * Call it after the matches have moved.
 */
export async function moveDeliveries(tx: Database, moves: readonly Move[]): Promise<void> {
  const moved = sql`${recordset(moves)} as moved (resource text, "from" uuid, "to" uuid)`;
  await tx.execute(sql`
    with related as materialized (
      select distinct delivery.id, delivery.target_id, delivery.alert_id, delivery.status, delivery.attempt_count,
             delivery.created_at_ms, moved."to"
        from ${moved}
        join webhook_delivery as delivery
          on delivery.resource = moved.resource and delivery.resource_id in (moved."from", moved."to")
        left join alert_match as match
          on match.alert_id = delivery.alert_id and match.resource = delivery.resource and match.resource_id = moved."to"
       where delivery.status <> 'delivered' or delivery.created_at_ms >= coalesce(match.returned_at_ms, 0)
    ), ranked as (
      select id, row_number() over (
               partition by target_id, alert_id, "to"
               order by status = 'delivered' desc, status = 'pending' desc, attempt_count desc, created_at_ms, id) as rank
        from related
    )
    delete from webhook_delivery as delivery
     using ranked
     where delivery.id = ranked.id and ranked.rank > 1 and delivery.status <> 'delivered'`);
  await tx.execute(sql`
    update webhook_delivery as delivery
       set resource_id = moved."to"
      from ${moved}
     where delivery.resource_id = moved."from" and delivery.resource = moved.resource
       and delivery.status <> 'delivered'`);
}

/** Makes deliveries due now, with all attempts left. Returns how many. */
export async function retryDeliveries(
  tx: Database,
  which: { readonly ids: readonly string[] } | "all dead",
  author: Author,
): Promise<number> {
  const rows = await tx.query<{ id: string; target_id: string }>(sql`
    update webhook_delivery
       set status = 'pending', finished_at_ms = null, attempt_count = 0, next_attempt_at_ms = ${author.nowMs},
           is_fresh = false
     where ${which === "all dead" ? sql`status = 'dead'` : sql`id = any(${[...which.ids]}::uuid[]) and status <> 'delivered'`}
    returning id, target_id`);
  await tx.execute(sql`
    update webhook_target set gone_at_ms = null
     where id = any(${[...new Set(rows.map(({ target_id }) => target_id))]}::uuid[]) and gone_at_ms is not null`);
  await tx.execute(sql`select pg_notify('assay_changes', 'webhook_delivery')`);
  const [first] = rows;
  if (first !== undefined) {
    const object = { kind: "delivery", id: first.id } as const;
    const after = { status: "pending", ...(rows.length === 1 ? {} : { count: rows.length }) };
    await recordActivity(tx, author, [{ action: "retried", object, after }]);
  }
  return rows.length;
}

const PRUNE_BATCH_MAX = 10_000;

/** Deletes deliveries that ended before then. A dead one has the words and the number of a dealer. */
export async function pruneDeliveries(db: Database, beforeMs: number): Promise<void> {
  await db.execute(sql`
    with old as materialized (
      select id from webhook_delivery
       where status in ('delivered', 'dead') and finished_at_ms < ${beforeMs}
       order by finished_at_ms, id
       limit ${PRUNE_BATCH_MAX}
         for update skip locked
    )
    delete from webhook_delivery using old where webhook_delivery.id = old.id`);
}
