/**
 * Which rows of a long table are in the document. All rows have one height, so the place of a row follows from its number.
 *
 * The caller gives the body of the table its whole height, and pushes the shown rows down by `offset` (both through CSSOM: the
 * page's policy refuses style attributes). One offset for all, because a style of its own for each row doubles what a new row costs.
 */
import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useCallback, useLayoutEffect } from "preact/hooks";

export interface VirtualRows {
  /** The numbers of the rows to render. */
  readonly shown: readonly number[];
  /** The height of the rows above them. */
  readonly offset: number;
  readonly scrollTo: (at: number) => void;
}

interface Options {
  readonly count: number;
  readonly rowHeight: number;
  /** Of the head that stays over the rows. */
  readonly headHeight: number;
}

/** Rows beyond both edges, so that a turn of the wheel finds them ready. */
const OVERSCAN = 8;
/** Shown before the area is measured. */
const FIRST_ROWS = 40;

export function useVirtualRows(
  area: RefObject<HTMLElement | null>,
  { count, rowHeight, headHeight }: Options,
): VirtualRows {
  const first = useSignal(0);
  const length = useSignal(FIRST_ROWS);
  useLayoutEffect(() => {
    const { current } = area;
    if (current === null) return undefined;
    const measure = (): void => {
      first.value = Math.max(0, Math.floor(current.scrollTop / rowHeight) - OVERSCAN);
      length.value = Math.ceil(current.clientHeight / rowHeight) + 2 * OVERSCAN;
    };
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    current.addEventListener("scroll", measure, { passive: true });
    measure();
    return () => {
      observer.disconnect();
      current.removeEventListener("scroll", measure);
    };
  }, [area, rowHeight, first, length]);
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
  const begin = Math.min(first.value, Math.max(0, count - length.value));
  const shown = Array.from(
    { length: Math.min(length.value, count - begin) },
    (_, at) => begin + at,
  );
  return { shown, offset: begin * rowHeight, scrollTo };
}
