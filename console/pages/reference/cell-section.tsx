import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useMemo, useRef } from "preact/hooks";
import type { Cell, CellPopulation, HistoryMark, Profile } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { Amount } from "../../parts/figures.tsx";
import { Section } from "../../parts/layout.tsx";
import { WhenLoaded } from "../../parts/states.tsx";
import { useLoad } from "../../state/load.ts";
import { DAY_MS, formatDay } from "../../words/formats.ts";
import { readingWords } from "../../words/reading.ts";
import { referenceWords } from "../../words/reference.ts";
import { CellChart, ChartLegend } from "./cell-chart.tsx";
import { hongKongMaximum, joinSeries, type SeriesPoint } from "./cell-prices.ts";
import { CellTables } from "./cell-tables.tsx";
import { AskReadout } from "./chart-asks.tsx";
import { keyOf } from "./reference-state.ts";
import { SaveMenu } from "./save-menu.tsx";

interface Prices {
  readonly series: readonly SeriesPoint[];
  readonly marks: readonly HistoryMark[];
  readonly nowMs: number;
}

type Backcast = Awaited<ReturnType<typeof api.getBackcast>>;

const PERIOD_MS = 90 * DAY_MS;
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
            {({ series, marks, nowMs }) => (
              <Drawn
                name={name}
                fileName={`${props.fileName}-${year}-${bucket}`}
                lookbackDays={cell.lookback_days}
                population={found}
                series={series}
                marks={marks}
                nowMs={Math.max(nowMs, found.as_of_ms)}
              />
            )}
          </WhenLoaded>
        )}
      </WhenLoaded>
    </Section>
  );
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
      const [{ items: past }, { items: recorded, marks }] = await Promise.all([
        backcast.current.items,
        api.getCellHistory({ ...where, limit: HISTORY_MAX }, { signal }),
      ]);
      const nowMs = Date.now();
      const fromMs = nowMs - PERIOD_MS;
      return {
        series: joinSeries({ backcast: past, recorded, fromMs }),
        marks: marks.filter(({ at_ms }) => at_ms >= fromMs),
        nowMs,
      };
    } catch (error) {
      backcast.current = undefined;
      throw error;
    }
  });
}

/** The price of now, as figures. */
function CellFigures(props: { readonly cell: Cell; readonly profile: Profile | undefined }) {
  const { cell, profile } = props;
  const most = cell.maximum_buy_eur_minor;
  const mostHongKong =
    most === undefined || profile === undefined
      ? undefined
      : hongKongMaximum(most, profile.hk_markup ?? {});
  if (cell.status !== "available") {
    return (
      <p class="soft">
        {cell.status === "pending"
          ? referenceWords.calculating
          : referenceWords.tooFewFor(
              cell.listing_count,
              cell.lookback_days,
              profile?.minimum_listings ?? 1,
            )}
      </p>
    );
  }
  return (
    <dl class="cell-figures">
      <Figure title={referenceWords.average}>
        <Threshold minor={cell.market_average_eur_minor} />
        <span class="sub">{referenceWords.lookback(cell.listing_count, cell.lookback_days)}</span>
      </Figure>
      <Figure title={referenceWords.mostEurope}>
        <Threshold minor={most} />
        <span class="sub">
          {referenceWords.mostHongKong} <Threshold minor={mostHongKong} />
        </span>
      </Figure>
      <Figure title={referenceWords.consumer}>
        <span>
          <Threshold minor={cell.consumer_min_eur_minor} /> –{" "}
          <Threshold minor={cell.consumer_max_eur_minor} />
        </span>
      </Figure>
      <Figure title={referenceWords.minimumProfit}>
        <Threshold minor={cell.minimum_profit_eur_minor} />
      </Figure>
    </dl>
  );
}

function Figure(props: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{props.title}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

function Threshold({ minor }: { readonly minor: number | undefined }) {
  return <Amount minor={minor} currency="EUR" kind="threshold" />;
}

function Drawn(props: {
  readonly name: string;
  readonly fileName: string;
  readonly lookbackDays: number;
  readonly population: CellPopulation;
  readonly series: readonly SeriesPoint[];
  readonly marks: readonly HistoryMark[];
  readonly nowMs: number;
}) {
  const { name, population, series, marks, nowMs } = props;
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
        marks={marks}
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
      {marks.map(({ at_ms, to }) => (
        <p key={at_ms} class="sub">
          {referenceWords.setsMark(to, formatDay(at_ms))}
        </p>
      ))}
      {population.is_exact ? null : <p class="sub">{referenceWords.notExact}</p>}
      <CellTables asks={asks} series={series} />
    </>
  );
}
