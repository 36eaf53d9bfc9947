import { useSignal } from "@preact/signals";
import { useCallback, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { isSameJson } from "../../filters/filter.ts";
import { keptOffset, navigate } from "../../router.ts";
import { nowMs } from "../../state/clock.ts";
import { useKeys } from "../../state/commands.ts";
import { isCompact } from "../../state/preferences.ts";
import { marketWords } from "../../words/market.ts";
import { MARKET_COLUMNS } from "./market-columns.tsx";
import { type MarketRows, PAGE_SIZE, pageOf } from "./market-rows.ts";
import { type ColumnId, DEFAULT_COLUMNS } from "./market-state.ts";
import { useRowElements } from "./row-elements.tsx";
import { useVirtualRows } from "./virtual-rows.ts";

interface AreaSize {
  /** As the style sheet has it: it depends on the density and the width of the window. */
  readonly rowHeight: number;
  readonly width: number;
}

const NAME = "market";
/** Rows that hold the place of the next page. */
const WAITING = 20;
const ROW_HEIGHT = 48;
const HEAD_HEIGHT = 32;
const PADDING = 12;
/** The next page is asked for when this many rows are left, so that a reader who scrolls fast finds rows with their prices. */
const AHEAD = 3 * PAGE_SIZE;
/** What a narrow table leaves out first. */
const LEAST_NEEDED: readonly ColumnId[] = ["groups", "country", "dealer", "seen"];

/** A table of any length: only the rows that are seen, and a few more, are in the document. */
export function MarketTable(props: {
  readonly rows: MarketRows;
  readonly columns: readonly ColumnId[];
  /** Undefined if it is not known exactly. */
  readonly total: number | undefined;
}) {
  const { rows, isComplete, failure } = props.rows.state.value;
  const prices = props.rows.prices.value;
  const area = useRef<HTMLElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const { rowHeight, width } = useAreaSize(area);
  const columns = useMemo(
    () => fitColumns(props.columns, width, (id) => MARKET_COLUMNS[id].width),
    [props.columns, width],
  );
  const count = rows.length + (isComplete || failure !== undefined ? 0 : WAITING);
  const { shown, last, scrollTo } = useVirtualRows({
    area,
    body,
    count,
    rowHeight,
    headHeight: HEAD_HEIGHT,
  });
  const head = useMemo(() => toHead(columns), [columns]);
  const selected = useSelection(props.rows, area, scrollTo);
  const elements = useRowElements(
    shown.map(({ at, slot }) => ({
      at,
      slot,
      listing: rows[at],
      price: prices[pageOf(at)]?.get(rows[at]?.id ?? ""),
      columns,
      isSelected: at === selected,
      nowMs: nowMs.value,
    })),
  );
  useLayoutEffect(() => {
    const widths = columns.map((id) => MARKET_COLUMNS[id].width).join(" ");
    table.current?.style.setProperty("--market-columns", widths);
  }, [columns]);
  // Another search begins at the top, unless the reader comes back to it.
  useLayoutEffect(() => {
    if (area.current !== null) area.current.scrollTop = keptOffset(NAME) ?? 0;
  }, [props.rows]);
  // With the render: an effect after the frame would cost a task of its own.
  useLayoutEffect(() => {
    if (last >= rows.length - AHEAD && failure === undefined) props.rows.loadMore();
  }, [props.rows, last, rows.length, failure]);
  return (
    <section
      ref={area}
      class="scroll market-area"
      aria-label={marketWords.caption}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must take the focus.
      tabIndex={0}
      data-keep-scroll={NAME}
    >
      <table ref={table} aria-rowcount={(props.total ?? -2) + 1}>
        <caption class="sr">{marketWords.caption}</caption>
        {head}
        <tbody ref={body}>{elements}</tbody>
      </table>
    </section>
  );
}

/** In pixels. */
function useAreaSize(area: { readonly current: HTMLElement | null }): AreaSize {
  const size = useSignal<AreaSize>({ rowHeight: ROW_HEIGHT, width: Number.POSITIVE_INFINITY });
  const compact = isCompact.value;
  useLayoutEffect(() => {
    const { current } = area;
    if (current === null) return undefined;
    const measure = (): void => {
      const row = getComputedStyle(current).getPropertyValue("--row");
      const next = {
        rowHeight: Number.parseFloat(row) || ROW_HEIGHT,
        width: current.clientWidth,
      };
      if (!isSameJson(next, size.peek())) size.value = next;
    };
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    measure();
    return () => observer.disconnect();
  }, [area, size, compact]);
  return size.value;
}

/** Leaves out some of the default columns where there is no room. Columns that were chosen stay: the table then scrolls. */
function fitColumns(
  columns: readonly ColumnId[],
  width: number,
  widthOf: (id: ColumnId) => string,
): readonly ColumnId[] {
  if (columns.join() !== DEFAULT_COLUMNS.join()) return columns;
  const needed = (ids: readonly ColumnId[]) =>
    ids.reduce(
      (sum, id) => sum + Number.parseInt(/\d+(?=px)/.exec(widthOf(id))?.[0] ?? "0", 10),
      PADDING,
    );
  let fitting = columns;
  for (const id of LEAST_NEEDED) {
    if (needed(fitting) <= width) break;
    fitting = fitting.filter((each) => each !== id);
  }
  return fitting;
}

function toHead(columns: readonly ColumnId[]) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map((id) => (
          <th key={id} scope="col" class={MARKET_COLUMNS[id].isNumber === true ? "num" : ""}>
            {marketWords.columns[id]}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Returns false if the row is not in the document. */
function focusRow(area: HTMLElement | null, at: number): boolean {
  const link = area?.querySelector<HTMLElement>(`[data-at="${at}"] a`) ?? null;
  link?.focus({ preventScroll: true });
  return link !== null;
}

/** j and k move the selection, and the focus with it, so that Enter opens the row. */
function useSelection(
  { state }: MarketRows,
  area: { readonly current: HTMLElement | null },
  scrollTo: (at: number) => void,
): number | undefined {
  const selected = useSignal<number | undefined>(undefined);
  const select = useCallback(
    (at: number) => {
      const last = state.peek().rows.length - 1;
      if (last < 0) return;
      const next = Math.max(0, Math.min(last, at));
      selected.value = next;
      scrollTo(next);
      if (focusRow(area.current, next)) return;
      // The row appears only after the scroll. Until then Enter must not open the row that had the focus.
      area.current?.focus({ preventScroll: true });
      requestAnimationFrame(() => requestAnimationFrame(() => focusRow(area.current, next)));
    },
    [state, area, selected],
  );
  const open = useCallback(() => {
    const listing = state.peek().rows[selected.peek() ?? -1];
    if (listing !== undefined) navigate(`/listings/${listing.id}`);
  }, [state, selected]);
  // Before the reader sees the new rows: a key that is pressed on them counts.
  useLayoutEffect(() => {
    selected.value = undefined;
  }, [state]);
  useKeys(
    useMemo(
      () => [
        { key: "j", label: marketWords.next, run: () => select((selected.peek() ?? -1) + 1) },
        { key: "k", label: marketWords.previous, run: () => select((selected.peek() ?? 1) - 1) },
        { key: "Enter", label: marketWords.open, run: open },
      ],
      [select, open, selected],
    ),
  );
  return selected.value;
}
