import { useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { WatchMatch } from "../../../client/assay-client.ts";
import { Age, Amount, ProfitShare } from "../../parts/figures.tsx";
import { isNarrow } from "../../parts/layout.tsx";
import { type Column, columnClass, Tag } from "../../parts/table.tsx";
import { DealerCountry, DealerName, watchDetails, watchTitle } from "../../parts/watch.tsx";
import { buysWords } from "../../words/buys.ts";
import { toWhole } from "../../words/formats.ts";
import { type Buys, figuresOf, isSeen } from "./buys-state.ts";
import type { Selection } from "./selection.ts";

interface TableProps {
  readonly buys: Buys;
  readonly selection: Selection;
  readonly rows: readonly WatchMatch[];
}

/** As many as a screen shows. The others follow when these are painted. */
const FIRST_ROWS = 20;

/** The columns of the list. A new column is an entry here. */
const BUY_COLUMNS: readonly Column<WatchMatch>[] = [
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

export function BuyTable({ buys, selection, rows }: TableProps) {
  const isPainted = useSignal(false);
  useEffect(() => {
    isPainted.value = true;
  }, []);
  // The row that the address names may be further down.
  const shown = isPainted.value || selection.isOpen ? rows : rows.slice(0, FIRST_ROWS);
  return (
    <table class="buys-list">
      <caption class="sr">{buysWords.caption}</caption>
      <thead>
        <tr>
          {BUY_COLUMNS.map((column) => (
            <th key={column.id} scope="col" class={columnClass(column)} data-column={column.id}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map((row) => (
          <BuyRow key={row.resource_id} row={row} buys={buys} selection={selection} />
        ))}
      </tbody>
    </table>
  );
}

/** Only the rows whose state changes are rendered again. */
function BuyRow(props: {
  readonly row: WatchMatch;
  readonly buys: Buys;
  readonly selection: Selection;
}) {
  const { row, buys, selection } = props;
  const { resource_id: id } = row;
  const isSelected = useComputed(() => selection.selectedId.value === id).value;
  const isMarked = useComputed(() => buys.markedIds.value.has(id)).value;
  const isDone = isMarked || isSeen(row, new Set());
  // The keyboard opens the link that has the focus. A click anywhere in the row shows it beside the list.
  const onClick = (event: MouseEvent): void => {
    const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!isPlain) return;
    const isByKeyboard = event.detail === 0;
    if (isByKeyboard && !isNarrow.value) selection.settle();
    else {
      event.preventDefault();
      selection.open(id);
    }
  };
  return (
    <tr data-id={id} class={isDone ? "is-seen" : ""} aria-selected={isSelected} onClick={onClick}>
      {BUY_COLUMNS.map((column, at) => (
        <td key={column.id} class={columnClass(column)} data-column={column.id}>
          {at === 0 && !isDone ? (
            <span class="unseen">
              <span class="sr">{buysWords.isUnseen}</span>
            </span>
          ) : null}
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

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

function Profit({ row }: { readonly row: WatchMatch }) {
  const { profit, average } = figuresOf(row);
  return (
    <>
      <Amount
        minor={profit === undefined ? undefined : toWhole(profit)}
        currency="EUR"
        kind="profit"
        isSigned
        isBuy={row.price?.is_buy === true}
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
