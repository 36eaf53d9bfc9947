/** From values to pixels: scales, their ticks, and the lines of values that hold until the next one. */
import { DAY_MS } from "../../words/formats.ts";

/** Where the values of a chart are drawn, in pixels of its SVG. */
export interface Plot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Tick {
  readonly at: number;
  readonly label: string;
}

/** A chart has one for each direction. */
export type Scale = (value: number) => number;

/** A value that holds until the next one. Where there is none, the line has a gap. */
interface StepValue {
  readonly x: number;
  readonly y: number | undefined;
}

interface StepRange {
  readonly x: number;
  readonly low: number | undefined;
  readonly high: number | undefined;
}

const ROUND_STEPS = [1, 2, 5, 10];

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
  const step = power * (ROUND_STEPS.find((each) => each * power >= rough) ?? 10);
  const ticks: number[] = [];
  for (let at = Math.ceil(low / step); at * step <= high; at += 1) ticks.push(at * step);
  return ticks;
}

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

/** A line, as a path of SVG. The last value holds until `endX`. */
export function stepLine(values: readonly StepValue[], endX: number): string {
  const parts: string[] = [];
  let isDrawing = false;
  for (const [at, { x, y }] of values.entries()) {
    if (y !== undefined) {
      parts.push(isDrawing ? `V${round(y)}` : `M${round(x)} ${round(y)}`);
      parts.push(`H${round(values[at + 1]?.x ?? endX)}`);
    }
    isDrawing = y !== undefined;
  }
  return parts.join("");
}

/** The area between two such lines. */
export function stepBand(ranges: readonly StepRange[], endX: number): string {
  const parts: string[] = [];
  let back: string[] = [];
  const close = (): void => {
    if (back.length > 0) parts.push(...back.toReversed(), "Z");
    back = [];
  };
  for (const [at, { x, low, high }] of ranges.entries()) {
    if (low === undefined || high === undefined) {
      close();
      continue;
    }
    const nextX = ranges[at + 1]?.x ?? endX;
    parts.push(back.length > 0 ? `V${round(high)}` : `M${round(x)} ${round(high)}`);
    parts.push(`H${round(nextX)}`);
    // Read from its end: down to the lower line, and along it to the start.
    back.push(`V${round(low)}H${round(x)}`);
  }
  close();
  return parts.join("");
}

/** A tenth of a pixel is enough. */
function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
