// When configurations are calculated: those that a change has queued, those that were last tried too long ago, and none
// while a replay rebuilds the market.

import { randomUUID } from "node:crypto";
import type { Database } from "../../db/database.ts";
import { isInLane, type Lane, type Queue } from "../../db/queue.ts";
import { sql } from "../../db/sql.ts";
import { findLastRawEvent, rawEventQueue } from "../../intake/raw-event-store.ts";
import { matchQueue } from "../../listings/match-queue-store.ts";
import { deleteExpired } from "../../matching/fresh-resource-store.ts";
import { HAS_MEMBERS } from "../../matching/member-queue-store.ts";
import {
  queueMissingRefreshes,
  queueSelectedRefreshes,
  takeRefreshes,
} from "../../matching/refresh-queue-store.ts";
import { sightingQueue } from "../../messages/contacts/contact-store.ts";
import { hasQueuedGroup } from "../../messages/group-store.ts";
import { messageQueue } from "../../messages/message-queue-store.ts";

/** How many configurations the schedule queues at once, and how many expired fresh listings and messages it deletes. */
const DUE_MAX = 1_000;
const EXPIRED_MAX = 10_000;
const CONFIGURATIONS_MAX = 1_000_000;

export async function queueAllRefreshes(tx: Database, nowMs: number): Promise<void> {
  await queueSelectedRefreshes(
    tx,
    sql`select id from price_configuration where deleted_at_ms is null`,
    nowMs,
  );
}

/** Rules of one reference that are calculated with each other at most. */
const SIBLINGS_MAX = 100;

/**
 * Takes queued configurations; while a replay rebuilds the market, only those that `configurationIds` names. With a
 * configuration that sends buys it takes the others of its reference: which of them is the headline of a new ask is known when
 * all of them have it.
 */
export async function takeQueuedConfigurations(
  tx: Database,
  options: {
    readonly batchMax: number;
    readonly configurationIds?: readonly string[];
    readonly lane?: Lane;
  },
): Promise<readonly string[]> {
  const { configurationIds: ids, batchMax } = options;
  const where =
    ids === undefined
      ? sql`${isInLane(options.lane)} and not exists (select from market_rebuild)`
      : sql`configuration_id = any(${ids}::uuid[])`;
  const taken = await takeRefreshes(tx, { where: sql`${where} and ${HAS_MEMBERS}`, batchMax });
  // A batch that is not full has all of them: a new ask queues its rules together, in one lane.
  if (ids !== undefined || taken.length < batchMax) return taken;
  const isSibling = sql`
    configuration_id in (
      select sibling.id
        from price_configuration as configuration
        join price_configuration as sibling
          on sibling.market_reference_normalized = configuration.market_reference_normalized
         and sibling.buy_signals_enabled and sibling.id <> configuration.id
       where configuration.id = any(${taken}::uuid[]) and configuration.buy_signals_enabled)`;
  const siblings = await takeRefreshes(tx, {
    where: sql`${isSibling} and ${HAS_MEMBERS}`,
    batchMax: SIBLINGS_MAX,
  });
  return [...taken, ...siblings].sort();
}

/**
 * Queues the configurations that were last tried more than `everyMs` ago, because asks leave the look-back without an
 * event. A try that far in the future was made while the clock was wrong, so it counts as none. Also deletes what is not
 * fresh any more. Returns how many configurations were queued.
 */
export async function queueDueRefreshes(
  tx: Database,
  times: { readonly nowMs: number; readonly everyMs: number },
): Promise<number> {
  await deleteExpired(tx, times.nowMs, EXPIRED_MAX);
  const due = sql`
    select id from price_configuration
     where deleted_at_ms is null
       and coalesce(last_attempt_at_ms, 0)
             not between ${times.nowMs - times.everyMs} and ${times.nowMs + times.everyMs}
       -- A worker that calculates a configuration locks its row. Queuing it here would end in a deadlock.
       and not exists (select from refresh_queue where configuration_id = price_configuration.id)
     order by coalesce(last_attempt_at_ms, 0), id limit ${DUE_MAX}
       for no key update skip locked`;
  return queueMissingRefreshes(tx, due, times.nowMs);
}

