import { referenceWords } from "../../words/reference.ts";
import { AskMark } from "./ask-dot.tsx";

const LINES = ["average", "most", "consumer", "backcast"] as const;
const ROLES = ["counted", "superseded", "outlier", "suspect", "aged_out"] as const;

/** What lines and dots mean. */
export function ChartLegend() {
  const { legend } = referenceWords;
  return (
    <ul class="chart-legend" aria-label={referenceWords.legendLabel}>
      {LINES.map((name) => (
        <li key={name}>
          <svg width="20" height="12" aria-hidden="true">
            <LineSample name={name} />
          </svg>
          {legend[name]}
        </li>
      ))}
      {ROLES.map((role) => (
        <li key={role}>
          <svg class={`dot is-${role}`} width="12" height="12" aria-hidden="true">
            <AskMark role={role} x={6} y={6} />
          </svg>
          {legend[role]}
        </li>
      ))}
      <li>
        <svg class="dot" width="10" height="14" aria-hidden="true">
          <path class="dot-markup is-sample" d="M5 13V2M2 6L5 2L8 6" />
        </svg>
        {legend.markup}
      </li>
    </ul>
  );
}

function LineSample({ name }: { readonly name: (typeof LINES)[number] }) {
  switch (name) {
    case "average":
      return <path class="price-average" d="M0 6H20" />;
    case "most":
      return <path class="price-most" d="M0 6H20" />;
    case "consumer":
      return <rect class="price-band" width="20" height="12" />;
    case "backcast":
      return (
        <g class="is-backcast">
          <rect class="chart-past" width="20" height="12" />
          <path class="price-average" d="M0 6H20" />
        </g>
      );
  }
}
