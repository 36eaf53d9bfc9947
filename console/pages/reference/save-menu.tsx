import type { RefObject } from "preact";
import type { PopulationAsk } from "../../../client/assay-client.ts";
import { toCsv } from "../../charts/csv.ts";
import { saveChart } from "../../charts/save-chart.ts";
import { Menu } from "../../parts/menu.tsx";
import { saveFile } from "../../parts/save-file.ts";
import { isPresenting } from "../../state/preferences.ts";
import { referenceWords } from "../../words/reference.ts";
import type { SeriesPoint } from "./cell-series.ts";

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
