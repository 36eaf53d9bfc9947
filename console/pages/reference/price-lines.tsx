import { stepBand, stepLine } from "../../charts/step-path.ts";
import { referenceWords } from "../../words/reference.ts";
import type { SeriesPoint } from "./cell-series.ts";
import type { ChartLayout } from "./chart-layout.ts";

/** Average, what consumers pay, and the most to pay. What was worked out afterwards lies on a ground of its own, in thin lines. */
export function PriceLines(props: {
  readonly layout: ChartLayout;
  readonly series: readonly SeriesPoint[];
}) {
  const { layout, series } = props;
  const { plot, x } = layout;
  const at = series.findIndex(({ basis }) => basis === "recorded");
  const before = at < 0 ? series : series.slice(0, at);
  const after = at < 0 ? [] : series.slice(at);
  const startX = Math.max(
    plot.left,
    Math.min(plot.right, x(after[0]?.calculated_at_ms ?? Infinity)),
  );
  const firstX = Math.max(plot.left, x(before[0]?.calculated_at_ms ?? Infinity));
  return (
    <g>
      {before.length === 0 || startX - firstX < 1 ? null : (
        <rect
          class="chart-past"
          x={firstX}
          y={plot.top}
          width={startX - firstX}
          height={plot.bottom - plot.top}
        />
      )}
      <Lines layout={layout} points={before} endX={startX} basis="backcast" />
      <Lines layout={layout} points={after} endX={plot.right} basis="recorded" />
      {before.length === 0 || after.length === 0 ? null : (
        <line class="chart-divide" x1={startX} x2={startX} y1={plot.top} y2={plot.bottom} />
      )}
      <BasisLabel from={firstX} to={startX} y={plot.top - 8} text={referenceWords.backcast} />
      <BasisLabel from={startX} to={plot.right} y={plot.top - 8} text={referenceWords.recorded} />
    </g>
  );
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
  const band = placed.map(({ point, x }) => ({
    x,
    low: toY(point.consumer_min_eur_minor),
    high: toY(point.consumer_max_eur_minor),
  }));
  const lineOf = (member: "market_average_eur_minor" | "maximum_buy_eur_minor") =>
    stepLine(
      placed.map(({ point, x }) => ({ x, y: toY(point[member]) })),
      endX,
    );
  return (
    <g class={`price-lines is-${basis}`}>
      <path class="price-band" d={stepBand(band, endX)} />
      <path class="price-average" d={lineOf("market_average_eur_minor")} />
      <path class="price-most" d={lineOf("maximum_buy_eur_minor")} />
    </g>
  );
}

/** Left out where it would not fit. */
function BasisLabel(props: {
  readonly from: number;
  readonly to: number;
  readonly y: number;
  readonly text: string;
}) {
  if (!(props.to - props.from > props.text.length * 7)) return null;
  return (
    <text x={props.from + 4} y={props.y}>
      {props.text}
    </text>
  );
}
