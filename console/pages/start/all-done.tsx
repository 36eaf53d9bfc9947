import { startWords } from "../../words/start.ts";
import type { StepState } from "./steps.ts";

/** Nothing is left to do. What was skipped is named. */
export function AllDone({ steps }: { readonly steps: readonly StepState[] }) {
  const skipped = steps.filter(({ status }) => status === "skipped");
  return (
    <div class="state all-done" role="status">
      <p class="state-title">{startWords.allDone}</p>
      <p class="soft">{startWords.allDoneHint}</p>
      {skipped.length === 0 ? null : (
        <p class="soft">{startWords.someSkipped(skipped.map(({ title }) => title).join(", "))}</p>
      )}
      <a class="button main" href="/">
        {startWords.toBuys}
      </a>
    </div>
  );
}
