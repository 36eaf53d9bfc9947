import type { PopulationAsk } from "../../../client/assay-client.ts";
import { Age, Amount } from "../../parts/figures.tsx";
import { WideArea } from "../../parts/layout.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { formatTime } from "../../words/formats.ts";
import { referenceWords } from "../../words/reference.ts";
import type { SeriesPoint } from "./cell-prices.ts";

/** Everything that the chart shows, in words and figures. */
export function CellTables(props: {
  readonly asks: readonly PopulationAsk[];
  readonly series: readonly SeriesPoint[];
}) {
  return (
    <details class="chart-tables">
      <summary>{referenceWords.tables}</summary>
      <h3>{referenceWords.asksTable}</h3>
      <WideArea label={referenceWords.asksTable}>
        <Table
          caption={referenceWords.asksCaption}
          columns={ASK_COLUMNS}
          rows={props.asks}
          keyOf={({ listing_id }) => listing_id}
        />
      </WideArea>
      <h3>{referenceWords.pricesTable}</h3>
      <WideArea label={referenceWords.pricesTable}>
        <Table
          caption={referenceWords.pricesCaption}
          columns={PRICE_COLUMNS}
          rows={props.series.toReversed()}
          keyOf={({ basis, calculated_at_ms }) => `${basis} ${calculated_at_ms}`}
        />
      </WideArea>
    </details>
  );
}

const ASK_COLUMNS: readonly Column<PopulationAsk>[] = [
  {
    id: "ask",
    title: referenceWords.ask,
    isNumber: true,
    cell: (ask) => (
      <a href={`/listings/${ask.listing_id}`}>
        <Amount minor={ask.original_ask_eur_minor} currency="EUR" kind="price" />
      </a>
    ),
  },
  { id: "market", title: referenceWords.market, cell: ({ source_market }) => source_market },
  {
    id: "comparable",
    title: referenceWords.comparableTitle,
    isNumber: true,
    cell: (ask) => <Amount minor={ask.comparable_ask_eur_minor} currency="EUR" kind="threshold" />,
  },
  {
    id: "seen",
    title: referenceWords.seen,
    isNumber: true,
    cell: ({ last_seen_at_ms }) => <Age atMs={last_seen_at_ms} />,
  },
  {
    id: "role",
    title: referenceWords.roleTitle,
    cell: ({ role }) => `${referenceWords.role(role)}: ${referenceWords.reason(role)}`,
  },
];

const PRICE_COLUMNS: readonly Column<SeriesPoint>[] = [
  {
    id: "when",
    title: referenceWords.when,
    cell: ({ calculated_at_ms }) => formatTime(calculated_at_ms),
  },
  { id: "basis", title: referenceWords.basis, cell: ({ basis }) => referenceWords[basis] },
  {
    id: "count",
    title: referenceWords.asks,
    isNumber: true,
    cell: ({ listing_count }) => listing_count,
  },
  {
    id: "average",
    title: referenceWords.average,
    isNumber: true,
    cell: (point) => (
      <Amount minor={point.market_average_eur_minor} currency="EUR" kind="threshold" />
    ),
  },
  {
    id: "consumer",
    title: referenceWords.consumer,
    isNumber: true,
    cell: (point) => (
      <>
        <Amount minor={point.consumer_min_eur_minor} currency="EUR" kind="threshold" /> –{" "}
        <Amount minor={point.consumer_max_eur_minor} currency="EUR" kind="threshold" />
      </>
    ),
  },
  {
    id: "most",
    title: referenceWords.mostEurope,
    isNumber: true,
    cell: (point) => <Amount minor={point.maximum_buy_eur_minor} currency="EUR" kind="threshold" />,
  },
];
