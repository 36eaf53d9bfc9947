import type { Clock } from "./clock.ts";

export interface KeptAnswer<Answer> {
  find(): Promise<Answer>;
}

/**
 * Keeps the answer of a costly read for `ageMaxMs`. Requests that come while it is being read wait for the same read. A
 * failure is not kept.
 */
export function createKeptAnswer<Answer>(options: {
  readonly clock: Clock;
  readonly ageMaxMs: number;
  readonly load: () => Promise<Answer>;
}): KeptAnswer<Answer> {
  const { clock, ageMaxMs, load } = options;
  let kept: { readonly answer: Promise<Answer>; readonly atMs: number } | undefined;
  return {
    find: () => {
      const nowMs = clock.elapsedMs();
      if (kept !== undefined && nowMs - kept.atMs < ageMaxMs) return kept.answer;
      const started = { answer: load(), atMs: nowMs };
      kept = started;
      started.answer.catch(() => {
        if (kept === started) kept = undefined;
      });
      return started.answer;
    },
  };
}
