import type { Signal } from "@preact/signals";
import { useId } from "preact/hooks";

/** A text or a number that is typed, with its name and, below it, what it means. */
export function Field(props: {
  readonly of: Signal<string>;
  readonly label: string;
  readonly hint?: string;
  /** For a number: its least and greatest value, and its step. */
  readonly range?: { readonly min: number; readonly max: number; readonly step: string };
  readonly lengthMax?: number;
  readonly isOptional?: boolean;
}) {
  const id = useId();
  const { of, hint, range } = props;
  const limits =
    range === undefined
      ? ({ type: "text", maxLength: props.lengthMax } as const)
      : ({ type: "number", ...range } as const);
  return (
    <div class="form-field">
      <label for={id}>{props.label}</label>
      <input
        id={id}
        {...limits}
        required={props.isOptional !== true}
        autocomplete="off"
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        value={of.value}
        onInput={(event) => {
          of.value = event.currentTarget.value;
        }}
      />
      {hint === undefined ? null : (
        <p id={`${id}-hint`} class="sub">
          {hint}
        </p>
      )}
    </div>
  );
}
