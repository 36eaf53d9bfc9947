/**
 * The tests of the console run at a fixed time of a fixed day, so that the demo market is the same at every hour. `shiftClock` moves the
 * wall clock of this process, `SHIFTED` that of a service, and `SHIFT_SCRIPT` that of a page.
 *
 * All processes of a run have the same offset, because they share one demo market. Time goes on from there. Only the database server keeps its
 * own time; it says no more than how long a row has been queued.
 */
import type { Clock } from "../../../src/base/clock.ts";

/** A Monday, when dealers have just begun. */
const START_MS = Date.UTC(2026, 10, 16, 9, 30);
const OFFSET_NAME = "TEST_CLOCK_OFFSET_MS";
const PRELOAD_NAME = "TEST_SHIFTS_CLOCK";

const RealDate = globalThis.Date;
// The first process of a run decides.
process.env[OFFSET_NAME] ??= String(START_MS - RealDate.now());
const offsetMs = Number(process.env[OFFSET_NAME]);

export const shiftedClock: Clock = {
  nowMs: () => RealDate.now() + offsetMs,
  elapsedMs: () => performance.now(),
};

export function shiftClock(): void {
  globalThis.Date = new Proxy(RealDate, {
    construct: (date, values, type) =>
      Reflect.construct(date, values.length === 0 ? [shiftedClock.nowMs()] : values, type),
    get: (date, name) => (name === "now" ? shiftedClock.nowMs : Reflect.get(date, name)),
  });
}

/** The environment of a program that shall have the same time: it loads this module first. */
export const SHIFTED: Readonly<Record<string, string>> = {
  [OFFSET_NAME]: String(offsetMs),
  [PRELOAD_NAME]: "1",
  NODE_OPTIONS: `--import=${import.meta.url}`,
};

if (process.env[PRELOAD_NAME] === "1") shiftClock();

/** The same for a page, as text, because the tests are compiled without the types of a browser. */
export const SHIFT_SCRIPT = `{
  const RealDate = Date;
  const nowMs = () => RealDate.now() + ${offsetMs};
  globalThis.Date = new Proxy(RealDate, {
    construct: (date, values, type) => Reflect.construct(date, values.length === 0 ? [nowMs()] : values, type),
    get: (date, name) => (name === "now" ? nowMs : Reflect.get(date, name)),
  });
}`;
