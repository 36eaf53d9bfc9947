import type { Database } from "../../db/database.ts";
import { recordset, sql } from "../../db/sql.ts";
import type { MatchKey } from "../match.ts";
import { IS_PRESENT } from "./delivery-store.ts";
import type { QuietHours } from "./quiet-hours.ts";
import type { TargetAddress } from "./target-kind.ts";

/** A target with due deliveries that sends bundles, or that may be quiet now. */
export interface DueTarget {
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
                      and (body is not null or ${IS_PRESENT}))
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
 * one process sends to it at a time. Returns undefined if another process was faster. As with single deliveries, the attempt
 * counts already, and no transaction is open while it lasts.
 */
export async function claimBundle(
  db: Database,
  targetId: string,
  { nowMs, leaseMs }: { readonly nowMs: number; readonly leaseMs: number },
): Promise<Bundle | undefined> {
  const leasedUntilMs = nowMs + leaseMs;
  const rows = await db.query<BundledDelivery & TargetAddress>(sql`
    with target as materialized (
      select id, kind, url, secret, recipient
        from webhook_target
       where id = ${targetId} and kind <> 'standard' and gone_at_ms is null and next_send_at_ms <= ${nowMs}
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
