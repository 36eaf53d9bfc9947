import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { FieldProblem } from "./field-problem.tsx";

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
