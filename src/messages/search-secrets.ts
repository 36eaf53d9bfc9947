import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { DatabasePool } from "../db/database.ts";
import { beginStep } from "../db/queue.ts";
import { listBodies, rewriteBody } from "../intake/raw-event-store.ts";
import {
  finishSecretSearch,
  isSecretSearchDue,
  moveSecretSearch,
  takeSecretSearch,
} from "../intake/secret-search-store.ts";
import { leaveOutSecrets } from "./gateways/waha-kept.ts";

interface SearchOptions {
  readonly batchMax: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Searches a page of the events that an earlier version stored, and rewrites bodies with secrets of the gateway: what is stored is then what
 * this version would have stored. Of what cannot be read that is the reason. Nothing else changes, and a replay reads the same.
 */
export async function searchSecrets(
  pool: DatabasePool,
  { batchMax, clock, log }: SearchOptions,
): Promise<{ readonly takenCount: number }> {
  const nowMs = clock.nowMs();
  // Nearly always, and one query costs less than a transaction.
  if (!(await isSecretSearchDue(pool, nowMs))) return { takenCount: 0 };
  return pool.transaction(async (tx) => {
    await beginStep(tx);
    const search = await takeSecretSearch(tx, nowMs);
    if (search === undefined) return { takenCount: 0 };
    const events = await listBodies(tx, {
      afterId: search.afterId,
      lastId: Number.MAX_SAFE_INTEGER,
      limit: batchMax,
      gateway: "waha",
    });
    let rewrittenCount = search.rewrittenCount;
    for (const { id, body: was } of events) {
      if (was === null) continue;
      const { body } = leaveOutSecrets(was);
      if (body === was) continue;
      await rewriteBody(tx, { id, was, body });
      rewrittenCount += 1;
    }
    const last = events.at(-1);
    if (last !== undefined)
      await moveSecretSearch(tx, { ...search, afterId: last.id, rewrittenCount });
    else {
      await finishSecretSearch(tx, search);
      log.info({ rewrittenCount }, "the stored events have no secrets of the gateway any more");
    }
    return { takenCount: events.length };
  });
}
