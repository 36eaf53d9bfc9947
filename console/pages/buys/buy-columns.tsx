import type { WatchMatch } from "../../../client/assay-client.ts";
import { Age } from "../../parts/age.tsx";
import { Amount } from "../../parts/amount.tsx";
import { Phone } from "../../parts/phone.tsx";
import type { Column } from "../../parts/table.tsx";
import { Tag } from "../../parts/tag.tsx";
import { buysWords } from "../../words/buys.ts";

/** The columns of the list. A new column is an entry here. */
export const BUY_COLUMNS: readonly Column<WatchMatch>[] = [
  { id: "watch", title: buysWords.watch, isWide: true, cell: (row) => <Watch row={row} /> },
  { id: "ask", title: buysWords.ask, isNumber: true, cell: (row) => <Ask row={row} /> },
  {
    id: "market",
    title: buysWords.market,
    isNumber: true,
    isOptional: true,
    cell: (row) => (
      <Amount minor={contextOf(row).baseline_average_eur_minor} currency="EUR" kind="threshold" />
    ),
  },
  {
    id: "profit",
    title: buysWords.profit,
    isNumber: true,
    cell: (row) => (
      <Amount
        minor={contextOf(row).profit_opportunity_eur_minor}
        currency="EUR"
        kind="profit"
        isSigned
      />
    ),
  },
  { id: "dealer", title: buysWords.dealer, isOptional: true, cell: (row) => <Dealer row={row} /> },
  {
    id: "age",
    title: buysWords.age,
    isNumber: true,
    cell: ({ matched_at_ms }) => <Age atMs={matched_at_ms} />,
  },
];

function contextOf({ matches }: WatchMatch) {
  return matches[0]?.match.match_context ?? {};
}

function Watch({ row }: { readonly row: WatchMatch }) {
  const { listing, seen_at_ms, is_shadow } = row;
  if (listing === undefined) return <b>{buysWords.message}</b>;
  const { year, condition, full_set_status } = listing;
  const isFullSet = full_set_status.includes("FULL_SET");
  const details = [
    year,
    condition?.toLowerCase().replace("_", " "),
    isFullSet && buysWords.fullSet,
  ];
  return (
    <>
      {seen_at_ms === undefined ? (
        <span class="unseen">
          <span class="sr">{buysWords.isUnseen}</span>
        </span>
      ) : null}
      <a class="watch" href={`/listings/${listing.id}`}>
        <b>
          {listing.brand} {listing.reference}
        </b>{" "}
        {listing.model}
      </a>{" "}
      {is_shadow ? <Tag>{buysWords.shadow}</Tag> : null}
      <div class="sub">{details.filter(Boolean).join(" · ")}</div>
    </>
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

function Dealer({ row: { listing } }: { readonly row: WatchMatch }) {
  if (listing === undefined) return null;
  const { sender, source } = listing;
  return (
    <>
      {sender.display_name ?? <Phone number={sender.phone_number} />}
      <div class="sub">{buysWords.groups(source.group_ids.length)}</div>
    </>
  );
}
