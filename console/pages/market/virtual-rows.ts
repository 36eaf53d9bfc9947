/**
 * Which rows of a long table are in the document. All rows have one height, so the place of a row follows from its number.
 *
 * A row that leaves at one end is used again for the one that appears at the other: new texts in elements that are there cost
 * a third of new elements. So while the reader scrolls, the order in the document is not that of the rows; each row is moved to
 * its place (through CSSOM: the page's policy refuses style attributes). When the scrolling rests, the rows are sorted, because
 * the Tab key and screen readers follow the document.
 */
import { type Signal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useCallback, useLayoutEffect, useRef } from "preact/hooks";

interface ShownRow {
  readonly at: number;
  /** Rows with the same slot use the same elements, one after the other. The key of the row's element. */
  readonly slot: number;
}

interface VirtualRows {
  /** In the order of the document. */
  readonly shown: readonly ShownRow[];
  /** The number of the last one. */
  readonly last: number;
  readonly scrollTo: (at: number) => void;
}

interface Options {
  /** What scrolls. */
  readonly area: RefObject<HTMLElement | null>;
  /** The parent of the rows. Its children are the rows that are shown. */
  readonly body: RefObject<HTMLElement | null>;
  readonly count: number;
  readonly rowHeight: number;
  /** Of the head that stays over the rows. */
  readonly headHeight: number;
}

interface Span {
  readonly first: number;
  readonly length: number;
}

/** Rows beyond both edges, so that a turn of the wheel finds them ready. */
const OVERSCAN = 8;
/** Shown before the area is measured. */
const FIRST_ROWS = 40;
const REST_MS = 500;

export function useVirtualRows(options: Options): VirtualRows {
  const { area, body, count, rowHeight, headHeight } = options;
  const { first, length } = useSpan(area, rowHeight).value;
  const begin = Math.min(first, Math.max(0, count - length));
  const turn = useTurn({ body, begin, length });
  const shownLength = Math.min(length, count - begin);
  const shown = Array.from({ length }, (_, place) => {
    const slot = (turn + place) % length;
    return { slot, at: begin + ((slot - (begin % length) + length) % length) };
  }).filter(({ at }) => at < begin + shownLength);
  usePlaces({ area, body, shown, count, rowHeight });
  const scrollTo = useCallback(
    (at: number) => {
      const { current } = area;
      if (current === null) return;
      const top = at * rowHeight;
      // A row is not visible where the head lies over it.
      const bottom = top + rowHeight + headHeight - current.clientHeight;
      current.scrollTop = Math.min(top, Math.max(bottom, current.scrollTop));
    },
    [area, rowHeight, headHeight],
  );
  return { shown, last: begin + shownLength - 1, scrollTo };
}

/** The rows between the edges of the area, and a few more. */
function useSpan(area: RefObject<HTMLElement | null>, rowHeight: number): Signal<Span> {
  const span = useSignal<Span>({ first: 0, length: FIRST_ROWS });
  useLayoutEffect(() => {
    const { current } = area;
    if (current === null) return undefined;
    const measure = (): void => {
      const first = Math.max(0, Math.floor(current.scrollTop / rowHeight) - OVERSCAN);
      const length = Math.ceil(current.clientHeight / rowHeight) + 2 * OVERSCAN;
      const { value } = span;
      if (value.first !== first || value.length !== length) span.value = { first, length };
    };
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    current.addEventListener("scroll", measure, { passive: true });
    measure();
    return () => {
      observer.disconnect();
      current.removeEventListener("scroll", measure);
    };
  }, [area, rowHeight, span]);
  return span;
}

/** The slot that is first in the document: that of the first row, once the scrolling rests. */
function useTurn({
  body,
  begin,
  length,
}: Pick<Options, "body"> & { readonly begin: number; readonly length: number }): number {
  const turn = useSignal(0);
  const focused = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    const timer = setTimeout(() => {
      const { activeElement } = document;
      const isRow = activeElement instanceof HTMLElement && body.current?.contains(activeElement);
      focused.current = isRow === true ? activeElement : null;
      turn.value = begin % length;
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [body, turn, begin, length]);
  // An element that moves in the document loses the focus.
  useLayoutEffect(() => {
    if (document.activeElement !== focused.current) focused.current?.focus({ preventScroll: true });
    focused.current = null;
  }, [turn.value]);
  return turn.value % length;
}

/** Moves the rows to their places, and makes the body as high as all rows. */
function usePlaces({
  area,
  body,
  shown,
  count,
  rowHeight,
}: Pick<Options, "area" | "body" | "count" | "rowHeight"> & {
  readonly shown: readonly ShownRow[];
}): void {
  const places = useRef(new WeakMap<HTMLElement, { readonly at: number; readonly top: number }>());
  useLayoutEffect(() => {
    if (body.current !== null) body.current.style.height = `${count * rowHeight}px`;
  }, [body, count, rowHeight]);
  useLayoutEffect(() => {
    for (const [index, { at }] of shown.entries()) {
      const row = body.current?.children[index];
      if (!(row instanceof HTMLElement)) continue;
      const top = at * rowHeight;
      const before = places.current.get(row);
      if (before?.at === at && before.top === top) continue;
      row.style.translate = `0 ${top}px`;
      places.current.set(row, { at, top });
      // The focus was on another row, which has left.
      const isOther = before !== undefined && before.at !== at;
      if (isOther && row.contains(document.activeElement)) {
        area.current?.focus({ preventScroll: true });
      }
    }
  });
}
