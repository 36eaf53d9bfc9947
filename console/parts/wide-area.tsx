import type { ComponentChildren } from "preact";

/** What may be wider than the page: it scrolls by itself, with the arrow keys too. */
export function WideArea(props: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must take the focus.
    <section class="wide-area" aria-label={props.label} tabIndex={0}>
      {props.children}
    </section>
  );
}
