/**
 * Runs reads that take the store much work, such as figures over the whole market. Few of them run at a time, so that the
 * rest of the service keeps most of the processor; the others wait in line. Callers with the same question share one
 * read, and its answer is kept for a second: no read promises to be newer than that. While many events come in, a place
 * rests after each read, so that the reads take a twentieth of the machine and the events get the rest. While many callers
 * wait, a read is told so, and answers from a smaller sample than usual.
 *
 * Example: two reads may run. A, B and C ask different questions, D asks what A asks. A and B run, C waits, and D gets
 * A's answer. When A is done, C runs. E asks what A asks half a second later and gets A's answer at once.
 */

import type { Clock } from "../../base/clock.ts";
import type { Caller } from "../../base/shares/caller.ts";
import { createSlots } from "../../base/shares/slots.ts";
import type { Database } from "../../db/database.ts";
import { createKept } from "../../db/kept.ts";
import type { Read } from "../../db/reads.ts";

export interface HeavyReads {
  /** `key` identifies the question among all routes. */
  read<Answer>(key: string, ask: AskHeavy<Answer>, caller?: Caller): Promise<Answer>;
}

export type AskHeavy<Answer> = (
  db: Database,
  /** True if many others wait for this one, so that a quick answer is worth more than an exact one. */
  isCrowded: boolean,
) => Promise<Answer>;

interface HeavyReadsOptions {
  readonly read: Read;
  readonly clock: Clock;
  /** True while the machine is needed for something else. */
  readonly isBusy: () => boolean;
}

/** One token has two of them at most. */
const RUNNING_MAX = 3;
const WAIT_MAX_MS = 3_000;
/** A page of the console asks for three figures at most. So many callers are programs, or a whole office. */
const CROWD_MIN = 6;
const AGE_MAX_MS = 1_000;
const KEPT_MAX = 100;
/** So many times as long as the read took. */
const REST_FACTOR = 19;
const REST_MAX_MS = 20_000;

export function createHeavyReads({ read, clock, isBusy }: HeavyReadsOptions): HeavyReads {
  const kept = createKept<unknown>({ age: { clock, maxMs: AGE_MAX_MS }, sizeMax: KEPT_MAX });
  const line = createSlots({
    countMax: RUNNING_MAX,
    things: "figures",
    isFair: true,
    waitMaxMs: WAIT_MAX_MS,
  });
  const run = async <Answer>(
    ask: AskHeavy<Answer>,
    caller: Caller | undefined,
  ): Promise<Answer> => {
    const slot = await line.enter({ key: caller?.key ?? "" });
    const leave = () => line.leave(slot);
    const isCrowded = line.waitingCount() >= CROWD_MIN;
    const startedAtMs = clock.elapsedMs();
    const rest = (): void => {
      const restMs = Math.min((clock.elapsedMs() - startedAtMs) * REST_FACTOR, REST_MAX_MS);
      if (isBusy()) setTimeout(leave, restMs).unref();
      else leave();
    };
    // The place is free when the store has answered, which may be after the caller's deadline. A read that the replica
    // does not answer runs a second time, at the primary.
    let openCount = 1;
    const close = (): void => {
      openCount -= 1;
      if (openCount === 0) rest();
    };
    const asked = read((db) => {
      openCount += 1;
      return ask(db, isCrowded).finally(close);
    }, caller);
    return asked.finally(close);
  };
  return {
    read: <Answer>(key: string, ask: AskHeavy<Answer>, caller?: Caller) =>
      kept.read(key, () => run(ask, caller), caller) as Promise<Answer>,
  };
}
