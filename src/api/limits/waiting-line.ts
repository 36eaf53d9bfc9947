import { AppError } from "../../base/errors.ts";

/** Lets few callers work at a time. The others wait in line, in the order in which they came, the urgent ones first. */
interface WaitingLine {
  /** Waits for a place, and returns the function that gives it back. Throws `overloaded` if that takes too long. */
  enter(options?: { readonly isUrgent?: boolean }): Promise<() => void>;
  /** How many wait now. */
  waitingCount(): number;
}

interface WaitingLineOptions {
  readonly runningMax: number;
  readonly waitMaxMs: number;
  /** The same for urgent callers, if they wait for another time. */
  readonly urgentWaitMaxMs?: number;
  /** What a caller is told for whom there is no place. */
  readonly refusal: string;
}

const WAITING_MAX = 100;

export function createWaitingLine({
  runningMax,
  waitMaxMs,
  urgentWaitMaxMs = waitMaxMs,
  refusal,
}: WaitingLineOptions): WaitingLine {
  const urgent = new Set<() => void>();
  const others = new Set<() => void>();
  let runningCount = 0;
  const waitingCount = (): number => urgent.size + others.size;
  const leave = (): void => {
    const [next] = urgent.size > 0 ? urgent : others;
    if (next === undefined) runningCount -= 1;
    else next();
  };
  return {
    enter: async ({ isUrgent = false } = {}) => {
      if (runningCount < runningMax) {
        runningCount += 1;
        return leave;
      }
      const waiting = isUrgent ? urgent : others;
      if (waitingCount() >= WAITING_MAX) throw new AppError("overloaded", refusal);
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(
          () => {
            waiting.delete(start);
            reject(new AppError("overloaded", refusal));
          },
          isUrgent ? urgentWaitMaxMs : waitMaxMs,
        );
        const start = (): void => {
          clearTimeout(timer);
          waiting.delete(start);
          resolve();
        };
        waiting.add(start);
      });
      return leave;
    },
    waitingCount,
  };
}
