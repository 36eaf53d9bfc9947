import type { ComponentChildren } from "preact";

/** An empty list says what to do. */
export function Empty(props: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="state">
      <p class="state-title">{props.title}</p>
      {props.children}
    </div>
  );
}
