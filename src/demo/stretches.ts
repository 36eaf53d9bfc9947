import { DAY_MS, HOUR_MS, MINUTE_MS } from "../base/time.ts";

/** How long a stretch is, by how long before the end of the market it ends. The nearest first. */
const STRETCHES: readonly { readonly withinMs: number; readonly lengthMs: number }[] = [
  { withinMs: 6 * HOUR_MS, lengthMs: 30 * MINUTE_MS },
  { withinMs: DAY_MS, lengthMs: 3 * HOUR_MS },
  { withinMs: 30 * DAY_MS, lengthMs: DAY_MS },
];

/**
 * The ends of the stretches of time in which the demo lives through its market, oldest first: prices are calculated and
 * alerts fire at the end of each, as they would have. What is older than a month is one stretch, because its messages only
 * make prices.
 *
 * Example: a market of 90 days has stretches of 60 days, 29 times a day, 6 times three hours, and 12 times half an hour.
 */
export function listStretchEnds(range: {
  readonly fromMs: number;
  readonly toMs: number;
}): readonly number[] {
  const ends: number[] = [];
  let endMs = range.toMs;
  for (const { withinMs, lengthMs } of STRETCHES) {
    for (; endMs > range.toMs - withinMs && endMs > range.fromMs; endMs -= lengthMs)
      ends.push(endMs);
  }
  if (endMs > range.fromMs) ends.push(endMs);
  return ends.reverse();
}
