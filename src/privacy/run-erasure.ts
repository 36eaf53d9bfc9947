import { OperatorError } from "../base/errors.ts";
import { sleep } from "../base/sleep.ts";
import { whileLocked } from "../db/locks.ts";
import { makeErasureKey, queueErasures } from "../messages/erasure/erased-store.ts";
import { type ErasureContext, erasePersons, isErasureDue } from "./erase-persons.ts";

/** A worker holds the lock for one batch. */
const ATTEMPTS_MAX = 600;
const ATTEMPT_MS = 100;

/** Erases the person, and whatever else is queued. Returns how many raw events were rewritten. */
export async function runErasure(
  context: ErasureContext,
  identifier: string,
  onEvents: (count: number) => void,
): Promise<number> {
  await context.pool.transaction(async (tx) => {
    await makeErasureKey(tx);
    await queueErasures(tx, [identifier]);
  });
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const done = await whileLocked(context.pool, "erasure", () => eraseAll(context, onEvents));
    if (done !== undefined) return done.result;
    await sleep(ATTEMPT_MS);
  }
  throw new OperatorError("another erasure is under way; this one is queued and will follow it");
}

async function eraseAll(
  context: ErasureContext,
  onEvents: (count: number) => void,
): Promise<number> {
  let count = 0;
  while (await isErasureDue(context.pool)) {
    const { searchedCount, rewrittenCount } = await erasePersons(context, { isOurs: true });
    onEvents(searchedCount);
    count += rewrittenCount;
  }
  return count;
}
