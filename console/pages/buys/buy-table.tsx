import { useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { WatchMatch } from "../../../client/assay-client.ts";
import { columnClass } from "../../parts/table.tsx";
import { buysWords } from "../../words/buys.ts";
import { BUY_COLUMNS } from "./buy-columns.tsx";
import { type Buys, isSeen } from "./buys-state.ts";
import { isNarrow, type Selection } from "./selection.ts";

interface TableProps {
  readonly buys: Buys;
  readonly selection: Selection;
  readonly rows: readonly WatchMatch[];
}

/** As many as a screen shows. The others follow when these are painted. */
const FIRST_ROWS = 20;

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
  const price = useComputed(() => buys.prices.value.get(id)).value;
  const buy = { ...row, price };
  const isDone = isMarked || isSeen(row, new Set());
  // The keyboard opens the link that has the focus. A click anywhere in the row shows it beside the list.
  const onClick = (event: MouseEvent): void => {
    const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!isPlain) return;
    const isByKeyboard = event.detail === 0;
    if (isByKeyboard && !isNarrow()) selection.settle();
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
          {column.cell(buy)}
        </td>
      ))}
    </tr>
  );
}
