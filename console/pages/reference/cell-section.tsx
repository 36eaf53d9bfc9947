import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useMemo, useRef } from "preact/hooks";
import type {
  Cell,
  CellPopulation,
  Configuration,
  HistoryMark,
  PopulationAsk,
  Profile,
} from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { Segments } from "../../parts/choice.tsx";
import { Age, Amount } from "../../parts/figures.tsx";
import { Section } from "../../parts/layout.tsx";
import { WhenLoaded } from "../../parts/states.tsx";
import { query } from "../../router.ts";
import { useLoad } from "../../state/load.ts";
import { readRates } from "../../state/prices.ts";
import { DAY_MS, formatDay } from "../../words/formats.ts";
import { readingWords } from "../../words/reading.ts";
import { referenceWords } from "../../words/reference.ts";
import { watchWords } from "../../words/watch.ts";
import { CellChart, ChartLegend } from "./cell-chart.tsx";
import {
  hongKongMaximum,
  joinSeries,
  type SeriesPoint,
  toHongKong,
  toOffer,
} from "./cell-prices.ts";
import { CellTables } from "./cell-tables.tsx";
import { AskReadout } from "./chart-asks.tsx";
import { changeView, keyOf, RANGES, readView, WHERES } from "./reference-state.ts";
import { SaveMenu } from "./save-menu.tsx";

interface Prices {
  readonly series: readonly SeriesPoint[];
  readonly marks: readonly HistoryMark[];
  readonly nowMs: number;
}

type Backcast = Awaited<ReturnType<typeof api.getBackcast>>;

/** The most that the service returns of the recorded changes. */
const HISTORY_MAX = 1_000;
const HONG_KONG_DOLLAR = "HKD";
/** More dots are a blot, and slow. */
const DOTS_MAX = 600;

