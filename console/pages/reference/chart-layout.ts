/** Where everything in the chart of a cell lies. Pure, so that a test can look at it without a browser. */
import type { PopulationAsk } from "../../../client/assay-client.ts";
import { DAY_MS, formatAmount, formatDay } from "../../words/formats.ts";
import type { SeriesPoint } from "./cell-prices.ts";
import {
  dayTicks,
  linearScale,
  type Plot,
  roundTicks,
  type Scale,
  type Tick,
} from "./chart-scale.ts";

export interface PlacedAsk {
  readonly ask: PopulationAsk;
  readonly x: number;
  /** Of the comparable ask, which is what counts. */
  readonly y: number;
  /** Where the arrow of the mark-up begins; undefined in the EU. */
  readonly originalY: number | undefined;
  /** An ask far from the others is drawn at the edge, so that they do not shrink to a line. */
  readonly beyond: "above" | "below" | undefined;
}

export interface ChartLayout {
  readonly width: number;
  readonly height: number;
  readonly plot: Plot;
  readonly x: Scale;
  readonly y: Scale;
  readonly valueTicks: readonly Tick[];
  readonly timeTicks: readonly Tick[];
  /** Oldest first. */
  readonly asks: readonly PlacedAsk[];
}

const NARROW = 520;
/** How far an ask may stretch the chart beyond what counts, as a share of its height. */
const STRETCH = 0.6;
const DIGIT_WIDTH = 7;
/** Room for half a dot. */
const EDGE = 8;

export function layOutChart(options: {
  readonly asks: readonly PopulationAsk[];
  readonly series: readonly SeriesPoint[];
  readonly nowMs: number;
  /** The chart begins no earlier. */
  readonly fromMs?: number;
  readonly width: number;
}): ChartLayout {
  const { nowMs, width } = options;
  const isNarrow = width < NARROW;
  const height = isNarrow ? 280 : 340;
  const values = findValues(options);
  const labels = roundTicks(values[0], values[1], 5).map((at) => ({
    at,
    label: formatAmount({ minor: at, currency: "EUR" }),
  }));
  const labelWidth = Math.max(...labels.map(({ label }) => label.length)) * DIGIT_WIDTH;
  const plot = { left: labelWidth + 12, right: width - 14, top: 22, bottom: height - 26 };
  const fromMs = Math.max(findStart(options), options.fromMs ?? 0);
  const x = linearScale({ values: [fromMs, nowMs], pixels: [plot.left + EDGE, plot.right - EDGE] });
  const y = linearScale({ values, pixels: [plot.bottom, plot.top] });
  const ticks = dayTicks(fromMs, nowMs, isNarrow ? 3 : 6).filter((at) => x(at) < plot.right - 56);
  return {
    width,
    height,
    plot,
    x,
    y,
    valueTicks: labels,
    timeTicks: ticks.map((at) => ({ at, label: formatDay(at) })),
    asks: options.asks.map((ask) => placeAsk(ask, { plot, x, y, nowMs })).toSorted(byTime),
  };
}

function byTime(left: PlacedAsk, right: PlacedAsk): number {
  return left.ask.last_seen_at_ms - right.ask.last_seen_at_ms || left.y - right.y;
}

function placeAsk(
  ask: PopulationAsk,
  chart: Pick<ChartLayout, "plot" | "x" | "y"> & { readonly nowMs: number },
): PlacedAsk {
  const { top, bottom } = chart.plot;
  const within = (y: number): number => Math.min(Math.max(y, top), bottom);
  const y = chart.y(ask.comparable_ask_eur_minor);
  const hasMarkup = ask.original_ask_eur_minor !== ask.comparable_ask_eur_minor;
  return {
    ask,
    x: chart.x(Math.min(ask.last_seen_at_ms, chart.nowMs)),
    y: within(y),
    originalY: hasMarkup ? within(chart.y(ask.original_ask_eur_minor)) : undefined,
    beyond: y < top ? "above" : y > bottom ? "below" : undefined,
  };
}

/** From the first thing that there is to see. */
function findStart(options: {
  readonly asks: readonly PopulationAsk[];
  readonly series: readonly SeriesPoint[];
  readonly nowMs: number;
}): number {
  const times = [
    ...options.asks.map(({ last_seen_at_ms }) => last_seen_at_ms),
    ...options.series
      .filter(({ status }) => status !== "gone")
      .map(({ calculated_at_ms }) => calculated_at_ms),
  ];
  return Math.min(options.nowMs - 2 * DAY_MS, ...times);
}

/** All that counts, and other asks as far as they do not push it together. */
function findValues(options: {
  readonly asks: readonly PopulationAsk[];
  readonly series: readonly SeriesPoint[];
}): readonly [number, number] {
  const counted = options.asks.filter(({ role }) => role === "counted");
  const lines = options.series.flatMap((point) => [
    point.market_average_eur_minor,
    point.maximum_buy_eur_minor,
  ]);
  const core = [...counted.flatMap(toAmounts), ...lines].filter((value) => value !== undefined);
  const all = options.asks.flatMap(toAmounts);
  if (core.length === 0) core.push(...plausible(all));
  const low = Math.min(...core);
  const high = Math.max(...core);
  const stretch = (high - low) * STRETCH;
  const near = all.filter((value) => value >= low - stretch && value <= high + stretch);
  const lowest = Math.min(low, ...near);
  const highest = Math.max(high, ...near);
  const room = Math.max(1_00, (highest - lowest) * 0.06, highest * 0.002);
  return [Math.max(0, lowest - room), highest + room];
}

/** Without a price, everything but what was most likely misread. */
function plausible(values: readonly number[]): readonly number[] {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return sorted.filter((value) => value >= middle / 2 && value <= middle * 2);
}

function toAmounts(ask: PopulationAsk): readonly number[] {
  return [ask.comparable_ask_eur_minor, ask.original_ask_eur_minor];
}
