import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { isSameJson } from "../../../filters/filter.ts";
import { isCompact } from "../../../state/preferences.ts";

interface AreaSize {
  /** As the style sheet has it: it depends on the density and the width of the window. */
  readonly rowHeight: number;
  readonly width: number;
}

const ROW_HEIGHT = 48;

/** In pixels. */
export function useAreaSize(area: { readonly current: HTMLElement | null }): AreaSize {
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
