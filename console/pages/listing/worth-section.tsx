import { useCallback } from "preact/hooks";
import type { ListingMatch } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { useCellsChanged } from "../../live/changes.ts";
import { Amount } from "../../parts/figures.tsx";
import { Section } from "../../parts/layout.tsx";
import { WhenLoaded } from "../../parts/states.tsx";
import { type Column, Table, Tag } from "../../parts/table.tsx";
import { useLoad } from "../../state/load.ts";
import { listingWords } from "../../words/listing.ts";
import { readingWords } from "../../words/reading.ts";

/** The ask against every cell that it falls into, as the price engine sees it now. */
export function WorthSection(props: { readonly listingId: string; readonly version: number }) {
  const { listingId, version } = props;
  const load = useLoad([listingId, version], async (signal) => {
    const { items } = await api.listPriceEngineMatches({ listing_ids: [listingId] }, { signal });
    return items.find(({ listing_id }) => listing_id === listingId)?.items ?? [];
  });
  useCellsChanged(
    useCallback(
      () => (load.state.peek().value ?? []).map(({ configuration_id }) => configuration_id),
      [load],
    ),
    load.reload,
  );
  return (
    <Section title={listingWords.worth}>
      <WhenLoaded load={load} rows={1}>
        {(items) =>
          items.length === 0 ? (
            <p class="soft">
              {listingWords.noWorth} {listingWords.noWorthHint}
            </p>
          ) : (
            <Table
              caption={listingWords.worthCaption}
              columns={COLUMNS}
              rows={items}
              keyOf={({ configuration_id }) => configuration_id}
            />
          )
        }
      </WhenLoaded>
    </Section>
  );
}

const COLUMNS: readonly Column<ListingMatch>[] = [
  { id: "of", title: listingWords.configuration, isWide: true, cell: (item) => <Of item={item} /> },
  {
    id: "market",
    title: listingWords.market,
    isNumber: true,
    cell: (item) => (
      <>
        <Amount minor={item.market_average_eur_minor} currency="EUR" kind="threshold" />
        <div class="sub">{listingWords.asks(item.listing_count, item.lookback_days)}</div>
      </>
    ),
  },
  {
    id: "most",
    title: listingWords.most,
    isNumber: true,
    cell: (item) => <Most item={item} />,
  },
  {
    id: "profit",
    title: listingWords.profit,
    isNumber: true,
    cell: (item) => (
      <>
        <Amount
          minor={item.profit_opportunity_eur_minor}
          currency="EUR"
          kind="profit"
          isSigned
          isBuy={item.meets_buy_threshold}
        />
        <div class="sub">
          <Verdict item={item} />
        </div>
      </>
    ),
  },
];

function Of({ item }: { readonly item: ListingMatch }) {
  const cell = [item.year, readingWords.value(item.condition_bucket), item.source_market];
  return (
    <>
      <bdi title={item.filter_summary}>{item.configuration_label}</bdi>
      <div class="sub">
        {cell.join(" · ")}{" "}
        {item.price_engine_status === "shadow" ? <Tag>{listingWords.shadow}</Tag> : null}
      </div>
    </>
  );
}

function Most({ item }: { readonly item: ListingMatch }) {
  const isHongKong = item.source_market === "HK";
  const most = isHongKong ? item.maximum_hk_ask_eur_minor : item.maximum_eu_ask_eur_minor;
  return (
    <>
      <Amount minor={most} currency="EUR" kind="threshold" />
      {isHongKong ? <div class="sub">{listingWords.mostHongKong}</div> : null}
    </>
  );
}

function Verdict({ item }: { readonly item: ListingMatch }) {
  if (item.is_stale) return <Tag tone="warn">{listingWords.stale}</Tag>;
  if (item.cell_status === "pending") return <Tag>{listingWords.pending}</Tag>;
  if (item.cell_status !== "available") return <Tag>{listingWords.tooFew}</Tag>;
  return item.meets_buy_threshold ? <Tag tone="good">{listingWords.buy}</Tag> : null;
}
