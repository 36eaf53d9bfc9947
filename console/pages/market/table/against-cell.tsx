import type { ListingMatch } from "../../../../client/assay-client.ts";
import { Amount } from "../../../parts/amount.tsx";
import { toWhole } from "../../../parts/format-amount.ts";
import { isPresenting } from "../../../state/preferences.ts";
import { marketWords } from "../../../words/market.ts";

/** How an ask stands against the market average of its own year and condition, in EUR and per cent. */
export function againstCell(price: ListingMatch | null | undefined) {
  if (price === undefined || price === null) return <span class="faint">–</span>;
  const { market_average_eur_minor: average, comparable_ask_eur_minor: ask } = price;
  if (average === undefined || average <= 0) {
    const isPending = price.cell_status === "pending";
    const text = isPending ? marketWords.pending : marketWords.fewAsks(price.listing_count);
    return <span class="sub">{text}</span>;
  }
  const profit = Amount({
    minor: toWhole(average - ask),
    currency: "EUR",
    kind: "profit",
    isSigned: true,
  });
  if (isPresenting.value) return profit;
  return [
    profit,
    <div key="share" class="sub">
      {describeShare(ask, average)}
    </div>,
  ];
}

function describeShare(ask: number, average: number): string {
  const share = ((average - ask) * 100) / average;
  const text = Math.abs(share).toFixed(1);
  if (text === "0.0") return marketWords.atMarket;
  return share > 0 ? marketWords.below(text) : marketWords.above(text);
}

/** No figure of the calculation, because presenter mode hides those. */
export function describeCell(price: ListingMatch | null | undefined): string | undefined {
  if (price === undefined || price === null) return undefined;
  const { year, condition_bucket, listing_count, configuration_label } = price;
  const cell = marketWords.cell({
    year,
    condition: condition_bucket,
    count: listing_count,
    label: configuration_label,
  });
  return price.hk_markup_eur_minor > 0 ? `${cell}; ${marketWords.withMarkup}` : cell;
}
