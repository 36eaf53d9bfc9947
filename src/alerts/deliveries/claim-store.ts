/**
 * What a sender claims, and how its attempts end. Any number of processes send: a claim moves the next attempt into the
 * future in one statement, so no other process has it, and no transaction is open during the attempt. The attempt counts
 * already, so one that crashes the process is not repeated for ever.
 *
 * A program gets each match by itself: single deliveries are claimed. A person gets all that is due in one message: the
 * target is claimed, with a bundle of its deliveries.
 */
import type { Database } from "../../db/database.ts";
import { isInLane, type Lane } from "../../db/queue.ts";
import { recordset, sql } from "../../db/sql.ts";
import type { MatchKey } from "../match.ts";
import { findSilenced } from "../match-store.ts";
import type { QuietHours } from "./quiet-hours.ts";
import type { TargetAddress } from "./target.ts";
import { IS_WANTED } from "./target-store.ts";

/**
 * False while a replay makes the listing or message of the delivery again: it would be sent without its watch, and no one knows
 * whether the watch was passed or its dealer blocked. A condition on `webhook_delivery`.
 */
const IS_PRESENT = sql`
  not exists (select from match_anchor
               where match_anchor.resource = webhook_delivery.resource
                 and match_anchor.resource_id = webhook_delivery.resource_id)`;

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
  /** Until then, no other process claims it. */
  readonly leased_until_ms: number;
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
  /** The quiet hours that do not hold at `nowMs`. Targets with other quiet hours get nothing, whenever these were declared. */
  readonly awake: readonly QuietHours[];
}

/** How many bytes of stored bodies one claim reads, unless its first body alone is larger. */
const CLAIMED_BYTES_MAX = 8 * 1024 * 1024;

/**
 * Claims due deliveries to targets of the kind `standard`, a few of each target, so that a target that hangs does not delay
 * the others.
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
             and ${isInLane(options.lane)} and ${IS_PRESENT}
           order by next_attempt_at_ms, id
           limit greatest(0, ${options.perTargetMax}::integer - coalesce(busy.count, 0))
             for update skip locked
        ) as own
       where target.kind = 'standard' and target.gone_at_ms is null and target.next_send_at_ms <= ${nowMs}
         and (target.quiet_hours is null
              or target.quiet_hours in (select jsonb_array_elements(${JSON.stringify(options.awake)}::jsonb)))
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
              delivery.resource_id, delivery.attempt_count, delivery.body, delivery.next_attempt_at_ms as leased_until_ms`);
}

/**
 * Deletes the deliveries about which no one is told at this moment, and those that their target does not want any more. Returns
 * the ids of all that must not be sent: also of those that someone else has deleted. The matches stay.
 */
export async function takeSilenced(
  db: Database,
  deliveries: readonly (MatchKey & { readonly id: string })[],
): Promise<ReadonlySet<string>> {
  const silenced = await findSilenced(db, deliveries);
  const others = deliveries.filter(({ resource_id }) => !silenced.has(resource_id));
  const wanted = await db.query<{ id: string }>(sql`
    select delivery.id
      from webhook_delivery as delivery
      join webhook_target as target on target.id = delivery.target_id
     where delivery.id = any(${others.map(({ id }) => id)}::uuid[]) and ${IS_WANTED}
     order by delivery.id limit ${deliveries.length}`);
  const taken = new Set(deliveries.map(({ id }) => id));
  for (const { id } of wanted) taken.delete(id);
  if (taken.size === 0) return taken;
  await db.execute(sql`delete from webhook_delivery where id = any(${[...taken]}::uuid[])`);
  return taken;
}

