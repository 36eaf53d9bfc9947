import type { ComponentChildren } from "preact";
import type { Failure } from "../api.ts";

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
