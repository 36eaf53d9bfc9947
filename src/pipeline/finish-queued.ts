import { sleep } from "../base/sleep.ts";
import { type PassOptions, runPass } from "./run-pass.ts";
import type { StepContext } from "./step.ts";
import { STEPS } from "./steps.ts";

/** How often to check whether another process has finished the last items. */
const POLL_MS = 100;

/**
 * Returns when everything that is queued now is processed, with all that follows from it, by this process or another. It does not wait
 * for what arrives later, so it ends under steady traffic too.
 *
 * Invariant: a step moves work to the queues of later steps only, and an item stays visible in its queue until the commit
 * that processes it. So a queue whose rows up to a mark are gone has passed on all that was before the mark.
 *
 * Example: an import has stored events 1 to 900, and a service processes the last of them. Events up to 900 are waited for;
 * event 901, which a gateway posts meanwhile, is not. Then the messages queued up to that moment are waited for, and so on.
 */
export async function finishQueued(
  context: StepContext,
  { steps = STEPS, ...options }: Partial<PassOptions> = {},
): Promise<void> {
  for (const { waiting } of steps) {
    const last = await waiting.last(context.pool);
    while (await waiting.isUpTo(context.pool, last)) {
      const takenCount = await runPass(context, { ...options, steps });
      if (takenCount === 0) await sleep(POLL_MS);
    }
  }
}
