import type { Plot, Tick } from "./plot.ts";
import type { Scale } from "./scale.ts";

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
