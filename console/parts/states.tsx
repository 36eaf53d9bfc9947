import type { ComponentChildren } from "preact";
import type { Failure } from "../api.ts";
import type { Load } from "../state/load.ts";
import { words } from "../words/words.ts";
import { Button } from "./button.tsx";

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

/** What is edited was changed elsewhere since it was read: the reader chooses. */
export function ConflictNotice(props: {
  readonly text: string;
  readonly editing: {
    readonly revert: () => Promise<void>;
    readonly overwrite: () => Promise<void>;
  };
}) {
  const { text, editing } = props;
  return (
    <div class="notice conflict" role="alert">
      <p>{text}</p>
      <div class="row">
        <Button onPress={() => void editing.revert().catch(reportError)}>
          {words.conflict.loadStored}
        </Button>
        <Button onPress={() => void editing.overwrite().catch(reportError)}>
          {words.conflict.overwrite}
        </Button>
      </div>
    </div>
  );
}

/** Holds the place of rows that are still read, so that nothing jumps when they come. */
export function Loading({ rows = 8 }: { readonly rows?: number }) {
  return (
    <div class="loading" role="status">
      <span class="sr">{words.states.loading}</span>
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} class="loading-row" aria-hidden="true" />
      ))}
    </div>
  );
}

/** An empty list says what to do. */
export function Empty(props: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="state">
      <p class="state-title">{props.title}</p>
      {props.children}
    </div>
  );
}

/** What went wrong, what happens next, and the id by which the service's log has it. */
export function Broken(props: { readonly failure: Failure; readonly onRetry?: () => void }) {
  const { failure, onRetry } = props;
  return (
    <div class="state" role="alert">
      <p class="state-title">{titleOf(failure)}</p>
      {failure.kind === "offline" ? null : <p class="soft">{failure.message}</p>}
      {failure.requestId === undefined ? null : (
        <p class="faint">
          {words.states.requestId} <code>{failure.requestId}</code>
        </p>
      )}
      {onRetry === undefined ? null : <Button onPress={onRetry}>{words.states.retry}</Button>}
    </div>
  );
}

function titleOf({ kind, code }: Failure): string {
  if (code === "store_unavailable") return words.states.storeDown;
  switch (kind) {
    case "offline":
      return words.states.offline;
    case "busy":
      return words.states.busy;
    case "missing":
      return words.states.missing;
    case "forbidden":
      return words.states.forbidden;
    default:
      return words.states.broken;
  }
}
