import { setTimeout as delay } from "node:timers/promises";
import { OperatorError } from "./errors.ts";

/** The only code that reads the time. Tests pass a clock that they set themselves. */
export interface Clock {
  /** Milliseconds since 1970, UTC. For times that are stored or shown: it can jump when the clock is set. */
  nowMs(): number;
  /** Milliseconds since some moment before. For durations: it never jumps or goes back. */
  elapsedMs(): number;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
};

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Midnight UTC of the day that the time lies in. */
export function dayStartOf(atMs: number): number {
  return atMs - (atMs % DAY_MS);
}

/** Waits for `durationMs`. Returns early, without an error, if the signal is aborted. */
export async function sleep(durationMs: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(durationMs, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  }
}

/** Returns the answer, or throws if it takes longer than `timeoutMs`. The work itself is not cancelled. */
export function withDeadline<Answer>(
  answer: PromiseLike<Answer>,
  timeoutMs: number,
): Promise<Answer> {
  return new Promise((settle, reject) => {
    const timer = setTimeout(() => reject(new DeadlineError(timeoutMs)), timeoutMs);
    answer.then(settle, reject).then(() => clearTimeout(timer));
  });
}

class DeadlineError extends Error {
  readonly code = "ETIMEDOUT";

  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`);
    this.name = "DeadlineError";
  }
}

/** A date and time as clocks show it, without its zone. `month` counts from 1. */
export interface LocalTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/**
 * Returns the UTC time of a local time in a zone such as `Europe/Berlin`.
 *
 * When clocks change, one local time can stand for no instant or for two. The rule is "compatible" of
 * Temporal: a skipped time moves forward by the length of the gap, a repeated time is the first of its two instants.
 * `previousMs` is the time of the message before, if the messages are in order of time. A repeated time whose first
 * instant lies before `previousMs` is the second one: in Berlin, 02:50 and then 02:10 on 25 October 2026 are
 * 00:50 and 01:10 UTC.
 */
export function utcConverterFor(
  timeZone: string,
): (local: LocalTime, previousMs?: number) => number {
  const format = formatterOf(timeZone);
  return ({ year, month, day, hour, minute, second }, previousMs) => {
    const asUtcMs = Date.UTC(year, month - 1, day, hour, minute, second);
    // No offset is more than 14 hours, and a zone does not change its clocks twice within two days. So these are the
    // only two offsets that can apply.
    const offsetBeforeMs = offsetAt(format, asUtcMs - DAY_MS);
    const offsetAfterMs = offsetAt(format, asUtcMs + DAY_MS);
    const byOffsetBefore = asUtcMs - offsetBeforeMs;
    const byOffsetAfter = asUtcMs - offsetAfterMs;
    if (offsetBeforeMs === offsetAfterMs) return byOffsetBefore;
    const isAfter = offsetAt(format, byOffsetAfter) === offsetAfterMs;
    const isBefore = offsetAt(format, byOffsetBefore) === offsetBeforeMs;
    if (!isAfter) return byOffsetBefore; // Also a skipped time: the smaller offset moves it past the gap.
    if (!isBefore) return byOffsetAfter;
    return previousMs !== undefined && byOffsetBefore < previousMs ? byOffsetAfter : byOffsetBefore;
  };
}

/** Returns a function that finds how far the clocks of a zone are ahead of UTC at a time, in milliseconds. */
export function offsetFinderFor(timeZone: string): (atMs: number) => number {
  const format = formatterOf(timeZone);
  // The format shows whole seconds.
  return (atMs) => offsetAt(format, Math.floor(atMs / 1000) * 1000);
}

export function isTimeZone(text: string): boolean {
  try {
    formatterOf(text);
    return true;
  } catch {
    // Intl throws for a zone that it does not know.
    return false;
  }
}

function offsetAt(format: Intl.DateTimeFormat, atMs: number): number {
  const parts = Object.fromEntries(
    format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]),
  );
  const localMs = Date.UTC(
    parts["year"] ?? 0,
    (parts["month"] ?? 1) - 1,
    parts["day"],
    parts["hour"],
    parts["minute"],
    parts["second"],
  );
  return localMs - atMs;
}

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  } catch (cause) {
    throw new OperatorError(
      `there is no time zone "${timeZone}"; use an IANA name such as Europe/Berlin`,
      cause,
    );
  }
}
