import type { RefObject } from "preact";
import type { PopulationAsk } from "../../../client/assay-client.ts";
import { saveFile, toCsv } from "../../parts/copy.tsx";
import { Menu } from "../../parts/menu.tsx";
import { isPresenting } from "../../state/preferences.ts";
import { referenceWords } from "../../words/reference.ts";
import type { SeriesPoint } from "./cell-prices.ts";

const PROPERTIES = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
];

const SVG = "http://www.w3.org/2000/svg";

/** The chart and its figures as files. They hold thresholds, so presenter mode has none. */
export function SaveMenu(props: {
  /** Without an ending. */
  readonly fileName: string;
  readonly asks: readonly PopulationAsk[];
  readonly series: readonly SeriesPoint[];
  readonly svg: RefObject<SVGSVGElement | null>;
}) {
  const { fileName, svg } = props;
  if (isPresenting.value) return null;
  const entries = [
    {
      title: referenceWords.saveAsks,
      run: () => saveFile(toAskFile(props.asks), `${fileName}-asks.csv`),
    },
    {
      title: referenceWords.savePrices,
      run: () => saveFile(toPriceFile(props.series), `${fileName}-prices.csv`),
    },
    {
      title: referenceWords.savePicture,
      run: () => {
        if (svg.current !== null) saveChart(svg.current, `${fileName}.svg`);
      },
    },
  ];
  return (
    <Menu label={referenceWords.save}>
      {entries.map(({ title, run }) => (
        <button key={title} type="button" class="menu-entry" onClick={run}>
          {title}
        </button>
      ))}
    </Menu>
  );
}

/** Columns are named as the members of the API. */
function toAskFile(asks: readonly PopulationAsk[]): Blob {
  const columns = [
    "listing_id",
    "last_seen_at",
    "source_market",
    "original_ask_eur_minor",
    "comparable_ask_eur_minor",
    "role",
  ];
  const rows = asks.map((ask) => [
    ask.listing_id,
    toTime(ask.last_seen_at_ms),
    ask.source_market,
    ask.original_ask_eur_minor,
    ask.comparable_ask_eur_minor,
    ask.role,
  ]);
  return toCsv(columns, rows);
}

function toPriceFile(series: readonly SeriesPoint[]): Blob {
  const columns = [
    "calculated_at",
    "basis",
    "status",
    "listing_count",
    "market_average_eur_minor",
    "consumer_min_eur_minor",
    "consumer_max_eur_minor",
    "maximum_buy_eur_minor",
  ];
  const rows = series.map((point) => [
    toTime(point.calculated_at_ms),
    point.basis,
    point.status,
    point.listing_count,
    point.market_average_eur_minor,
    point.consumer_min_eur_minor,
    point.consumer_max_eur_minor,
    point.maximum_buy_eur_minor,
  ]);
  return toCsv(columns, rows);
}

function toTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Saves a chart as it looks now. The file needs no style sheet: what it got from ours stands in its attributes. */
function saveChart(chart: SVGSVGElement, name: string): void {
  saveFile(new Blob([toSvgText(chart)], { type: "image/svg+xml" }), name);
}

function toSvgText(chart: SVGSVGElement): string {
  const copy = chart.cloneNode(true) as SVGSVGElement;
  const originals = [chart, ...chart.querySelectorAll("*")];
  const copies = [copy, ...copy.querySelectorAll("*")];
  for (const [at, element] of copies.entries()) {
    const original = originals[at];
    if (original !== undefined) inscribe(original, element);
  }
  const ground = document.createElementNS(SVG, "rect");
  ground.setAttribute("width", "100%");
  ground.setAttribute("height", "100%");
  ground.setAttribute("fill", getComputedStyle(document.body).backgroundColor);
  copy.prepend(ground);
  return new XMLSerializer().serializeToString(copy);
}

function inscribe(original: Element, copy: Element): void {
  const style = getComputedStyle(original);
  for (const name of ["class", "tabindex", "href", "role"]) copy.removeAttribute(name);
  for (const property of PROPERTIES) {
    const value = style.getPropertyValue(property);
    if (value !== "") copy.setAttribute(property, value);
  }
}
