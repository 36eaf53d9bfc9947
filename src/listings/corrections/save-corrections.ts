import type { Database, DatabasePool } from "../../db/database.ts";
import { takeLock } from "../../db/locks.ts";
import { beginStep } from "../../db/queue.ts";
import { sql } from "../../db/sql.ts";
import { isConflict } from "../../db/store-error.ts";
import { NO_WINDOWS, queueMessages } from "../../messages/message-queue-store.ts";
import { findMessagesOfText } from "../../messages/message-store.ts";
import type { Correction } from "./correction.ts";
import { insertCorrections } from "./correction-store.ts";

const ATTEMPTS_MAX = 5;

/**
 * Runs a transaction that saves corrections. Like a step, it may not come between the parts of a replay, and what it
 * queues goes before the backlog. Unlike a step it is not repeated after a crash, so its commit waits for the disk.
 */
export async function runCorrection<Result>(
  pool: DatabasePool,
  work: (tx: Database) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await pool.transaction(async (tx) => {
        await beginStep(tx, "fresh");
        await tx.execute(sql`set local synchronous_commit to on`);
        return work(tx);
      });
    } catch (error) {
      if (!isConflict(error) || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

/**
 * Saves corrections and queues all messages with their texts. Returns how many messages these are.
 *
 * Invariant: every message is read with the corrections, even one that arrives at this moment. The step reads corrections
 * under the listing lock. If it had the lock before this transaction, its message is stored and found here; if after, it
 * sees the corrections. The step locks its queue entries before it takes the lock, so this does the same: it queues the
 * messages first, and under the lock only those that arrived in between.
 */
export async function saveCorrections(
  tx: Database,
  corrections: readonly Correction[],
): Promise<number> {
  if (corrections.length === 0) return 0;
  const identities = [...new Set(corrections.map(({ identity_sha256 }) => identity_sha256))];
  const queued = await queueTexts(tx, identities, new Set());
  await takeLock(tx, "listings");
  await insertCorrections(tx, corrections);
  return (await queueTexts(tx, identities, queued)).size;
}

async function queueTexts(
  tx: Database,
  identities: readonly string[],
  queued: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const identity of identities)
    for (const id of await findMessagesOfText(tx, identity)) found.add(id);
  const ids = [...found].filter((id) => !queued.has(id));
  // They have no alert window of their own: a listing that is still fresh may fire as a buy.
  if (ids.length > 0) await queueMessages(tx, ids, NO_WINDOWS);
  return found;
}
