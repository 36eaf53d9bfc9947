/** From values to pixels. A chart has one scale for each direction. */
export type Scale = (value: number) => number;

/** The first bound of `values` lies at the first of `pixels`. Values beyond the bounds lie beyond the pixels. */
export function linearScale(range: {
  readonly values: readonly [number, number];
  readonly pixels: readonly [number, number];
}): Scale {
  const [from, to] = range.values;
  const [start, end] = range.pixels;
  const factor = from === to ? 0 : (end - start) / (to - from);
  return (value) => start + (value - from) * factor;
}

/** Round values within the bounds, about `count` of them: multiples of 1, 2 or 5 times a power of ten. */
export function roundTicks(low: number, high: number, count: number): readonly number[] {
  if (!(high > low)) return [low];
  const rough = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (STEPS.find((each) => each * power >= rough) ?? 10);
  const ticks: number[] = [];
  for (let at = Math.ceil(low / step); at * step <= high; at += 1) ticks.push(at * step);
  return ticks;
}

const STEPS = [1, 2, 5, 10];

/** Midnights of the reader within the bounds, the same number of days apart, about `count` of them. */
export function dayTicks(fromMs: number, toMs: number, count: number): readonly number[] {
  const days = Math.max(1, Math.round((toMs - fromMs) / DAY_MS / Math.max(1, count)));
  const ticks: number[] = [];
  const day = new Date(toMs);
  day.setHours(0, 0, 0, 0);
  // A day may have 23 hours, so it is the calendar that steps.
  while (day.getTime() >= fromMs) {
    ticks.unshift(day.getTime());
    day.setDate(day.getDate() - days);
  }
  return ticks;
}

const DAY_MS = 86_400_000;
