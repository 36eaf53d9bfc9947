import type { WatchMatch } from "../../../client/assay-client.ts";
import { Age } from "../../parts/age.tsx";
import { Amount } from "../../parts/amount.tsx";
import { DealerCountry } from "../../parts/dealer-country.tsx";
import { DealerName } from "../../parts/dealer-name.tsx";
import { toWhole } from "../../parts/format-amount.ts";
import { ProfitShare } from "../../parts/profit-share.tsx";
import type { Column } from "../../parts/table.tsx";
import { Tag } from "../../parts/tag.tsx";
import { watchDetails, watchTitle } from "../../parts/watch-details.ts";
import { buysWords } from "../../words/buys.ts";
import { type Buy, figuresOf } from "./best-match.ts";

/** The columns of the list. A new column is an entry here. */
export const BUY_COLUMNS: readonly Column<Buy>[] = [
  { id: "watch", title: buysWords.watch, isWide: true, cell: (row) => <Watch row={row} /> },
  { id: "ask", title: buysWords.ask, isNumber: true, cell: (row) => <Ask row={row} /> },
  {
    id: "market",
    title: buysWords.market,
    isNumber: true,
    isOptional: true,
    cell: (row) => <Amount minor={figuresOf(row).average} currency="EUR" kind="threshold" />,
  },
  { id: "profit", title: buysWords.profit, isNumber: true, cell: (row) => <Profit row={row} /> },
  { id: "dealer", title: buysWords.dealer, isOptional: true, cell: (row) => <Dealer row={row} /> },
  {
    id: "age",
    title: buysWords.age,
    isNumber: true,
    cell: ({ matched_at_ms }) => <Age atMs={matched_at_ms} />,
  },
];

function Watch({ row }: { readonly row: WatchMatch }) {
  const { listing, is_shadow } = row;
  return (
    <>
      <WatchLink row={row} /> {is_shadow ? <Tag>{buysWords.shadow}</Tag> : null}{" "}
      {listing?.source.is_revoked === true ? <Tag tone="warn">{buysWords.revoked}</Tag> : null}
      <div class="sub watch-line">
        {listing === undefined ? null : <span>{watchDetails(listing)}</span>}
        <Alerts row={row} />
      </div>
    </>
  );
}

/** A deleted listing has no page. */
function WatchLink({ row: { listing } }: { readonly row: WatchMatch }) {
  if (listing === undefined) return <b>{buysWords.message}</b>;
  return (
    <a class="watch" href={`/listings/${listing.id}`}>
      <b>{watchTitle(listing)}</b> {listing.reference === undefined ? null : listing.model}
    </a>
  );
}

/** The alerts of the row: one by name, because a row has one line for them. */
function Alerts({ row: { matches } }: { readonly row: WatchMatch }) {
  const [first] = matches;
  if (first === undefined) return null;
  const names = matches.map(({ alert }) => alert.name);
  return (
    <span class="alert" title={names.join("\n")}>
      <bdi class="tag">{first.alert.name}</bdi>
      {matches.length === 1 ? null : <span>+{matches.length - 1}</span>}
    </span>
  );
}

function Ask({ row: { listing } }: { readonly row: WatchMatch }) {
  const price = listing?.price;
  if (price === undefined) return <Amount minor={undefined} currency="EUR" kind="price" />;
  return (
    <>
      <Amount minor={price.amount_minor} currency={price.currency} kind="price" />
      {price.currency === "EUR" ? null : (
        <div class="sub">
          <Amount minor={listing?.price_eur_minor} currency="EUR" kind="price" />
        </div>
      )}
    </>
  );
}

function Profit({ row }: { readonly row: Buy }) {
  const { profit, average } = figuresOf(row);
  return (
    <>
      <Amount
        minor={profit === undefined ? undefined : toWhole(profit)}
        currency="EUR"
        kind="profit"
        isSigned
      />
      <div class="sub">
        <ProfitShare profitMinor={profit} averageMinor={average} />
      </div>
    </>
  );
}

function Dealer({ row: { listing } }: { readonly row: WatchMatch }) {
  if (listing === undefined) return null;
  const { sender, source } = listing;
  return (
    <>
      <DealerName sender={sender} />
      <div class="sub facts">
        <DealerCountry callingCode={sender.country_prefix} />
        <span title={source.group_names.join("\n")}>
          {buysWords.groups(source.group_ids.length)}
        </span>
      </div>
    </>
  );
}
