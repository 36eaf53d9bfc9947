import type { Listing } from "../../../client/assay-client.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { type Prices, readPrices } from "../../prices/read-prices.ts";
import { nowMs } from "../../state/clock.ts";
import { useLoad } from "../../state/load.ts";
import { alertsWords } from "../../words/alerts.ts";
import { marketWords } from "../../words/market.ts";
import { MARKET_COLUMNS } from "../market/table/market-columns.tsx";

const IDS = ["watch", "ask", "market", "dealer", "seen"] as const;

/** The latest listings that would have matched, as the market shows them. */
export function Examples({ listings }: { readonly listings: readonly Listing[] }) {
  const load = useLoad([listings], () => readPrices(listings));
  return (
    <div class="examples">
      <Table
        caption={alertsWords.examples}
        columns={columnsWith(load.state.value.value)}
        rows={listings}
        keyOf={({ id }) => id}
      />
    </div>
  );
}

function columnsWith(prices: Prices | undefined): readonly Column<Listing>[] {
  return IDS.map((id) => {
    const { cell, isNumber = false } = MARKET_COLUMNS[id];
    return {
      id,
      title: marketWords.columns[id],
      isNumber,
      isWide: id === "watch",
      isOptional: id === "dealer",
      cell: (listing: Listing) => {
        const price = prices === undefined ? undefined : (prices.get(listing.id) ?? null);
        return cell(listing, price, nowMs.value);
      },
    };
  });
}
