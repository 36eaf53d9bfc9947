/**
 * Which rows of a long table are in the document. Rows have one height, so the offset of a row follows from its number.
 *
 * The caller gives the body of the table the whole height, and moves each row to its offset (both through CSSOM: the page's
 * policy refuses style attributes).
 */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";

export interface VirtualRows {
  /** The numbers of the rows to render. */
  readonly shown: readonly number[];
  readonly scrollTo: (at: number) => void;
}

/** Rows beyond both edges, so that a turn of the wheel finds them ready. */
const OVERSCAN = 8;

export function useVirtualRows(
  area: RefObject<HTMLElement | null>,
  options: { readonly count: number; readonly rowHeight: number; readonly headHeight: number },
): VirtualRows {
  const [, render] = useState({});
  const virtualizer = useMemo(
    () => new Virtualizer<HTMLElement, HTMLElement>(settings(area, options, () => render({}))),
    [],
  );
  virtualizer.setOptions(settings(area, options, () => render({})));
  useEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, options.rowHeight]);
  return {
    shown: virtualizer.getVirtualItems().map(({ index }) => index),
    scrollTo: (at) => virtualizer.scrollToIndex(at, { align: "auto" }),
  };
}

function settings(
  area: RefObject<HTMLElement | null>,
  { count, rowHeight, headHeight }: { count: number; rowHeight: number; headHeight: number },
  onChange: () => void,
) {
  return {
    count,
    getScrollElement: () => area.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    scrollMargin: headHeight,
    // A row is not visible where the head of the table lies over it.
    scrollPaddingStart: headHeight,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange,
  };
}
