import type { Failure } from "../api.ts";
import { words } from "../words/words.ts";
import { Button } from "./button.tsx";

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
