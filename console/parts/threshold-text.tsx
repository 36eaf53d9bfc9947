import { isPresenting } from "../state/preferences.ts";
import { words } from "../words/words.ts";

/** A figure of the rules, such as a margin in per cent. Like a threshold, it is hidden in presenter mode. */
export function ThresholdText({ text }: { readonly text: string }) {
  if (!isPresenting.value) return <>{text}</>;
  return (
    <span class="hidden-amount">
      <span aria-hidden="true">•••</span>
      <span class="sr">{words.presenter.hidden}</span>
    </span>
  );
}
