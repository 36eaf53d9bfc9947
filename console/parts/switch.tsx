import type { Signal } from "@preact/signals";
import { useId } from "preact/hooks";

/** A preference that is on or off, with a sentence about it. */
export function Switch(props: {
  readonly of: Signal<boolean>;
  readonly label: string;
  readonly hint: string;
}) {
  const id = useId();
  return (
    <div class="switch">
      <input
        id={id}
        type="checkbox"
        aria-describedby={`${id}-hint`}
        checked={props.of.value}
        onChange={(event) => {
          props.of.value = event.currentTarget.checked;
        }}
      />
      <div>
        <label for={id}>{props.label}</label>
        <p id={`${id}-hint`} class="sub">
          {props.hint}
        </p>
      </div>
    </div>
  );
}
