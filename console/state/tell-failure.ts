import { toFailure } from "../api.ts";
import { words } from "../words/words.ts";
import { showToast } from "./toasts.ts";

/** Says in a toast what the service said, with the id by which its log has it. */
export function tellFailure(error: unknown): void {
  const { message, requestId } = toFailure(error);
  const id = requestId === undefined ? "" : ` (${words.states.requestId} ${requestId})`;
  showToast(`${message}${id}`, { isBad: true });
}
