import { type Database, type DatabasePool, isStoreDown } from "./database.ts";

type ReservedConnection = Awaited<ReturnType<DatabasePool["reserve"]>>;

/** Held shared by every step of the pipeline and exclusively by a replay; any fixed number would do. */
const PIPELINE_LOCK = 4_170_003;
/** Held by the one process that asks the gateway. */
const GATEWAY_LOCK = 4_170_005;
/** Held by the one process that loads the demo market. */
const DEMO_LOCK = 4_170_010;
/** Held by the one process that merges contacts. */
const MERGE_LOCK = 4_170_004;
/** Held by whoever writes matches; `take_match_turn` takes it too. */
const MATCH_LOCK = 4_170_007;
/** Held shared by whoever reads events, and exclusively while contacts are merged. */
const IDENTITY_LOCK = 4_170_008;
/** Held by whoever changes listings; `take_listing_sequence` takes it too. */
const LISTING_LOCK = 4_170_006;

/**
 * Begins a step. Its commit need not wait for the disk: a crash that loses it loses the end of the queue entries too, so
 * the work is done again. And it only looks things up by key, which a planner that has not counted the rows yet, or that
 * planned when there were none, does not see.
 */
export async function beginStep(tx: Database): Promise<void> {
  await tx`
    select set_config('synchronous_commit', 'off', true), set_config('enable_seqscan', 'off', true),
           set_config('plan_cache_mode', 'force_custom_plan', true),
           pg_advisory_xact_lock_shared(${PIPELINE_LOCK})`;
}

/** Waits until no step is under way, and keeps them out until the transaction ends. */
export async function takePipelineAlone(tx: Database): Promise<void> {
  await tx`select pg_advisory_xact_lock(${PIPELINE_LOCK})`;
}

/** Waits until nobody else changes listings, and keeps the others waiting until the transaction ends. */
export async function takeListingLock(tx: Database): Promise<void> {
  await tx`select pg_advisory_xact_lock(${LISTING_LOCK})`;
}

/** Waits until nobody else writes matches; `take_match_turn` takes it too. */
export async function takeMatchTurn(tx: Database): Promise<void> {
  await tx`select pg_advisory_xact_lock(${MATCH_LOCK})`;
}

/** False: another process merges just now, and will see what is queued. */
export async function tryMergeLock(tx: Database): Promise<boolean> {
  const [row] = await tx<{ isOurs: boolean }[]>`
    select pg_try_advisory_xact_lock(${MERGE_LOCK}) as "isOurs"`;
  return row?.isOurs === true;
}

/** No contacts are merged until the transaction ends. */
export async function shareIdentities(tx: Database): Promise<void> {
  await tx`select pg_advisory_xact_lock_shared(${IDENTITY_LOCK})`;
}

/**
 * Waits until nobody reads events, and keeps them out until the transaction ends. By row locks alone a merge could wait for
 * ever: others may go on sharing a row that somebody waits to have alone. Here who comes later waits behind it.
 */
export async function takeIdentitiesAlone(tx: Database): Promise<void> {
  await tx`select pg_advisory_xact_lock(${IDENTITY_LOCK})`;
}

/** Undefined: another process asks the gateway just now. */
export function tryGatewayLock(pool: DatabasePool): Promise<HeldLock | undefined> {
  return tryHeldLock(pool, GATEWAY_LOCK);
}

/** Undefined: another process loads the demo just now. */
export function tryDemoLock(pool: DatabasePool): Promise<HeldLock | undefined> {
  return tryHeldLock(pool, DEMO_LOCK);
}

/** Of a connection of its own, so that it ends with the process, however that ends. */
export interface HeldLock {
  release(): Promise<void>;
}

async function tryHeldLock(pool: DatabasePool, lock: number): Promise<HeldLock | undefined> {
  const connection = await pool.reserve();
  try {
    const [row] = await connection<{ isOurs: boolean }[]>`
      select pg_try_advisory_lock(${lock}) as "isOurs"`;
    if (row?.isOurs === true) return { release: () => unlock(connection, lock) };
  } catch (error) {
    connection.release();
    throw error;
  }
  connection.release();
  return undefined;
}

/** A connection that fails here is gone, and the lock with it. */
async function unlock(connection: ReservedConnection, lock: number): Promise<void> {
  try {
    await connection`select pg_advisory_unlock(${lock})`;
  } catch (error) {
    if (!isStoreDown(error)) throw error;
  } finally {
    connection.release();
  }
}
