import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { PreviewDay } from "../../../client/assay-client.ts";
import { Table } from "../../parts/table.tsx";
import { alertsWords } from "../../words/alerts.ts";
import { times } from "../../words/formats.ts";

const HEIGHT = 100;
const STEP = 10;
const BAR = 7;
const formatDay = times({
  weekday: "short",
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

/** Matches per day as bars: one stop of the Tab key, then the arrow keys walk along the days. The table says the same. */
export function DayChart({ days }: { readonly days: readonly PreviewDay[] }) {
  const at = useSignal(-1);
  const chart = useRef<SVGSVGElement>(null);
  const most = Math.max(...days.map(({ match_count }) => match_count));
  const hasBasis = days.some(({ price_basis }) => price_basis === "current");
  const focused = Math.min(Math.max(at.value, 0), days.length - 1);
  const walk = (next: number): void => {
    at.value = Math.min(Math.max(next, 0), days.length - 1);
    chart.current?.querySelector<SVGElement>(`[data-at="${at.value}"]`)?.focus();
  };
  const shown = days[at.value];
  return (
    <figure class="day-chart">
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing has no element for a group. */}
      <svg
        ref={chart}
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="group"
        aria-label={alertsWords.chart}
        onPointerLeave={() => {
          at.value = -1;
        }}
      >
        {days.map((day, index) => (
          <Bar
            key={day.day_start_ms}
            day={day}
            index={index}
            most={most}
            isStop={index === focused}
            onPoint={() => {
              at.value = index;
            }}
            onKey={(key) => {
              const next = stepOf(key, index, days.length);
              if (next !== undefined) walk(next);
              return next !== undefined;
            }}
          />
        ))}
      </svg>
      <figcaption class="sub">
        <span>{days[0] === undefined ? "" : formatDay(days[0].day_start_ms)}</span>
        {shown === undefined ? <span>{alertsWords.chartMost(most)}</span> : <b>{labelOf(shown)}</b>}
        <span>{formatLast(days)}</span>
      </figcaption>
      {hasBasis ? <p class="sub">{alertsWords.basisHint}</p> : null}
      <details>
        <summary>{alertsWords.chartTable}</summary>
        <Table
          caption={alertsWords.chart}
          rows={days.toReversed()}
          keyOf={({ day_start_ms }) => String(day_start_ms)}
          columns={[
            {
              id: "day",
              title: alertsWords.dayColumn,
              cell: ({ day_start_ms }) => formatDay(day_start_ms),
            },
            {
              id: "matches",
              title: alertsWords.matchesColumn,
              isNumber: true,
              cell: ({ match_count }) => match_count,
            },
            ...(days.some(({ price_basis }) => price_basis !== undefined)
              ? [{ id: "basis", title: alertsWords.basisColumn, cell: basisOf }]
              : []),
          ]}
        />
      </details>
    </figure>
  );
}

function Bar(props: {
  readonly day: PreviewDay;
  readonly index: number;
  readonly most: number;
  readonly isStop: boolean;
  readonly onPoint: () => void;
  /** Returns true if the key was used. */
  readonly onKey: (key: string) => boolean;
}) {
  const { day, index, most } = props;
  const height = day.match_count === 0 ? 0 : Math.max(2, (day.match_count / most) * HEIGHT);
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it takes the focus, so that it can be read.
    <g
      class={day.price_basis === "current" ? "day is-current" : "day"}
      role="img"
      aria-label={labelOf(day)}
      tabIndex={props.isStop ? 0 : -1}
      data-at={index}
      onFocus={props.onPoint}
      onPointerEnter={props.onPoint}
      onKeyDown={(event) => {
        if (props.onKey(event.key)) event.preventDefault();
      }}
    >
      <rect class="day-ground" x={index * STEP} width={STEP} height={HEIGHT} />
      <rect
        class="day-bar"
        x={index * STEP + (STEP - BAR) / 2}
        y={HEIGHT - height}
        width={BAR}
        height={height}
      />
    </g>
  );
}

function stepOf(key: string, at: number, count: number): number | undefined {
  if (key === "ArrowLeft") return at - 1;
  if (key === "ArrowRight") return at + 1;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : undefined;
}

function labelOf({ day_start_ms, match_count, price_basis }: PreviewDay): string {
  const label = alertsWords.dayLabel(formatDay(day_start_ms), match_count);
  return price_basis === undefined ? label : `${label}, ${basisText(price_basis)}`;
}

function basisOf({ price_basis }: PreviewDay): string {
  return price_basis === undefined ? "" : alertsWords.bases[price_basis];
}

function basisText(basis: "recorded" | "current"): string {
  return `${alertsWords.basisColumn.toLowerCase()} ${alertsWords.bases[basis]}`;
}

function formatLast(days: readonly PreviewDay[]): string {
  const last = days.at(-1);
  return last === undefined ? "" : formatDay(last.day_start_ms);
}
