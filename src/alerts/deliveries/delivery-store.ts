import { toStableId } from "../../base/ids.ts";
import type { Database } from "../../db/database.ts";
import { isInLane, type Lane } from "../../db/queue.ts";
import { recordset, sql } from "../../db/sql.ts";
import type { Move } from "../../matching/resource-store.ts";
import type { MatchKey } from "../match.ts";
import type { TargetAddress } from "./target-kind.ts";

/** Saves a delivery of each match for every target that wants its alert, in the transaction of the match. */
export async function saveDeliveries(
  tx: Database,
  matches: readonly (MatchKey & { readonly is_outward: boolean })[],
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
      .map(({ is_outward: _, ...match }) => ({
        id: toStableId("delivery", id, match.alert_id, match.resource, match.resource_id),
        target_id: id,
        ...match,
      }));
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

/**
 * Moves pending deliveries to the resource that replaced theirs. Of several deliveries of what is now one match to one
 * target, one is kept: the one that was delivered, else the one with the most attempts, because it may have been received.
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
       where delivery.status in ('pending', 'delivered')
    ), ranked as (
      select id, row_number() over (
               partition by target_id, alert_id, "to"
               order by status = 'delivered' desc, attempt_count desc, created_at_ms, id) as rank
        from related
    )
    delete from webhook_delivery as delivery
     using ranked
     where delivery.id = ranked.id and ranked.rank > 1 and delivery.status = 'pending'`);
  await tx.execute(sql`
    update webhook_delivery as delivery
       set resource_id = moved."to"
      from ${moved}
     where delivery.resource_id = moved."from" and delivery.resource = moved.resource
       and delivery.status = 'pending'`);
}

/** A delivery that this process attempts now. */
export interface ClaimedDelivery extends MatchKey {
  readonly id: string;
  readonly target_id: string;
  /** Of the kind `standard`, which has both. */
  readonly url: string;
  readonly secret: string;
  /** Including this attempt. */
  readonly attempt_count: number;
  /** The body of earlier attempts. */
  readonly body: string | null;
}

interface ClaimOptions {
  readonly nowMs: number;
  /** For how long no other process claims it. Longer than an attempt can last. */
  readonly leaseMs: number;
  readonly batchMax: number;
  /** Without a lane the longest due ones of both. */
  readonly lane?: Lane;
  /** How many attempts for one target may be in progress at once. */
  readonly perTargetMax: number;
  /** How many attempts of this process are in progress, by target. */
  readonly inProgress: readonly { readonly target_id: string; readonly count: number }[];
}

/**
 * False while a replay makes the listing or message of the delivery again: it would be sent without its watch. A condition on
 * `webhook_delivery`.
 */
export const IS_PRESENT = sql`
  not exists (select from match_anchor
               where match_anchor.resource = webhook_delivery.resource
                 and match_anchor.resource_id = webhook_delivery.resource_id)`;

/** How many bytes of stored bodies one claim reads, unless its first body alone is larger. */
const CLAIMED_BYTES_MAX = 8 * 1024 * 1024;

/**
 * Claims due deliveries to targets of the kind `standard`, a few of each target, so that a target that hangs does not delay the others. The attempt counts
 * already, so one that crashes the process is not repeated for ever. No transaction is open during the attempt.
 */
export async function claimDeliveries(
  db: Database,
  options: ClaimOptions,
): Promise<readonly ClaimedDelivery[]> {
  const { nowMs } = options;
  return db.query<ClaimedDelivery>(sql`
    with due as materialized (
      select own.id, target.url, target.secret
        from webhook_target as target
        left join ${recordset(options.inProgress)} as busy (target_id uuid, count integer)
          on busy.target_id = target.id
       cross join lateral (
          select id, next_attempt_at_ms
            from webhook_delivery
           where target_id = target.id and status = 'pending' and next_attempt_at_ms <= ${nowMs}
             and ${isInLane(options.lane)} and (body is not null or ${IS_PRESENT})
           order by next_attempt_at_ms, id
           limit greatest(0, ${options.perTargetMax}::integer - coalesce(busy.count, 0))
             for update skip locked
        ) as own
       where target.kind = 'standard' and target.gone_at_ms is null and target.next_send_at_ms <= ${nowMs}
       order by own.next_attempt_at_ms, own.id
       limit ${options.batchMax}
    ), measured as (
      -- The length is known without reading the body.
      select due.id, due.url, due.secret, coalesce(octet_length(kept.body), 0) as bytes,
             sum(coalesce(octet_length(kept.body), 0)) over (order by due.id) as total_bytes
        from due
        join webhook_delivery as kept on kept.id = due.id
    )
    update webhook_delivery as delivery
       set attempt_count = delivery.attempt_count + 1, next_attempt_at_ms = ${nowMs + options.leaseMs}
      from measured
     where delivery.id = measured.id
       and (measured.total_bytes <= ${CLAIMED_BYTES_MAX} or measured.total_bytes = measured.bytes)
    returning delivery.id, delivery.target_id, measured.url, measured.secret, delivery.alert_id, delivery.resource,
              delivery.resource_id, delivery.attempt_count, delivery.body`);
}

/**
 * Makes deliveries due whose next attempt is later than any delay allows. Such times were stored while the clock was wrong,
 * and without this they would wait until then.
 */
export async function pullDeliveriesForward(
  db: Database,
  times: { readonly nowMs: number; readonly aheadMaxMs: number },
): Promise<void> {
  await db.execute(sql`
    update webhook_delivery set next_attempt_at_ms = ${times.nowMs}
     where status = 'pending' and next_attempt_at_ms > ${times.nowMs + times.aheadMaxMs}`);
  await db.execute(sql`
    update webhook_target set next_send_at_ms = ${times.nowMs}
     where next_send_at_ms > ${times.nowMs + times.aheadMaxMs}`);
}

/** Stores the body of the first attempt. Returns the stored one, which all attempts send. */
export async function saveDeliveryBody(db: Database, id: string, body: string): Promise<string> {
  const [row] = await db.query<{ body: string }>(sql`
    update webhook_delivery set body = coalesce(body, ${body}) where id = ${id} returning body`);
  return row?.body ?? body;
}

export async function finishDelivery(
  db: Database,
  id: string,
  end: {
    readonly status: "delivered" | "dead";
    readonly result: string;
    readonly nowMs: number;
  },
): Promise<void> {
  await db.execute(sql`
    update webhook_delivery
       set status = ${end.status}, finished_at_ms = ${end.nowMs}, last_result = ${end.result},
           body = case when ${end.status} = 'delivered' then null else body end
     where id = ${id} and status = 'pending'`);
}

/** A delivery that failed is not fresh any more: new matches are sent before it. */
export async function postponeDelivery(
  db: Database,
  id: string,
  next: { readonly atMs: number; readonly result: string },
): Promise<void> {
  await db.execute(sql`
    update webhook_delivery
       set next_attempt_at_ms = ${next.atMs}, last_result = ${next.result}, is_fresh = false
     where id = ${id} and status = 'pending'`);
}

/** Undoes a claim. The next one is possible at `atMs`. */
export async function releaseDelivery(db: Database, id: string, atMs: number): Promise<void> {
  await db.execute(sql`
    update webhook_delivery
       set next_attempt_at_ms = ${atMs}, attempt_count = attempt_count - 1
     where id = ${id} and status = 'pending' and attempt_count > 0`);
}

/**
 * Stops sending to a target that is gone, and marks its pending deliveries as dead. `target` is as the attempt knew it: one
 * that was declared with another address meanwhile is not gone.
 */
export async function retireTarget(
  db: Database,
  target: Pick<TargetAddress, "url" | "secret" | "recipient"> & { readonly id: string },
  end: { readonly result: string; readonly nowMs: number },
): Promise<void> {
  await db.execute(sql`
    update webhook_target set gone_at_ms = ${end.nowMs}
     where id = ${target.id} and gone_at_ms is null and url is not distinct from ${target.url}
       and secret is not distinct from ${target.secret} and recipient is not distinct from ${target.recipient}`);
  await db.execute(sql`
    update webhook_delivery
       set status = 'dead', finished_at_ms = ${end.nowMs}, last_result = ${end.result}
     where target_id = ${target.id} and status = 'pending'
       and exists (select from webhook_target
                    where webhook_target.id = webhook_delivery.target_id and gone_at_ms is not null)`);
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