export interface RefreshStateRow {
  readonly id: string;
  readonly configuration_key: string;
  readonly status: "available" | "insufficient";
  /** Why the last attempt failed; null if it succeeded. */
  readonly error: string | null;
}

/** How the last refresh of these configurations ended; without ids, of all of them. */
export async function listRefreshStates(
  db: Database,
  ids: readonly string[] | undefined,
): Promise<readonly RefreshStateRow[]> {
  const isAsked = ids === undefined ? sql`true` : sql`id = any(${ids}::uuid[])`;
  return db.query<RefreshStateRow>(sql`
    select id, configuration_key, last_refresh_error as error,
           case when exists (select from price_cell
                              where configuration_id = price_configuration.id and status = 'available')
                then 'available' else 'insufficient' end as status
      from price_configuration
     where ${isAsked} and deleted_at_ms is null
     order by configuration_key
     limit ${CONFIGURATIONS_MAX}`);
}

/**
 * The queues through which replayed events pass before the market is whole. A step moves work to later queues only, and a
 * row stays until the commit that processes it.
 */
const PASSED_QUEUES: readonly Pick<Queue, "last" | "isUpTo">[] = [
  rawEventQueue,
  sightingQueue,
  // Its rows have no numbers. Groups are renamed so rarely that it is empty most of the time.
  { last: async () => 0, isUpTo: hasQueuedGroup },
  messageQueue,
  matchQueue,
];

/** Stops the calculation of cells until the raw events are processed again. Takes the place of a rebuild in progress. Returns its id. */
export async function beginRebuild(tx: Database): Promise<string> {
  await tx.execute(sql`delete from market_rebuild`);
  const id = randomUUID();
  await tx.execute(sql`
    insert into market_rebuild (up_to_number, id) values (${await findLastRawEvent(tx)}, ${id})`);
  return id;
}

/**
 * Ends a rebuild if everything that the replay queued has passed all queues. Returns true if it ended. What arrives later is
 * not waited for, so it ends on a service whose queues are never empty too.
 *
 * Example: the replay queued events 1 to 900. When these are read, the last message in the queue has number 5,200; when the
 * messages up to it are read, the last listing to match has number 9,100; when it is matched, the market is whole.
 */
export async function endRebuild(tx: Database): Promise<boolean> {
  const [rebuild] = await tx.query<{ id: string; passed_count: number; up_to_number: number }>(sql`
    select id, passed_count, up_to_number from market_rebuild limit 1 for update skip locked`);
  if (rebuild === undefined) return false;
  let { passed_count: passedCount, up_to_number: upTo } = rebuild;
  for (const queue of PASSED_QUEUES.slice(passedCount)) {
    if (await queue.isUpTo(tx, upTo)) break;
    passedCount += 1;
    upTo = (await PASSED_QUEUES[passedCount]?.last(tx)) ?? 0;
  }
  const isEnded = passedCount === PASSED_QUEUES.length;
  if (isEnded) await dropRebuild(tx, rebuild.id);
  else if (passedCount > rebuild.passed_count) {
    await tx.execute(sql`
      update market_rebuild set passed_count = ${passedCount}, up_to_number = ${upTo}`);
  }
  return isEnded;
}

/** Ends the rebuild whose events are known to be processed, unless another replay has taken its place. */
export async function dropRebuild(db: Database, id: string): Promise<void> {
  await db.execute(sql`delete from market_rebuild where id = ${id}`);
}

export async function isRebuilding(db: Database): Promise<boolean> {
  const rows = await db.query(sql`select from market_rebuild limit 1`);
  return rows.length > 0;
}
