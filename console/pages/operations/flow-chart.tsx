import { operationsWords } from "../../words/operations.ts";
import type { FlowStep } from "./to-flow.ts";

/** The way from event to match as bars of one scale. Each bar has its number beside it; the table below has all steps. */
export function FlowChart({ steps }: { readonly steps: readonly FlowStep[] }) {
  const most = Math.max(1, ...steps.map(({ doneCount = 0 }) => doneCount));
  return (
    <ol class="flow" aria-label={operationsWords.flow}>
      {steps.map(({ name, doneCount = 0 }) => (
        <li key={name}>
          <span>{operationsWords.stepOf(name)}</span>
          <b>{operationsWords.count(doneCount)}</b>
          <svg class="flow-bar" width="100%" height="10" aria-hidden="true">
            <rect class="flow-ground" width="100%" height="10" rx="2" />
            <rect
              class="flow-fill"
              width={`${Math.max(doneCount === 0 ? 0 : 0.4, (doneCount / most) * 100)}%`}
              height="10"
              rx="2"
            />
          </svg>
        </li>
      ))}
    </ol>
  );
}
