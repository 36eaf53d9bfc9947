import type { Signal } from "@preact/signals";
import { useId } from "preact/hooks";

/** A choice of few values, with its name. */
export function SelectField(props: {
  readonly of: Signal<string>;
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}) {
  const id = useId();
  return (
    <div class="form-field">
      <label for={id}>{props.label}</label>
      <select
        id={id}
        value={props.of.value}
        onChange={(event) => {
          props.of.value = event.currentTarget.value;
        }}
      >
        {props.options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}
