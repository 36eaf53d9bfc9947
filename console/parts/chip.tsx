import type { ComponentChildren } from "preact";

/** A choice that is on or off, such as a filter. */
export function Chip(props: {
  readonly isOn: boolean;
  readonly onToggle: () => void;
  readonly children: ComponentChildren;
}) {
  return (
    <button type="button" class="chip" aria-pressed={props.isOn} onClick={props.onToggle}>
      {props.children}
    </button>
  );
}
