import { DAY_MS, HOUR_MS, isTimeZone, MINUTE_MS, offsetFinderFor } from "../../base/clock.ts";

/** `from` and `to` are times of day such as `22:00`; `to` before `from` means the next morning. */
export interface QuietHours {
  readonly from: string;
  readonly to: string;
  /** An IANA name such as `Europe/Berlin`. */
  readonly time_zone: string;
}

const TIME_OF_DAY = /^([01]\d|2[0-3]):([0-5]\d)$/;

/** Returns the member that is wrong and why; undefined if the hours can be used. */
export function findQuietHoursProblem(
  quiet: QuietHours,
): { readonly member: keyof QuietHours; readonly text: string } | undefined {
  for (const member of ["from", "to"] as const) {
    if (!TIME_OF_DAY.test(quiet[member])) {
      return { member, text: 'must be a time of day such as "22:00"' };
    }
  }
  if (quiet.from === quiet.to) return { member: "to", text: "must differ from `from`" };
  if (!isTimeZone(quiet.time_zone)) {
    return { member: "time_zone", text: "must be an IANA time zone such as Europe/Berlin" };
  }
  return undefined;
}

/** Clocks change at most twice within one night, even where a zone moves to another offset. */
const CHANGES_MAX = 4;

/**
 * If it is quiet at `nowMs`, returns when that ends; otherwise undefined. It is quiet while the clock on the wall shows `from`
 * or later and not yet `to`.
 *
 * When clocks change, the wall clock decides. Example: 22:00 to 02:30 in Berlin ends at 03:00 on the night on which 02:00 to
 * 03:00 is skipped, because the clock then shows a time after 02:30.
 */
export function quietUntilMs(quiet: QuietHours, nowMs: number): number | undefined {
  const offsetAt = offsetFinderFor(quiet.time_zone);
  const [fromMs, toMs] = [toTimeOfDayMs(quiet.from), toTimeOfDayMs(quiet.to)];
  const timeOfDay = (atMs: number): number => modulo(atMs + offsetAt(atMs), DAY_MS);
  const isQuiet = (atMs: number): boolean =>
    modulo(timeOfDay(atMs) - fromMs, DAY_MS) < modulo(toMs - fromMs, DAY_MS);
  if (!isQuiet(nowMs)) return undefined;
  let atMs = nowMs;
  for (let change = 0; change < CHANGES_MAX && isQuiet(atMs); change += 1) {
    const endMs = atMs + modulo(toMs - timeOfDay(atMs), DAY_MS);
    atMs = findOffsetChange(offsetAt, atMs, endMs) ?? endMs;
  }
  return atMs;
}

/** Returns the first millisecond after `fromMs`, up to `toMs`, at which the offset differs. No zone changes twice in a day. */
function findOffsetChange(
  offsetAt: (atMs: number) => number,
  fromMs: number,
  toMs: number,
): number | undefined {
  const before = offsetAt(fromMs);
  if (offsetAt(toMs) === before) return undefined;
  let [low, high] = [fromMs, toMs];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

function toTimeOfDayMs(text: string): number {
  const [hours = 0, minutes = 0] = text.split(":").map(Number);
  return hours * HOUR_MS + minutes * MINUTE_MS;
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
