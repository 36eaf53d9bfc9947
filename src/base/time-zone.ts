import { OperatorError } from "./errors.ts";

export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** Reads times of a zone's clocks, such as `Europe/Berlin`. A time that the clocks skip or repeat is read with the offset before. */
export function wallClockOf(timeZone: string): (wall: WallTime) => number {
  const format = formatterOf(timeZone);
  const offsetAt = (atMs: number): number => {
    const parts = Object.fromEntries(
      format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]),
    );
    const wallMs = Date.UTC(
      parts["year"] ?? 0,
      (parts["month"] ?? 1) - 1,
      parts["day"],
      (parts["hour"] ?? 0) % 24,
      parts["minute"],
      parts["second"],
    );
    return wallMs - atMs;
  };
  return ({ year, month, day, hour, minute, second }) => {
    const asUtcMs = Date.UTC(year, month - 1, day, hour, minute, second);
    const firstGuessMs = asUtcMs - offsetAt(asUtcMs);
    return asUtcMs - offsetAt(firstGuessMs);
  };
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
      `there is no time zone "${timeZone}"; write it as Europe/Berlin`,
      cause,
    );
  }
}