/** Of claimed deliveries, those whose match has another id since, because contacts merged. */
export async function findMoved(
  db: Database,
  claimed: readonly (MatchKey & { readonly id: string })[],
): Promise<ReadonlySet<string>> {
  if (claimed.length === 0) return new Set();
  const rows = claimed.map(({ id, resource_id }) => ({ id, resource_id }));
  const moved = await db.query<{ id: string }>(sql`
    select delivery.id
      from ${recordset(rows)} as claimed (id uuid, resource_id uuid)
      join webhook_delivery as delivery on delivery.id = claimed.id and delivery.resource_id <> claimed.resource_id
     order by delivery.id limit ${rows.length}`);
  return new Set(moved.map(({ id }) => id));
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

/** Claims of one statement, which all end at the same time. */
interface Claims {
  readonly leasedUntilMs: number;
  /** Absent: all of them, as if the answer to the statement was lost. */
  readonly ids?: readonly string[];
}

/**
 * Undoes claims. The next ones are possible at `atMs`. What was claimed again since then stays claimed, and so calling it twice
 * has no effect.
 */
export async function releaseClaims(
  db: Database,
  { leasedUntilMs, ids }: Claims,
  atMs: number,
): Promise<void> {
  const released = await db.query<{ target_id: string }>(sql`
    update webhook_delivery
       set next_attempt_at_ms = ${atMs}, attempt_count = attempt_count - 1
     where status = 'pending' and attempt_count > 0 and next_attempt_at_ms = ${leasedUntilMs}
       and ${ids === undefined ? sql`true` : sql`id = any(${[...ids]}::uuid[])`}
    returning target_id`);
  const targetIds = [...new Set(released.map(({ target_id }) => target_id))];
  await db.execute(sql`
    update webhook_target set next_send_at_ms = ${atMs}
     where id = any(${targetIds}::uuid[]) and next_send_at_ms = ${leasedUntilMs}`);
}

const QUIET_HOURS_MAX = 10_000;

/** All quiet hours of targets of the kind `standard`. */
export async function listQuietHours(db: Database): Promise<readonly QuietHours[]> {
  const rows = await db.query<{ quiet_hours: QuietHours }>(sql`
    select distinct quiet_hours
      from webhook_target
     where kind = 'standard' and gone_at_ms is null and quiet_hours is not null
     order by quiet_hours
     limit ${QUIET_HOURS_MAX}`);
  return rows.map(({ quiet_hours }) => quiet_hours);
}

/** A target with due deliveries that sends bundles, or that may be quiet now. */
interface DueTarget {
  readonly id: string;
  readonly kind: TargetAddress["kind"];
  readonly quiet_hours: QuietHours | null;
}

const TARGETS_MAX = 100;

export async function listDueTargets(db: Database, nowMs: number): Promise<readonly DueTarget[]> {
  return db.query<DueTarget>(sql`
    select target.id, target.kind, target.quiet_hours
      from webhook_target as target
     where target.gone_at_ms is null and target.next_send_at_ms <= ${nowMs}
       and (target.kind <> 'standard' or target.quiet_hours is not null)
       and exists (select from webhook_delivery
                    where target_id = target.id and status = 'pending' and next_attempt_at_ms <= ${nowMs}
                      and ${IS_PRESENT})
     order by target.next_send_at_ms, target.id
     limit ${TARGETS_MAX}`);
}

/** Sends nothing to the target until then, unless it is declared otherwise. */
export async function keepQuiet(
  db: Database,
  { id, quiet_hours }: DueTarget,
  times: { readonly nowMs: number; readonly untilMs: number },
): Promise<void> {
  await db.execute(sql`
    update webhook_target set next_send_at_ms = ${times.untilMs}
     where id = ${id} and next_send_at_ms <= ${times.nowMs}
       and quiet_hours = ${JSON.stringify(quiet_hours)}::jsonb`);
}

export interface BundledDelivery extends MatchKey {
  readonly id: string;
  /** Including this attempt. */
  readonly attempt_count: number;
}

/** All due deliveries of one target, which this process attempts now. */
export interface Bundle {
  readonly target: TargetAddress & { readonly id: string };
  readonly deliveries: readonly BundledDelivery[];
  /** Until then, no other process sends to the target. */
  readonly leasedUntilMs: number;
}

/** How many matches one attempt carries. The next attempt carries the others. */
const BUNDLE_MAX = 1_000;

/**
 * Claims a target and its due deliveries in one statement. The claim of the target (`next_send_at_ms`) makes sure that only
 * one process sends to it at a time. Returns undefined if another process was faster, or the quiet hours of the target have
 * changed since they were judged.
 */
export async function claimBundle(
  db: Database,
  { id: targetId, quiet_hours }: Pick<DueTarget, "id" | "quiet_hours">,
  { nowMs, leaseMs }: { readonly nowMs: number; readonly leaseMs: number },
): Promise<Bundle | undefined> {
  const leasedUntilMs = nowMs + leaseMs;
  const judged = quiet_hours === null ? null : JSON.stringify(quiet_hours);
  const rows = await db.query<BundledDelivery & TargetAddress>(sql`
    with target as materialized (
      select id, kind, url, secret, recipient
        from webhook_target
       where id = ${targetId} and kind <> 'standard' and gone_at_ms is null and next_send_at_ms <= ${nowMs}
         and quiet_hours is not distinct from ${judged}::jsonb
         -- Not "for update": that would wait for, and delay, steps that add deliveries.
         for no key update skip locked
    ), due as materialized (
      select own.id
        from target
       cross join lateral (
          select id from webhook_delivery
           where target_id = target.id and status = 'pending' and next_attempt_at_ms <= ${nowMs} and ${IS_PRESENT}
           order by next_attempt_at_ms, id
           limit ${BUNDLE_MAX}
             for update skip locked
        ) as own
    ), leased as (
      update webhook_target set next_send_at_ms = ${leasedUntilMs}
       where id in (select id from target) and exists (select from due)
    )
    update webhook_delivery as delivery
       set attempt_count = delivery.attempt_count + 1, next_attempt_at_ms = ${leasedUntilMs}
      from due cross join target
     where delivery.id = due.id
    returning delivery.id, delivery.alert_id, delivery.resource, delivery.resource_id, delivery.attempt_count,
              target.kind, target.url, target.secret, target.recipient`);
  const [first] = rows;
  if (first === undefined) return undefined;
  const { kind, url, secret, recipient } = first;
  const deliveries = rows.map(({ id, alert_id, resource, resource_id, attempt_count }) => ({
    id,
    alert_id,
    resource,
    resource_id,
    attempt_count,
  }));
  return { target: { id: targetId, kind, url, secret, recipient }, deliveries, leasedUntilMs };
}

/** What becomes of one delivery of a bundle. */
export interface BundledEnd {
  readonly id: string;
  readonly status: "pending" | "delivered" | "dead";
  readonly attempt_count: number;
  /** Of a pending one. */
  readonly next_attempt_at_ms: number;
  /** Null if there was no attempt. */
  readonly last_result: string | null;
}

/** Stores the end of all deliveries of a bundle and when the target may be sent to again, in one statement. */
export async function finishBundle(
  db: Database,
  { target, leasedUntilMs }: Bundle,
  end: {
    readonly deliveries: readonly BundledEnd[];
    readonly nowMs: number;
    readonly nextSendAtMs: number;
  },
): Promise<void> {
  await db.execute(sql`
    with target as materialized (
      -- First, as a write of the target does.
      select id from webhook_target where id = ${target.id} for no key update
    ), ended as (
      update webhook_delivery as delivery
         set status = ended.status, attempt_count = ended.attempt_count,
             next_attempt_at_ms = ended.next_attempt_at_ms,
             last_result = coalesce(ended.last_result, delivery.last_result),
             finished_at_ms = case when ended.status = 'pending' then null else ${end.nowMs}::bigint end,
             is_fresh = delivery.is_fresh and ended.last_result is null
        from ${recordset(end.deliveries)}
             as ended (id uuid, status text, attempt_count integer, next_attempt_at_ms bigint, last_result text)
       cross join target
       where delivery.id = ended.id and delivery.status = 'pending'
    )
    -- A target that was claimed again, or declared with another address, keeps its time.
    update webhook_target set next_send_at_ms = ${end.nextSendAtMs}
     where id in (select id from target) and next_send_at_ms = ${leasedUntilMs}`);
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
