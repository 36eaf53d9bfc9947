import type { ComponentChildren } from "preact";
import type { Load } from "../state/load.ts";
import { Broken } from "./broken.tsx";
import { Loading } from "./loading.tsx";

/** Shows what `useLoad` read: the value, or its state. A value that could not be renewed stays, with a line above it. */
export function WhenLoaded<Value>(props: {
  readonly load: Load<Value>;
  readonly rows?: number;
  readonly children: (value: Value) => ComponentChildren;
}) {
  const { value, failure } = props.load.state.value;
  if (failure !== undefined && value === undefined) {
    return <Broken failure={failure} onRetry={props.load.reload} />;
  }
  if (value === undefined) return <Loading rows={props.rows ?? 8} />;
  return (
    <>
      {failure === undefined ? null : <Broken failure={failure} onRetry={props.load.reload} />}
      {props.children(value)}
    </>
  );
}
