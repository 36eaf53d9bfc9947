import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import { isPresenting } from "../../state/preferences.ts";
import { formatAge } from "../../words/formats.ts";
import { MARKET_COLUMNS } from "./market-columns.tsx";
import type { MarketRow } from "./market-rows.ts";
import type { ColumnId } from "./market-state.ts";

interface PlacedRow {
  readonly at: number;
  readonly slot: number;
  /** Undefined holds the place of a listing that is still read. */
  readonly row: MarketRow | undefined;
  readonly columns: readonly ColumnId[];
  readonly isSelected: boolean;
  readonly nowMs: number;
}

interface KeptRow {
  readonly row: PlacedRow;
  readonly element: VNode;
}

/**
 * The elements of the rows. A row that has not changed keeps its element, and the same element is not compared again: while the
 * reader scrolls, only rows that appear cost something.
 */
export function useRowElements(rows: readonly PlacedRow[]): readonly VNode[] {
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

function isSameRow(one: PlacedRow, other: PlacedRow): boolean {
  return (
    one.slot === other.slot &&
    one.row === other.row &&
    one.columns === other.columns &&
    one.isSelected === other.isSelected &&
    (one.nowMs === other.nowMs || agesOf(one) === agesOf(other))
  );
}

/** What the row shows of the time. */
function agesOf({ row, columns, nowMs }: PlacedRow): string {
  if (row === undefined) return "";
  const times = columns.flatMap((id) => MARKET_COLUMNS[id].atMs?.(row.listing) ?? []);
  return times.map((atMs) => formatAge(nowMs - atMs)).join(" ");
}

function toElement(placed: PlacedRow): VNode {
  const { at, slot, row, columns } = placed;
  return (
    <tr
      key={slot}
      class={classOf(row)}
      // The first row is the head.
      aria-rowindex={at + 2}
      aria-current={placed.isSelected ? "true" : undefined}
      data-at={at}
    >
      {columns.map((id) => toCell(id, placed))}
    </tr>
  );
}

/** An ask of more than a week ago, or one that was replaced, is pale. */
function classOf(row: MarketRow | undefined): string | undefined {
  if (row === undefined) return "is-waiting";
  const isPassed = row.deal?.state === "passed" && row.deal.price_drop === undefined;
  const isOld = row.offer_state !== undefined && !["today", "recent"].includes(row.offer_state);
  return isPassed || isOld ? "is-pale" : undefined;
}

function toCell(id: ColumnId, { row, columns, nowMs }: PlacedRow): VNode {
  const { isNumber, isForeign, cell, title } = MARKET_COLUMNS[id];
  return (
    <td
      key={id}
      class={isNumber === true ? "num" : isForeign === true ? "foreign" : undefined}
      data-column={id}
      title={row && title?.(row)}
    >
      {row && cell(row, { columns, nowMs })}
    </td>
  );
}
