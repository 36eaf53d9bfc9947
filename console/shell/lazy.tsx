import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { useLoad } from "../state/load.ts";
import { showToast } from "../state/toasts.ts";
import { words } from "../words/words.ts";

/** A dialog that few people open. Its code is loaded when it is opened. */
export function Lazy(props: {
  readonly load: () => Promise<ComponentType>;
  readonly onFailure: () => void;
}) {
  const load = useLoad([], props.load);
  const { value: View, failure } = load.state.value;
  useEffect(() => {
    if (failure === undefined) return;
    props.onFailure();
    showToast(words.states.offline, { isBad: true });
  }, [failure]);
  return View === undefined ? null : <View />;
}