/** One year and condition: how its price came about, and how it moved. */
export function CellSection(props: {
  readonly configuration: Configuration;
  readonly cell: Cell;
  readonly profile: Profile | undefined;
  /** Changes with every calculation. */
  readonly asOfMs: number;
  /** The beginning of the names of files. */
  readonly fileName: string;
}) {
  const { cell } = props;
  const { id, minimum_profit_overrides: overrides } = props.configuration;
  const { range, where: market } = readView();
  const { year, bucket } = keyOf(cell);
  const where = { id, year, condition_bucket: bucket };
  const population = useLoad([id, year, bucket, props.asOfMs], (signal) =>
    api.getPopulation(where, { signal }),
  );
  const prices = usePrices(where, props.asOfMs, Number(range));
  const name = `${year}, ${readingWords.value(bucket)}`;
  return (
    <Section title={name}>
      <CellFigures
        cell={cell}
        profile={props.profile}
        population={population.state.value.value}
        isOverride={overrides.some(
          (each) => each.year === year && each.condition_bucket === bucket,
        )}
      />
      <ChartChoice />
      <WhenLoaded load={population} rows={6}>
        {(found) => (
          <WhenLoaded load={prices} rows={6}>
            {({ series, marks, nowMs }) => (
              <Drawn
                name={name}
                fileName={`${props.fileName}-${year}-${bucket}`}
                lookbackDays={cell.lookback_days}
                population={found}
                series={
                  market === "HK" ? toHongKong(series, props.profile?.hk_markup ?? {}) : series
                }
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
function usePrices(where: Parameters<typeof api.getBackcast>[0], asOfMs: number, days: number) {
  const key = [where.id, where.year, where.condition_bucket, days];
  const backcast = useRef<{ key: string; items: Promise<Backcast> }>(undefined);
  return useLoad<Prices>([...key, asOfMs], async (signal) => {
    const name = key.join(" ");
    if (backcast.current?.key !== name) {
      backcast.current = {
        key: name,
        items: api.getBackcast({ ...where, from_ms: Date.now() - (days - 1) * DAY_MS }),
      };
    }
    try {
      const [{ items: past }, { items: recorded, marks }] = await Promise.all([
        backcast.current.items,
        api.getCellHistory({ ...where, limit: HISTORY_MAX }, { signal }),
      ]);
      const nowMs = Date.now();
      const fromMs = nowMs - days * DAY_MS;
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
function CellFigures(props: {
  readonly cell: Cell;
  readonly profile: Profile | undefined;
  readonly population: CellPopulation | undefined;
  /** True if the minimum profit was set for this very cell. */
  readonly isOverride: boolean;
}) {
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
      <Figure title={referenceWords.mostEurope}>
        <Threshold minor={most} />
      </Figure>
      <Figure title={referenceWords.mostHongKong}>
        <Threshold minor={mostHongKong} />
        <InDollars minor={mostHongKong} />
      </Figure>
      <Figure title={referenceWords.average}>
        <Threshold minor={cell.market_average_eur_minor} />
        <span class="sub">{referenceWords.lookback(cell.listing_count, cell.lookback_days)}</span>
        <Spread population={props.population} />
      </Figure>
      <Figure title={referenceWords.consumer}>
        <span>
          <Threshold minor={cell.consumer_min_eur_minor} /> –{" "}
          <Threshold minor={cell.consumer_max_eur_minor} />
        </span>
        <span class="sub">{referenceWords.consumerNote}</span>
      </Figure>
      <Figure title={referenceWords.minimumProfit}>
        <Threshold minor={cell.minimum_profit_eur_minor} />
        {props.isOverride ? <span class="sub">{referenceWords.override}</span> : null}
      </Figure>
    </dl>
  );
}

/** What a dealer in Hong Kong is told, at the rate of today. Of an ask that is on offer, the service says it exactly. */
function InDollars({ minor }: { readonly minor: number | undefined }) {
  const rates = useLoad([], readRates).state.value.value ?? [];
  const rate = rates.find(({ currency }) => currency === HONG_KONG_DOLLAR);
  if (minor === undefined || minor === 0 || rate === undefined) return null;
  return (
    <span class="sub">
      {referenceWords.about}{" "}
      <Amount
        minor={toOffer(minor * Number(rate.per_eur))}
        currency={HONG_KONG_DOLLAR}
        kind="threshold"
      />
    </span>
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

/** Between which amounts the asks that count are, and how old the newest is: how sure the average is. */
function Spread({ population }: { readonly population: CellPopulation | undefined }) {
  const counted = population?.items.filter(({ role }) => role === "counted") ?? [];
  const asks = counted.map(({ comparable_ask_eur_minor }) => comparable_ask_eur_minor);
  if (asks.length === 0) return null;
  return (
    <span class="sub">
      <Threshold minor={Math.min(...asks)} /> – <Threshold minor={Math.max(...asks)} />
      {watchWords.newest}
      <Age atMs={Math.max(...counted.map(({ last_seen_at_ms }) => last_seen_at_ms))} />
    </span>
  );
}

/** How far back, and the asks of which market. */
function ChartChoice() {
  const { range, where } = readView();
  return (
    <div class="row">
      <Segments
        label={referenceWords.ranges}
        options={RANGES.map((id) => ({ id, name: referenceWords.range[id] }))}
        chosen={range}
        onChoose={(id) => changeView("range", id)}
      />
      <Segments
        label={referenceWords.wheres}
        options={WHERES.map((id) => ({ id, name: referenceWords.where[id] }))}
        chosen={where}
        onChoose={(id) => changeView("where", id)}
      />
      {where === "HK" ? <span class="sub">{referenceWords.hongKongNote}</span> : null}
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
  const { range, where } = readView();
  const fromMs = nowMs - Number(range) * DAY_MS;
  // The ask from which the reader comes is shown at once.
  const shownId = useSignal<string | undefined>(query.peek().get("ask") ?? undefined);
  const svg = useRef<SVGSVGElement>(null);
  const asks = useMemo(
    () => chooseAsks(population.items, where).slice(0, DOTS_MAX),
    [population, where],
  );
  const drawn = useMemo(
    () => asks.filter(({ last_seen_at_ms }) => last_seen_at_ms >= fromMs),
    [asks, range],
  );
  const hasPrice = series.some((point) => point.market_average_eur_minor !== undefined);
  if (asks.length === 0 && !hasPrice) {
    return <p class="soft">{referenceWords.noAsksHere(2 * props.lookbackDays)}</p>;
  }
  return (
    <>
      <ChartLegend />
      <CellChart
        label={referenceWords.chartLabel(name, population.items.length)}
        asks={drawn}
        series={series}
        marks={marks}
        nowMs={nowMs}
        fromMs={fromMs}
        shownId={shownId}
        svg={svg}
      />
      <div class="chart-foot">
        <AskReadout population={population} shownId={shownId} />
        <SaveMenu fileName={props.fileName} asks={population.items} series={series} svg={svg} />
      </div>
      <Counted asks={asks} />
      {Number(range) > 2 * props.lookbackDays ? (
        <p class="sub">{referenceWords.dotsSince(2 * props.lookbackDays)}</p>
      ) : null}
      {asks.length < DOTS_MAX || where !== "all" ? null : (
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

/** Those of one market; in Hong Kong as they are asked, before freight and duty. */
function chooseAsks(
  asks: readonly PopulationAsk[],
  where: ReturnType<typeof readView>["where"],
): readonly PopulationAsk[] {
  if (where === "all") return asks;
  const chosen = asks.filter(({ source_market }) => source_market === where);
  if (where === "EU") return chosen;
  return chosen.map((ask) => ({ ...ask, comparable_ask_eur_minor: ask.original_ask_eur_minor }));
}

/** How many asks count, and why the others do not. */
function Counted({ asks }: { readonly asks: readonly PopulationAsk[] }) {
  const countOf = (role: PopulationAsk["role"]): number =>
    asks.filter((ask) => ask.role === role).length;
  const left = (["superseded", "outlier", "suspect", "aged_out"] as const)
    .map((role) => ({ role, count: countOf(role) }))
    .filter(({ count }) => count > 0);
  if (left.length === 0) {
    return <p class="sub counted">{referenceWords.allCounted(countOf("counted"))}</p>;
  }
  return (
    <p class="sub counted">
      {referenceWords.counted(countOf("counted"))}
      {left.map(({ role, count }) => referenceWords.left(role, count)).join(", ")}.
    </p>
  );
}
