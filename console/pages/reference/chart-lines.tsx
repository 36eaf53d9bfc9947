/** What lies behind the asks in the chart of a cell: prices as lines, and both axes. */
import type { HistoryMark } from "../../../client/assay-client.ts";
import { formatDay } from "../../words/formats.ts";
import { referenceWords } from "../../words/reference.ts";
import type { SeriesPoint } from "./cell-prices.ts";
import type { ChartLayout } from "./chart-layout.ts";
import { type Plot, type Scale, stepBand, stepLine, type Tick } from "./chart-scale.ts";

interface Priced {
  readonly layout: ChartLayout;
  readonly series: readonly SeriesPoint[];
}

/** Average, the most to pay, and the zone below it. What was worked out afterwards is thin, on a ground of its own. */
export function PriceLines({ layout, series }: Priced) {
  const { plot } = layout;
  const { before, after, startX } = splitAtStart({ layout, series });
  return (
    <g>
      <Lines layout={layout} points={before} endX={startX} basis="backcast" />
      <Lines layout={layout} points={after} endX={plot.right} basis="recorded" />
      {before.length === 0 || after.length === 0 ? null : (
        <line class="chart-divide" x1={startX} x2={startX} y1={plot.top} y2={plot.bottom} />
      )}
    </g>
  );
}

/** The ground of what was worked out afterwards, below everything else, and the names of both parts. */
export function PastGround({ layout, series }: Priced) {
  const { plot } = layout;
  const { before, after, firstX, startX } = splitAtStart({ layout, series });
  return (
    <g>
      {before.length === 0 ? null : (
        <rect
          class="chart-past"
          x={firstX}
          y={plot.top}
          width={startX - firstX}
          height={plot.bottom - plot.top}
        />
      )}
      {before.length === 0 ? null : (
        <PartName from={firstX} to={startX} y={plot.top - 8} text={referenceWords.backcast} />
      )}
      {after.length === 0 ? null : (
        <PartName from={startX} to={plot.right} y={plot.top - 8} text={referenceWords.recorded} />
      )}
    </g>
  );
}

/** The days on which other sets were compared, so that a step in the price is no surprise. */
export function SetsMarks(props: {
  readonly layout: ChartLayout;
  readonly marks: readonly HistoryMark[];
}) {
  const { plot, x } = props.layout;
  return (
    <g>
      {props.marks
        .map((mark) => ({ ...mark, x: x(mark.at_ms) }))
        .filter((mark) => mark.x >= plot.left && mark.x <= plot.right)
        .map((mark) => (
          <line
            key={mark.at_ms}
            class="chart-mark"
            x1={mark.x}
            x2={mark.x}
            y1={plot.top}
            y2={plot.bottom}
          >
            <title>{referenceWords.setsMark(mark.to, formatDay(mark.at_ms))}</title>
          </line>
        ))}
    </g>
  );
}

/** Hairlines with their amounts. Hide axes from screen readers: the chart's table has what they say. */
export function ValueAxis(props: {
  readonly plot: Plot;
  readonly scale: Scale;
  readonly ticks: readonly Tick[];
}) {
  const { plot, scale } = props;
  return (
    <g class="chart-axis">
      {props.ticks.map(({ at, label }) => (
        <g key={at}>
          <line x1={plot.left} x2={plot.right} y1={scale(at)} y2={scale(at)} />
          <text x={plot.left - 8} y={scale(at) + 4} text-anchor="end">
            {label}
          </text>
        </g>
      ))}
    </g>
  );
}

export function TimeAxis(props: {
  readonly plot: Plot;
  readonly scale: Scale;
  readonly ticks: readonly Tick[];
}) {
  const { plot, scale } = props;
  return (
    <g class="chart-axis">
      {props.ticks.map(({ at, label }) => (
        <g key={at}>
          <line x1={scale(at)} x2={scale(at)} y1={plot.bottom} y2={plot.bottom + 4} />
          <text x={scale(at)} y={plot.bottom + 18} text-anchor="middle">
            {label}
          </text>
        </g>
      ))}
    </g>
  );
}

/** At our first calculation. Both parts lie within the plot. */
function splitAtStart({ layout: { plot, x }, series }: Priced) {
  const at = series.findIndex(({ basis }) => basis === "recorded");
  const before = at < 0 ? series : series.slice(0, at);
  const after = at < 0 ? [] : series.slice(at);
  const within = (point: SeriesPoint | undefined, fallback: number): number =>
    point === undefined
      ? fallback
      : Math.min(Math.max(x(point.calculated_at_ms), plot.left), plot.right);
  return {
    before,
    after,
    firstX: within(before[0], plot.left),
    startX: within(after[0], plot.right),
  };
}

function Lines(props: {
  readonly layout: ChartLayout;
  readonly points: readonly SeriesPoint[];
  readonly endX: number;
  readonly basis: SeriesPoint["basis"];
}) {
  const { points, endX, basis } = props;
  const { x, y, plot } = props.layout;
  const placed = points.map((point) => ({
    point,
    x: Math.max(plot.left, x(point.calculated_at_ms)),
  }));
  const toY = (minor: number | undefined) => (minor === undefined ? undefined : y(minor));
  // Every ask in it is a buy.
  const zone = placed.map(({ point, x }) => ({
    x,
    low: point.maximum_buy_eur_minor === undefined ? undefined : plot.bottom,
    high: toY(point.maximum_buy_eur_minor),
  }));
  const lineOf = (member: "market_average_eur_minor" | "maximum_buy_eur_minor") =>
    stepLine(
      placed.map(({ point, x }) => ({ x, y: toY(point[member]) })),
      endX,
    );
  return (
    <g class={`is-${basis}`}>
      <path class="buy-zone" d={stepBand(zone, endX)} />
      <path class="price-average" d={lineOf("market_average_eur_minor")} />
      <path class="price-most" d={lineOf("maximum_buy_eur_minor")} />
    </g>
  );
}

/** Left out where it would not fit. */
function PartName(props: {
  readonly from: number;
  readonly to: number;
  readonly y: number;
  readonly text: string;
}) {
  if (props.to - props.from < props.text.length * 7) return null;
  return (
    <text x={props.from + 4} y={props.y}>
      {props.text}
    </text>
  );
}
