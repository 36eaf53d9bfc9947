import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { keptOffset, path } from "../router.ts";

const RESTORE_MS = 3_000;

/** An area that scrolls, takes the focus for arrow keys, and is where it was when the reader comes back. */
export function ScrollArea(props: {
  /** Unique on the page. */
  readonly name: string;
  readonly label: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}) {
  const area = useRef<HTMLDivElement>(null);
  const page = path.value;
  useEffect(() => restore(area.current, keptOffset(props.name) ?? 0), [page, props.name]);
  return (
    <section
      ref={area}
      class={`scroll ${props.class ?? ""}`}
      aria-label={props.label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must take the focus.
      tabIndex={0}
      data-keep-scroll={props.name}
    >
      {props.children}
    </section>
  );
}

/** Rows may arrive later, so the offset is set again as the content grows, until it is reached or the reader scrolls. */
function restore(area: HTMLElement | null, offset: number): (() => void) | undefined {
  if (area === null) return undefined;
  area.scrollTop = offset;
  const content = area.firstElementChild;
  if (area.scrollTop >= offset || content === null) return undefined;
  const observer = new ResizeObserver(() => {
    area.scrollTop = offset;
    if (area.scrollTop >= offset) stop();
  });
  const stop = (): void => observer.disconnect();
  observer.observe(content);
  area.addEventListener("wheel", stop, { once: true, passive: true });
  area.addEventListener("keydown", stop, { once: true });
  area.addEventListener("pointerdown", stop, { once: true });
  const timer = setTimeout(stop, RESTORE_MS);
  return () => {
    clearTimeout(timer);
    stop();
  };
}
