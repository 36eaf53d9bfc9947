import { times } from "../words/formats.ts";
import { words } from "../words/words.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `2 min`, `3 h`, `5 d`. A time in the future is now: clocks differ. */
export function formatAge(ageMs: number): string {
  if (ageMs < 1_000) return words.age.now;
  if (ageMs < MINUTE_MS) return words.age.seconds(Math.floor(ageMs / 1_000));
  if (ageMs < HOUR_MS) return words.age.minutes(Math.floor(ageMs / MINUTE_MS));
  if (ageMs < 2 * DAY_MS) return words.age.hours(Math.floor(ageMs / HOUR_MS));
  return words.age.days(Math.floor(ageMs / DAY_MS));
}

/** `5 Mar 2026, 23:05` */
export const formatTime = times({ dateStyle: "medium", timeStyle: "short" });
