import { useSignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import type { Cell, CellPopulation, Profile } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { Section } from "../../parts/section.tsx";
import { WhenLoaded } from "../../parts/when-loaded.tsx";
import { useLoad } from "../../state/load.ts";
import { readingWords } from "../../words/reading.ts";
import { referenceWords } from "../../words/reference.ts";
import { AskReadout } from "./ask-readout.tsx";
import { CellChart } from "./cell-chart.tsx";
import { CellFigures } from "./cell-figures.tsx";
import { joinSeries, type SeriesPoint } from "./cell-series.ts";
import { CellTables } from "./cell-tables.tsx";
import { ChartLegend } from "./chart-legend.tsx";
import { keyOf } from "./reference-state.ts";
import { SaveMenu } from "./save-menu.tsx";

const PERIOD_MS = 90 * 86_400_000;
/** The most that the service returns of the recorded changes. */
const HISTORY_MAX = 1_000;
/** More dots are a blot, and slow. */
const DOTS_MAX = 600;

/** One year and condition: how its price came about, and how it moved. */
export function CellSection(props: {
  readonly configurationId: string;
  readonly cell: Cell;
  readonly profile: Profile | undefined;
  /** Changes with every calculation. */
  readonly asOfMs: number;
  /** The beginning of the names of files. */
  readonly fileName: string;
}) {
  const { configurationId: id, cell } = props;
  const { year, bucket } = keyOf(cell);
  const where = { id, year, condition_bucket: bucket };
  const population = useLoad([id, year, bucket, props.asOfMs], (signal) =>
    api.getPopulation(where, { signal }),
  );
  const prices = usePrices(where, props.asOfMs);
  const name = `${year}, ${readingWords.value(bucket)}`;
  return (
    <Section title={name}>
      <CellFigures cell={cell} profile={props.profile} />
      <WhenLoaded load={population} rows={6}>
        {(found) => (
          <WhenLoaded load={prices} rows={6}>
            {({ series, nowMs }) => (
              <Drawn
                name={name}
                fileName={`${props.fileName}-${year}-${bucket}`}
                lookbackDays={cell.lookback_days}
                population={found}
                series={series}
                nowMs={Math.max(nowMs, found.as_of_ms)}
              />
            )}
          </WhenLoaded>
        )}
      </WhenLoaded>
    </Section>
  );
}

interface Prices {
  readonly series: readonly SeriesPoint[];
  readonly nowMs: number;
}

/** The past does not change with a calculation, so it is worked out once. */
function usePrices(where: Parameters<typeof api.getBackcast>[0], asOfMs: number) {
  const key = [where.id, where.year, where.condition_bucket];
  const backcast = useRef<{ key: string; items: Promise<Backcast> }>(undefined);
  return useLoad<Prices>([...key, asOfMs], async (signal) => {
    const name = key.join(" ");
    if (backcast.current?.key !== name) {
      backcast.current = { key: name, items: api.getBackcast(where) };
    }
    try {
      const [{ items: past }, { items: recorded }] = await Promise.all([
        backcast.current.items,
        api.getCellHistory({ ...where, limit: HISTORY_MAX }, { signal }),
      ]);
      const nowMs = Date.now();
      return { series: joinSeries({ backcast: past, recorded, fromMs: nowMs - PERIOD_MS }), nowMs };
    } catch (error) {
      backcast.current = undefined;
      throw error;
    }
  });
}

type Backcast = Awaited<ReturnType<typeof api.getBackcast>>;

function Drawn(props: {
  readonly name: string;
  readonly fileName: string;
  readonly lookbackDays: number;
  readonly population: CellPopulation;
  readonly series: readonly SeriesPoint[];
  readonly nowMs: number;
}) {
  const { name, population, series, nowMs } = props;
  const shownId = useSignal<string | undefined>(undefined);
  const svg = useRef<SVGSVGElement>(null);
  const asks = useMemo(() => population.items.slice(0, DOTS_MAX), [population]);
  const hasPrice = series.some((point) => point.market_average_eur_minor !== undefined);
  if (asks.length === 0 && !hasPrice) {
    return <p class="soft">{referenceWords.noAsksHere(2 * props.lookbackDays)}</p>;
  }
  return (
    <>
      <ChartLegend />
      <CellChart
        label={referenceWords.chartLabel(name, population.items.length)}
        asks={asks}
        series={series}
        nowMs={nowMs}
        shownId={shownId}
        svg={svg}
      />
      <div class="chart-foot">
        <AskReadout population={population} shownId={shownId} />
        <SaveMenu fileName={props.fileName} asks={population.items} series={series} svg={svg} />
      </div>
      {asks.length === population.items.length ? null : (
        <p class="sub">{referenceWords.cut(asks.length)}</p>
      )}
      {population.is_exact ? null : <p class="sub">{referenceWords.notExact}</p>}
      <CellTables asks={asks} series={series} />
    </>
  );
}
