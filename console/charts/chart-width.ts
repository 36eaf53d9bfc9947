import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";

/** The width of an element in pixels, kept up to date; undefined before it is in the document. */
export function useChartWidth(element: {
  readonly current: HTMLElement | null;
}): number | undefined {
  const width = useSignal<number | undefined>(undefined);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const measure = (): void => {
      width.value = current.clientWidth;
    };
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    measure();
    return () => observer.disconnect();
  }, [element, width]);
  return width.value;
}
