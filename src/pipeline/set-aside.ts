import { MINUTE_MS } from "../base/clock.ts";
import { toReason } from "../base/errors.ts";
import { beginStep, runOneByOne } from "../db/queue.ts";
import { isItemFault } from "../db/store-error.ts";
import {
  RETRY_MAX_MS,
  type SetAsideItem,
  saveSetAsideItem,
  takeSetAsideItems,
  type WantedItems,
} from "./set-aside-store.ts";
import type { ItemQueue, Step, StepContext, StepReport } from "./step.ts";

/**
 * One bad item must not stop its queue. If a batch fails, its items run one by one. An item that fails on its own leaves
 * the queue and is stored with its row and the reason. It is tried again after a minute, then after ever longer times, and
 * whenever the operator asks for it.
 *
 * Invariant: an item is in its queue or set aside, never in neither. Both change in one transaction.
 *
 * Example: match request 7 of 500 violates a constraint. The batch is rolled back, 499 requests are matched one by one, and
 * number 7 is set aside. The next batch runs as a whole again.
 */

const RETRY_MIN_MS = MINUTE_MS;
const RETRY_FACTOR = 4;
const RETRIED_MAX = 100;

/** A step whose failing items are set aside. */
export function setsAside(step: QueuedStep): Step {
  return {
    ...step,
    run: async (context, batch) => {
      try {
        return await step.run(context, batch);
      } catch (error) {
        if (!isItemFault(error)) throw error;
        return runOneByOne(await step.queue.list(context.pool, batch), {
          run: (key) => step.queue.run(context, key),
          setAside: (key, cause) => setAside(context, step, { key, error: cause, attemptCount: 1 }),
        });
      }
    },
  };
}

type QueuedStep = Step & { readonly queue: ItemQueue };

function setAside(
  context: StepContext,
  step: QueuedStep,
  failed: { readonly key: string; readonly error: unknown; readonly attemptCount: number },
): Promise<StepReport> {
  const { key, error, attemptCount } = failed;
  return context.pool.transaction(async (tx) => {
    await beginStep(tx);
    const queue_row = await step.queue.remove(tx, key);
    if (queue_row === undefined) return { takenCount: 0 };
    const nowMs = context.clock.nowMs();
    await saveSetAsideItem(tx, {
      step: step.name,
      key,
      queue_row,
      reason: toReason(error),
      attempt_count: attemptCount,
      set_aside_at_ms: nowMs,
      next_attempt_at_ms: nowMs + retryDelayMs(attemptCount),
    });
    context.log.error(
      { err: error, step: step.name, key, attemptCount },
      "an item failed and was set aside; it is tried again later; see: assay quarantine list",
    );
    return { takenCount: 1 };
  });
}

function retryDelayMs(attemptCount: number): number {
  return Math.min(RETRY_MIN_MS * RETRY_FACTOR ** (attemptCount - 1), RETRY_MAX_MS);
}

/** Tries items again that were set aside. Returns how many were processed and how many failed again. */
export async function retrySetAside(
  context: StepContext,
  steps: readonly Step[],
  wanted: WantedItems,
): Promise<{ readonly doneCount: number; readonly failedCount: number }> {
  const items = await restoreItems(context, steps, wanted);
  let failedCount = 0;
  for (const { step, item } of items) {
    try {
      await step.queue.run(context, item.key);
    } catch (error) {
      // The item is in its queue again, so the next batch tries it.
      if (!isItemFault(error)) throw error;
      await setAside(context, step, {
        key: item.key,
        error,
        attemptCount: item.attempt_count + 1,
      });
      failedCount += 1;
    }
  }
  return { doneCount: items.length - failedCount, failedCount };
}

interface RestoredItem {
  readonly step: QueuedStep;
  readonly item: SetAsideItem;
}

function restoreItems(
  context: StepContext,
  steps: readonly Step[],
  wanted: WantedItems,
): Promise<readonly RestoredItem[]> {
  return context.pool.transaction(async (tx) => {
    await beginStep(tx);
    const restored: RestoredItem[] = [];
    for (const item of await takeSetAsideItems(tx, wanted, RETRIED_MAX)) {
      const step = steps.find(({ name }) => name === item.step);
      // A release without that step has no use for the item.
      if (step === undefined || !hasQueue(step)) continue;
      await step.queue.restore(tx, item.queue_row);
      restored.push({ step, item });
    }
    return restored;
  });
}

function hasQueue(step: Step): step is QueuedStep {
  return step.queue !== undefined;
}
