import { DAY_MS, HOUR_MS, MINUTE_MS } from "../base/clock.ts";

interface StretchRule {
  /** For stretches that end so long before the end of the market. */
  readonly withinMs: number;
  readonly lengthMs: number;
  /** One with fewer events is joined to the next: each costs time, and a small market would have many almost empty ones. */
  readonly eventsMin: number;
}

/** The nearest to the end first. */
const RULES: readonly StretchRule[] = [
  { withinMs: 6 * HOUR_MS, lengthMs: 30 * MINUTE_MS, eventsMin: 8 },
  { withinMs: DAY_MS, lengthMs: 3 * HOUR_MS, eventsMin: 8 },
  { withinMs: 30 * DAY_MS, lengthMs: DAY_MS, eventsMin: 60 },
];

/** A stretch of time in which the demo lives through its market. */
interface Stretch<Event> {
  readonly endMs: number;
  readonly events: readonly Event[];
}

/**
 * The stretches in which the demo lives through its market, oldest first: prices are calculated and alerts fire at the end
 * of each, as they would have. What is older than a month is one stretch, because its messages only make prices.
 *
 * Example: a full market of 90 days has stretches of 60 days, 29 times a day, 6 times three hours, and 12 times half an hour.
 */
export function listStretches<Event extends { readonly atMs: number }>(
  events: readonly Event[],
  range: { readonly fromMs: number; readonly toMs: number },
): readonly Stretch<Event>[] {
  const stretches: Stretch<Event>[] = [];
  let open: Event[] = [];
  let next = 0;
  for (const { endMs, eventsMin } of listEnds(range)) {
    for (; next < events.length; next += 1) {
      const event = events[next];
      if (event === undefined || event.atMs >= endMs) break;
      open.push(event);
    }
    if (open.length < eventsMin && endMs < range.toMs) continue;
    stretches.push({ endMs, events: open });
    open = [];
  }
  return stretches;
}

function listEnds(range: { readonly fromMs: number; readonly toMs: number }) {
  const ends: { endMs: number; eventsMin: number }[] = [];
  let endMs = range.toMs;
  for (const { withinMs, lengthMs, eventsMin } of RULES) {
    for (; endMs > range.toMs - withinMs && endMs > range.fromMs; endMs -= lengthMs)
      ends.push({ endMs, eventsMin });
  }
  if (endMs > range.fromMs) ends.push({ endMs, eventsMin: 1 });
  return ends.reverse();
}
