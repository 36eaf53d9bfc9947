import { useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { isSameJson } from "../../filters/filter.ts";
import { Icon } from "../../parts/icons.tsx";
import { openRow, type Selection } from "../../parts/pane/selection.ts";
import { keptOffset } from "../../router.ts";
import { nowMs } from "../../state/clock.ts";
import { isCompact } from "../../state/preferences.ts";
import { marketWords } from "../../words/market.ts";
import { MARKET_COLUMNS } from "./market-columns.tsx";
import { type MarketRows, PAGE_SIZE, useTrueRows } from "./market-rows.ts";
import { type ColumnId, changeSort, market, type Sort, sideOf } from "./market-state.ts";
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
/** What a narrow table leaves out first. The watch then says what it is, and the ask what it is landed. What is seldom chosen stays. */
const LEAST_NEEDED: readonly ColumnId[] = [
  "country",
  "landed",
  "dial",
  "set",
  "photo",
  "condition",
  "year",
  "market",
  "dealer",
  "offer",
  "seen",
];

/** Below this width, the style sheet lays a row out in lines. */
const PHONE = 600;
const ON_PHONE: readonly ColumnId[] = ["watch", "ask", "below", "seen", "offers"];

/** A table of any length: only the rows that are seen, and a few more, are in the document. */
export function MarketTable(props: {
  readonly rows: MarketRows;
  readonly columns: readonly ColumnId[];
  /** Undefined if it is not known exactly. */
  readonly total: number | undefined;
  readonly selection: Selection;
  /** Set to what moves the focus to a row. */
  readonly focus: { current: (id: string) => void };
}) {
  const { selection } = props;
  const { rows, isComplete, failure } = props.rows.state.value;
  const area = useRef<HTMLElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const { rowHeight, width } = useAreaSize(area);
  const columns = useMemo(() => fitColumns(props.columns, width), [props.columns, width]);
  const count = rows.length + (isComplete || failure !== undefined ? 0 : WAITING);
  const { shown, last, scrollTo } = useVirtualRows({
    area,
    body,
    count,
    rowHeight,
    headHeight: HEAD_HEIGHT,
  });
  const shownNumbers = useRef<readonly number[]>([]);
  shownNumbers.current = shown.map(({ at }) => at);
  useTrueRows(props.rows, shownNumbers);
  const { sort, filter } = market.value;
  const isWanted = sideOf(filter) === "want_to_buy";
  const head = useMemo(() => toHead(columns, sort, isWanted), [columns, sort, isWanted]);
  const selectedId = selection.selectedId.value;
  const elements = useRowElements(
    shown.map(({ at, slot }) => ({
      at,
      slot,
      row: rows[at],
      columns,
      isSelected: selectedId !== undefined && rows[at]?.listing.id === selectedId,
      nowMs: nowMs.value,
    })),
  );
  props.focus.current = (id) => {
    const at = rows.findIndex(({ listing }) => listing.id === id);
    if (at < 0) return;
    scrollTo(at);
    if (focusRow(area.current, at)) return;
    // The row appears only after the scroll. Until then Enter must not open the row that had the focus.
    area.current?.focus({ preventScroll: true });
    requestAnimationFrame(() => requestAnimationFrame(() => focusRow(area.current, at)));
  };
  const onClick = (event: MouseEvent): void => {
    const row = event.target instanceof Element ? event.target.closest("tr") : null;
    const id = rows[Number(row?.dataset["at"] ?? -1)]?.listing.id;
    if (id !== undefined) openRow(event, id, selection);
  };
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
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the list do the same, and each row has a link. */}
        <tbody ref={body} onClick={onClick}>
          {elements}
        </tbody>
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

/** Leaves out columns where there is no room for all of them. */
function fitColumns(columns: readonly ColumnId[], width: number): readonly ColumnId[] {
  const widthOf = (id: ColumnId): number =>
    Number.parseInt(/\d+(?=px)/.exec(MARKET_COLUMNS[id].width)?.[0] ?? "0", 10);
  const needed = (ids: readonly ColumnId[]) => ids.reduce((sum, id) => sum + widthOf(id), PADDING);
  if (width < PHONE) return columns.filter((id) => ON_PHONE.includes(id));
  let fitting = columns;
  for (const id of LEAST_NEEDED) {
    if (needed(fitting) <= width) break;
    fitting = fitting.filter((each) => each !== id);
  }
  return fitting;
}

function toHead(columns: readonly ColumnId[], sort: Sort, isWanted: boolean) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map((id) => (
          <Head key={id} id={id} sort={sort} isWanted={isWanted} />
        ))}
      </tr>
    </thead>
  );
}

/** The name of a column orders the rows by it, where the service can; pressed again, the other way round. */
function Head(props: { readonly id: ColumnId; readonly sort: Sort; readonly isWanted: boolean }) {
  const { id, sort } = props;
  const { isNumber, sorts = [] } = MARKET_COLUMNS[id];
  const name = id === "ask" && props.isWanted ? marketWords.budget : marketWords.columns[id];
  const isSorted = sorts.includes(sort);
  const isUp = sort === "price_asc" || sort === "oldest";
  const [first, second] = sorts;
  const arrow = <Icon name={isUp ? "up" : "down"} />;
  return (
    <th
      scope="col"
      class={isNumber === true ? "num" : ""}
      data-column={id}
      {...(isSorted
        ? { "aria-sort": isUp ? ("ascending" as const) : ("descending" as const) }
        : {})}
    >
      {id === "photo" ? <span class="sr">{name}</span> : null}
      {first === undefined && id !== "photo" ? name : null}
      {first === undefined ? null : (
        <button
          type="button"
          class="order"
          onClick={() =>
            changeSort(sort === first && second !== undefined && id !== "below" ? second : first)
          }
        >
          {name}
          {isSorted && sort !== "profit_bps" ? arrow : null}
        </button>
      )}
      {id === "below" ? (
        <button
          type="button"
          class="order"
          aria-label={marketWords.belowShare}
          title={marketWords.belowShare}
          onClick={() => changeSort("profit_bps")}
        >
          {marketWords.share}
          {sort === "profit_bps" ? arrow : null}
        </button>
      ) : null}
    </th>
  );
}

/** Returns false if the row is not in the document. */
function focusRow(area: HTMLElement | null, at: number): boolean {
  const link = area?.querySelector<HTMLElement>(`[data-at="${at}"] a`) ?? null;
  link?.focus({ preventScroll: true });
  return link !== null;
}
