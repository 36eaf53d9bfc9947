/** What a page is laid out with, and where there is no room beside something. */
import { type ReadonlySignal, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { keptOffset, path, visitCount } from "../router.ts";
import { pageTitle } from "../state/title.ts";

/** Below this width, a row lies over its list instead of beside it, and the controls of a filter are a sheet. As in the style sheets. */
export const isNarrow = follow(matchMedia("(width < 1100px)"));

/** From this width on, there is room for controls beside a table with all its columns. */
export const isBroad = follow(matchMedia("(width >= 1600px)"));

const RESTORE_MS = 30_000;

/** The heading of a page: it names the tab, and has the focus after a change of page, so that a screen reader starts here. */
export function PageHeading(props: {
  readonly title: string;
  /** Only for screen readers, where the page's navigation already says it. */
  readonly isHidden?: boolean;
  readonly children?: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    pageTitle.value = props.title;
  }, [props.title]);
  useEffect(() => {
    if (visitCount.peek() > 0) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} class={props.isHidden === true ? "sr" : ""}>
      {props.children ?? props.title}
    </h1>
  );
}

/** A part of a page with a heading. */
export function Section(props: {
  readonly title: string;
  /** Beside the heading, quietly. */
  readonly note?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class={`block ${props.class ?? ""}`} aria-labelledby={id}>
      <div class="block-head">
        <h2 id={id}>{props.title}</h2>
        {props.note === undefined ? null : <div class="sub">{props.note}</div>}
      </div>
      {props.children}
    </section>
  );
}

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

/** What may be wider than the page: it scrolls by itself, with the arrow keys too. */
export function WideArea(props: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must take the focus.
    <section class="wide-area" aria-label={props.label} tabIndex={0}>
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
  area.addEventListener("pointerdown", stop, { once: true });
  // The keys of a list work wherever the focus is.
  addEventListener("keydown", stop, { once: true });
  const timer = setTimeout(stop, RESTORE_MS);
  return () => {
    clearTimeout(timer);
    removeEventListener("keydown", stop);
    stop();
  };
}

function follow(media: MediaQueryList): ReadonlySignal<boolean> {
  const isMatching = signal(media.matches);
  media.addEventListener("change", ({ matches }) => {
    isMatching.value = matches;
  });
  return isMatching;
}
