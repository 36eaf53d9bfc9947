import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import type { Listing } from "../../../client/assay-client.ts";
import { isPresenting } from "../../state/preferences.ts";
import type { Price } from "../../state/prices.ts";
import { formatAge } from "../../words/formats.ts";
import { MARKET_COLUMNS, type MarketColumn } from "./market-columns.tsx";
import type { ColumnId } from "./market-state.ts";

interface MarketRow {
  readonly at: number;
  readonly slot: number;
  /** A row without one holds the place of a listing that is still read. */
  readonly listing: Listing | undefined;
  readonly price: Price;
  readonly columns: readonly ColumnId[];
  readonly isSelected: boolean;
  readonly nowMs: number;
}

interface KeptRow {
  readonly row: MarketRow;
  readonly element: VNode;
}

/**
 * The elements of the rows. A row that has not changed keeps its element, and the same element is not compared again: while the
 * reader scrolls, only rows that appear cost something.
 */
export function useRowElements(rows: readonly MarketRow[]): readonly VNode[] {
  const kept = useRef<ReadonlyMap<number, KeptRow>>(new Map());
  const presented = useRef(isPresenting.value);
  // Cells read it, and a cell that is kept reads nothing.
  const hasSwitched = presented.current !== isPresenting.value;
  presented.current = isPresenting.value;
  const next = new Map<number, KeptRow>();
  for (const row of rows) {
    const before = hasSwitched ? undefined : kept.current.get(row.at);
    const isKept = before !== undefined && isSameRow(before.row, row);
    next.set(row.at, { row, element: isKept ? before.element : toElement(row) });
  }
  kept.current = next;
  return Array.from(next.values(), ({ element }) => element);
}

function isSameRow(one: MarketRow, other: MarketRow): boolean {
  return (
    one.slot === other.slot &&
    one.listing === other.listing &&
    one.price === other.price &&
    one.columns === other.columns &&
    one.isSelected === other.isSelected &&
    (one.nowMs === other.nowMs || agesOf(one) === agesOf(other))
  );
}

/** What the row shows of the time. */
function agesOf({ listing, columns, nowMs }: MarketRow): string {
  if (listing === undefined) return "";
  const times = columns.flatMap((id) => MARKET_COLUMNS[id].atMs?.(listing) ?? []);
  return times.map((atMs) => formatAge(nowMs - atMs)).join(" ");
}

function toElement({ at, slot, listing, price, columns, isSelected, nowMs }: MarketRow): VNode {
  return (
    <tr
      key={slot}
      class={listing === undefined ? "is-waiting" : undefined}
      // The first row is the head.
      aria-rowindex={at + 2}
      aria-current={isSelected ? "true" : undefined}
      data-at={at}
    >
      {columns.map((id) => toCell(MARKET_COLUMNS[id], id, { listing, price, nowMs }))}
    </tr>
  );
}

function toCell(
  { isNumber, isForeign, cell, title }: MarketColumn,
  id: ColumnId,
  { listing, price, nowMs }: Pick<MarketRow, "listing" | "price" | "nowMs">,
): VNode {
  return (
    <td
      key={id}
      class={isNumber === true ? "num" : isForeign === true ? "foreign" : undefined}
      data-column={id}
      title={listing && title?.(listing, price)}
    >
      {listing && cell(listing, price, nowMs)}
    </td>
  );
}
