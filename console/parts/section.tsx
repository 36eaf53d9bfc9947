import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

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
