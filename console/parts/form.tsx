import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { Failure } from "../api.ts";

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

/** One line of text with its label, a hint, and what the service says against it. */
export function TextField(props: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: "text" | "password" | "time";
  readonly hint?: string;
  readonly isRequired?: boolean;
  readonly problem: string | undefined;
  readonly children?: ComponentChildren;
}) {
  const { label, value, hint, problem, type = "text", isRequired = false } = props;
  const id = useId();
  return (
    <div class="form-field">
      <label for={id}>{label}</label>
      <input
        id={id}
        // The types know a shape of its own for each of these.
        type={type as "text"}
        required={isRequired}
        autocomplete={type === "password" ? "new-password" : "off"}
        spellcheck={false}
        placeholder={hint ?? ""}
        value={value}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-problem`}
        onInput={(event) => props.onChange(event.currentTarget.value)}
      />
      {props.children}
      <FieldProblem id={`${id}-problem`}>{problem}</FieldProblem>
    </div>
  );
}

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

/** What is wrong with a field, below it. */
export function FieldProblem(props: {
  readonly id?: string;
  readonly children: ComponentChildren;
}) {
  const { id, children } = props;
  return children === undefined ? null : (
    <p {...(id === undefined ? {} : { id })} class="problem" role="alert">
      <bdi>{children}</bdi>
    </p>
  );
}

/** What the service says against this member: `view_id: there is no view with this id`. */
export function problemAt(failure: Failure | undefined, member: string): string | undefined {
  if (failure === undefined) return undefined;
  if (member === "name" && failure.code === "already_exists") return failure.message;
  const found = /^([\w.]+)(?:\[\d+\])?: (.*)$/s.exec(failure.message);
  return failure.kind === "refused" && found?.[1] === member ? found[2] : undefined;
}
