import type { Database } from "./database.ts";

/** Held shared by every step of the pipeline and exclusively by a replay; any fixed number would do. */
const PIPELINE_LOCK = 4_170_003;
/** Held by the one process that merges contacts. */
const MERGE_LOCK = 4_170_004;

export async function takePipelineShare(tx: Database): Promise<void> {
  await tx`select pg_advisory_xact_lock_shared(${PIPELINE_LOCK})`;
}

/** Waits until no step is under way, and keeps them out until the transaction ends. */
export async function takePipelineAlone(tx: Database): Promise<void> {
  await tx`select pg_advisory_xact_lock(${PIPELINE_LOCK})`;
}

/** False: another process merges just now, and will see what is queued. */
export async function tryMergeLock(tx: Database): Promise<boolean> {
  const [row] = await tx<{ isOurs: boolean }[]>`
    select pg_try_advisory_xact_lock(${MERGE_LOCK}) as "isOurs"`;
  return row?.isOurs === true;
}
