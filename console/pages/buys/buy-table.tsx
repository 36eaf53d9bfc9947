import { useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { WatchMatch } from "../../../client/assay-client.ts";
import { Icon } from "../../parts/icons.tsx";
import { openRow, type Selection } from "../../parts/pane/selection.ts";
import { watchTitle } from "../../parts/watch.tsx";
import { setQuery } from "../../router.ts";
import { canWrite } from "../../state/session.ts";
import { buysWords } from "../../words/buys.ts";
import { paneWords } from "../../words/pane.ts";
import { BUY_COLUMNS } from "./buy-columns.tsx";
import { type BuyFilter, type ColumnId, type SortKey, writeBuyFilter } from "./buys-address.ts";
import { shownColumns } from "./buys-bar.tsx";
import { type Buys, isSeen } from "./buys-state.ts";
import type { Several } from "./several.ts";

interface TableProps {
  readonly buys: Buys;
  readonly selection: Selection;
  readonly several: Several;
  readonly rows: readonly WatchMatch[];
}

/** As many as a screen shows. The others follow when these are painted. */
const FIRST_ROWS = 20;

export function BuyTable({ buys, selection, several, rows }: TableProps) {
  const isPainted = useSignal(false);
  useEffect(() => {
    isPainted.value = true;
  }, []);
  const columns = shownColumns.value;
  // The row that the address names may be further down.
  const shown = isPainted.value || selection.isOpen ? rows : rows.slice(0, FIRST_ROWS);
  return (
    <table class="buys-list">
      <caption class="sr">{buysWords.caption}</caption>
      <thead>
        <tr>
          {columns.map((id) => (
            <Head key={id} id={id} buys={buys} />
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map((row) => (
          <BuyRow
            key={row.resource_id}
            row={row}
            columns={columns}
            buys={buys}
            selection={selection}
            several={several}
          />
        ))}
      </tbody>
    </table>
  );
}

/** The name of a column orders the rows by it; pressed again, the other way round. */
function Head({ id, buys }: { readonly id: ColumnId; readonly buys: Buys }) {
  const { filter } = buys;
  const { by, isReversed } = filter.sort;
  const isSorted = id === by || (id === "below" && by === "share");
  const order = (key: SortKey) => (): void => {
    const sort = { by: key, isReversed: key === by && !isReversed };
    setQuery(writeBuyFilter({ ...filter, sort }));
  };
  const isUp = isAscending(by) !== isReversed;
  return (
    <th
      scope="col"
      class={cellClass(id)}
      data-column={id}
      {...(isSorted
        ? { "aria-sort": isUp ? ("ascending" as const) : ("descending" as const) }
        : {})}
    >
      {id === "photo" ? (
        <span class="sr">{buysWords.columns.photo}</span>
      ) : (
        <button type="button" class="order" onClick={order(id)}>
          {titleOf(id, filter.tab)}
          {by === id ? <Icon name={isUp ? "up" : "down"} /> : null}
        </button>
      )}
      {id === "below" ? (
        <button
          type="button"
          class="order"
          aria-label={buysWords.belowShare}
          title={buysWords.belowShare}
          onClick={order("share")}
        >
          {buysWords.share}
          {by === "share" ? <Icon name={isUp ? "up" : "down"} /> : null}
        </button>
      ) : null}
    </th>
  );
}

function titleOf(id: ColumnId, tab: BuyFilter["tab"]): string {
  return id === "offer" && tab === "other" ? buysWords.buyUpTo : buysWords.columns[id];
}

/** What is ordered from the least or the first letter on. Figures of which more is better, and times, begin at the top. */
function isAscending(by: SortKey): boolean {
  return !["year", "market", "below", "share", "offer", "age"].includes(by);
}

/** Only the rows whose state changes are rendered again. */
function BuyRow(props: {
  readonly row: WatchMatch;
  readonly columns: readonly ColumnId[];
  readonly buys: Buys;
  readonly selection: Selection;
  readonly several: Several;
}) {
  const { row, buys, selection, several } = props;
  const { resource_id: id } = row;
  const isSelected = useComputed(() => selection.selectedId.value === id).value;
  const isMarked = useComputed(() => buys.markedIds.value.has(id)).value;
  const isChosen = useComputed(() => several.chosenIds.value.has(id)).value;
  const isDone = isMarked || isSeen(row, new Set());
  const names = [
    isDone ? "is-seen" : "",
    isChosen ? "is-chosen" : "",
    row.deal?.state === "passed" && row.deal.price_drop === undefined ? "is-passed" : "",
  ];
  const onClick = (event: MouseEvent): void => {
    if (event.target instanceof Element && event.target.closest("input") !== null) return;
    if (event.shiftKey) {
      event.preventDefault();
      several.chooseTo(id);
    } else openRow(event, id, selection);
  };
  return (
    <tr
      data-id={id}
      class={names.filter(Boolean).join(" ")}
      aria-selected={isSelected}
      onClick={onClick}
    >
      {props.columns.map((column, at) => (
        <td
          key={column}
          class={cellClass(column)}
          data-column={column}
          data-title={titleOf(column, buys.filter.tab)}
        >
          {at === 0 ? (
            <Gutter row={row} isDone={isDone} isChosen={isChosen} several={several} />
          ) : null}
          {BUY_COLUMNS[column].cell(row)}
        </td>
      ))}
    </tr>
  );
}

/** Whether the row was seen, and a box that chooses it. */
function Gutter(props: {
  readonly row: WatchMatch;
  readonly isDone: boolean;
  readonly isChosen: boolean;
  readonly several: Several;
}) {
  const { row, isDone } = props;
  const name = row.listing === undefined ? paneWords.message : watchTitle(row.listing);
  return (
    <span class="gutter">
      {isDone ? (
        <span class="done">
          <Icon name="check" />
          <span class="sr">{buysWords.isSeen}</span>
        </span>
      ) : (
        <span class="unseen">
          <span class="sr">{buysWords.isUnseen}</span>
        </span>
      )}
      {canWrite.value && row.listing !== undefined ? (
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={buysWords.choose(name)}
          checked={props.isChosen}
          onChange={() => props.several.toggle(row.resource_id)}
        />
      ) : null}
    </span>
  );
}

function cellClass(id: ColumnId): string {
  const { isNumber, isOptional } = BUY_COLUMNS[id];
  return [isNumber === true && "num", isOptional === true && "optional"].filter(Boolean).join(" ");
}
