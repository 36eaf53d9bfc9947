/**
 * Tells a slow statement from a lost one. A server that vanishes without a word, or an answer that a network lost, is not
 * noticed on the connection itself, and a statement that may take an hour cannot have a short time-out for its answer. So
 * a connection that has waited for `intervalMs` asks, again and again, whether the server still works for it.
 *
 * The connections of a pool share one watch. If one of them was lost, its idle neighbours are closed too, because the same
 * fault may have taken them, and each would be noticed only after another wait.
 */
export interface ServerWatch {
  readonly intervalMs: number;
  /** False if the server cannot be reached, does not know the process, or is waiting for a statement itself. */
  isWorking(processId: number): Promise<boolean>;
  add(connection: WatchedConnection): void;
  remove(connection: WatchedConnection): void;
  /** Called when a connection was found to be lost. */
  closeIdle(): void;
}

export interface WatchedConnection {
  /** True between transactions, while no answer is awaited. */
  readonly isIdle: boolean;
  destroy(): void;
}

/** Waits for the answers on one connection. They come in the order of the statements. */
export interface AnswerTimer {
  readonly isWaiting: boolean;
  add(timeoutMs: number): void;
  /** The oldest statement has its answer. */
  shift(): void;
}

/** A single failed check may be a lost packet. */
const DOUBTS_MAX = 2;

/**
 * The time-out counts from the moment at which a statement is the oldest without an answer. (The driver's own time-out
 * counts from sending, and would destroy a healthy connection with a long queue.)
 */
export function createAnswerTimer(options: {
  readonly watch: ServerWatch | undefined;
  readonly processId: () => number;
  readonly onLost: (reason: string) => void;
}): AnswerTimer {
  const { watch, processId, onLost } = options;
  /** Of the statements without an answer, oldest first. */
  const timeoutsMs: number[] = [];
  let timer: NodeJS.Timeout | undefined;
  let answerCount = 0;
  let doubtCount = 0;
  let isChecking = false;

  const waitForOldest = (): void => {
    clearTimeout(timer);
    doubtCount = 0;
    const [timeoutMs] = timeoutsMs;
    if (timeoutMs !== undefined) wait(timeoutMs, timeoutMs);
  };
  const wait = (leftMs: number, timeoutMs: number): void => {
    const waitMs = Math.min(leftMs, watch?.intervalMs ?? leftMs);
    timer = setTimeout(() => {
      if (leftMs === waitMs) {
        expire(timeoutMs);
        return;
      }
      wait(leftMs - waitMs, timeoutMs);
      if (watch !== undefined) void check(watch);
    }, waitMs);
  };
  // After a pause of this process, timers run before its sockets are read, and the answer may have arrived long ago.
  const expire = (timeoutMs: number): void => {
    const expiredCount = answerCount;
    setImmediate(() => {
      if (expiredCount === answerCount) onLost(`the store did not answer within ${timeoutMs} ms`);
    });
  };
  const check = async ({ isWorking }: ServerWatch): Promise<void> => {
    if (isChecking) return;
    isChecking = true;
    const checkedCount = answerCount;
    const isServed = await isWorking(processId());
    isChecking = false;
    if (checkedCount !== answerCount) return;
    doubtCount = isServed ? 0 : doubtCount + 1;
    if (doubtCount === DOUBTS_MAX) onLost("the store no longer works on the statement");
  };
  return {
    get isWaiting() {
      return timeoutsMs.length > 0;
    },
    add: (timeoutMs) => {
      timeoutsMs.push(timeoutMs);
      if (timeoutsMs.length === 1) waitForOldest();
    },
    shift: () => {
      timeoutsMs.shift();
      answerCount += 1;
      waitForOldest();
    },
  };
}
