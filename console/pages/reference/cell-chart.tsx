import { computed, type Signal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { HistoryMark, PopulationAsk } from "../../../client/assay-client.ts";
import { isPresenting } from "../../state/preferences.ts";
import { referenceWords } from "../../words/reference.ts";
import type { SeriesPoint } from "./cell-prices.ts";
import { AskDot, AskMark } from "./chart-asks.tsx";
import { type ChartLayout, layOutChart, type PlacedAsk } from "./chart-layout.ts";
import { PastGround, PriceLines, SetsMarks, TimeAxis, ValueAxis } from "./chart-lines.tsx";

const LINES = ["average", "most", "zone", "backcast"] as const;
const ROLES = ["counted", "superseded", "outlier", "suspect", "aged_out"] as const;

/** The price of a cell as steps, and every ask as a dot. One dot is in the order of the tabs; the arrow keys lead to the others. */
export function CellChart(props: {
  readonly label: string;
  readonly asks: readonly PopulationAsk[];
  readonly series: readonly SeriesPoint[];
  readonly marks: readonly HistoryMark[];
  readonly nowMs: number;
  /** What is older is left out. */
  readonly fromMs: number;
  readonly shownId: Signal<string | undefined>;
  readonly svg: RefObject<SVGSVGElement | null>;
}) {
  const { asks, series, nowMs, fromMs, shownId } = props;
  const frame = useRef<HTMLDivElement>(null);
  const width = useChartWidth(frame);
  const layout = useMemo(
    () => (width === undefined ? undefined : layOutChart({ asks, series, nowMs, fromMs, width })),
    [asks, series, nowMs, fromMs, width],
  );
  // The dot that the Tab key leads to: the one that was looked at last, or else the latest.
  const entryId = useMemo(() => {
    const ids = new Set(asks.map(({ listing_id }) => listing_id));
    const latestId = layout?.asks.at(-1)?.ask.listing_id;
    return computed(() => (ids.has(shownId.value ?? "") ? shownId.value : latestId));
  }, [asks, layout, shownId]);
  return (
    <div ref={frame} class="chart-frame">
      {layout === undefined ? null : (
        // biome-ignore lint/a11y/useSemanticElements: an SVG has no element for a group with a name.
        <svg
          ref={props.svg}
          class="chart"
          role="group"
          aria-label={props.label}
          width={layout.width}
          height={layout.height}
          viewBox={`0 0 ${layout.width} ${layout.height}`}
          onKeyDown={(event) => moveFocus(event, layout)}
        >
          <Backdrop layout={layout} series={series} marks={props.marks} />
          <g>
            {layout.asks.map((placed) => (
              <AskDot
                key={placed.ask.listing_id}
                placed={placed}
                nowMs={nowMs}
                shownId={shownId}
                entryId={entryId}
              />
            ))}
          </g>
        </svg>
      )}
    </div>
  );
}

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
        <svg class="dot is-counted is-buy" width="18" height="18" aria-hidden="true">
          <circle class="dot-buy" cx={9} cy={9} r={7} />
          <AskMark role={ROLES[0]} x={9} y={9} />
        </svg>
        {legend.buy}
      </li>
      <li>
        <svg class="dot" width="10" height="14" aria-hidden="true">
          <path class="dot-markup is-sample" d="M5 13V2M2 6L5 2L8 6" />
        </svg>
        {legend.markup}
      </li>
    </ul>
  );
}

/** The width of an element in pixels, kept up to date; undefined before it is in the document. */
function useChartWidth(element: { readonly current: HTMLElement | null }): number | undefined {
  const width = useSignal<number | undefined>(undefined);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const measure = (): void => {
      width.value = current.clientWidth;
    };
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    measure();
    return () => observer.disconnect();
  }, [element, width]);
  return width.value;
}

/** All that is not an ask. The tables have it for screen readers. */
function Backdrop(props: {
  readonly layout: ChartLayout;
  readonly series: readonly SeriesPoint[];
  readonly marks: readonly HistoryMark[];
}) {
  const { layout } = props;
  const ticks = isPresenting.value ? hideLabels(layout) : layout.valueTicks;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus.
    <g aria-hidden="true">
      <PastGround layout={layout} series={props.series} />
      <ValueAxis plot={layout.plot} scale={layout.y} ticks={ticks} />
      <TimeAxis plot={layout.plot} scale={layout.x} ticks={layout.timeTicks} />
      <text x={layout.plot.right} y={layout.plot.bottom + 18} text-anchor="end">
        {referenceWords.today}
      </text>
      <PriceLines layout={layout} series={props.series} />
      <SetsMarks layout={layout} marks={props.marks} />
    </g>
  );
}

/** The lines are thresholds: in presenter mode they have a shape, and no figures beside it. */
function hideLabels({ valueTicks }: ChartLayout): ChartLayout["valueTicks"] {
  return valueTicks.map(({ at }) => ({ at, label: "•••" }));
}

/** Left and right by time, up and down by price. */
function moveFocus(event: KeyboardEvent, { asks }: ChartLayout): void {
  const id = document.activeElement?.getAttribute("data-ask");
  const at = asks.findIndex(({ ask }) => ask.listing_id === id);
  const next = nextAsk(event.key, asks, at);
  if (at < 0 || next === undefined) return;
  event.preventDefault();
  const selector = `[data-ask="${CSS.escape(next.ask.listing_id)}"]`;
  document.querySelector<SVGElement>(selector)?.focus();
}

function nextAsk(key: string, asks: readonly PlacedAsk[], at: number): PlacedAsk | undefined {
  const last = asks.length - 1;
  switch (key) {
    case "ArrowLeft":
      return asks[Math.max(at - 1, 0)];
    case "ArrowRight":
      return asks[Math.min(at + 1, last)];
    case "Home":
      return asks[0];
    case "End":
      return asks[last];
    case "ArrowUp":
      return byPrice(asks, at, 1);
    case "ArrowDown":
      return byPrice(asks, at, -1);
    default:
      return undefined;
  }
}

function byPrice(asks: readonly PlacedAsk[], at: number, step: 1 | -1): PlacedAsk | undefined {
  const sorted = asks.toSorted(
    (left, right) => left.ask.comparable_ask_eur_minor - right.ask.comparable_ask_eur_minor,
  );
  const here = asks[at] === undefined ? -1 : sorted.indexOf(asks[at]);
  return sorted[Math.min(Math.max(here + step, 0), sorted.length - 1)];
}

function LineSample({ name }: { readonly name: (typeof LINES)[number] }) {
  switch (name) {
    case "average":
      return <path class="price-average" d="M0 6H20" />;
    case "most":
      return <path class="price-most" d="M0 6H20" />;
    case "zone":
      return <rect class="buy-zone" width="20" height="12" />;
    case "backcast":
      return (
        <g class="is-backcast">
          <rect class="chart-past" width="20" height="12" />
          <path class="price-average" d="M0 6H20" />
        </g>
      );
  }
}
