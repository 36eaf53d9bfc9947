import type { Failure } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { controlWords } from "../../words/filter-controls.ts";
import type { Problem } from "../url-members.ts";

/** What the address says and the page does not understand, what the service refuses, and what it ignores. */
export function ProblemList(props: {
  /** Of the address; the rest of it is used. */
  readonly problems: readonly Problem[];
  /** Writes the address without them. */
  readonly onDismiss: () => void;
  readonly refusal: Failure | undefined;
  /** What the service ignores. */
  readonly warnings: readonly string[] | undefined;
}) {
  const { problems, refusal, warnings = [] } = props;
  return (
    <>
      {problems.length === 0 ? null : (
        <div class="problem filter-problem" role="alert">
          <p>{controlWords.problemTitle}</p>
          <ul>
            {problems.map((problem, at) => (
              <li key={at}>
                <bdi>{controlWords.problem(problem)}</bdi>
              </li>
            ))}
          </ul>
          <Button onPress={props.onDismiss}>{controlWords.dismissProblems}</Button>
        </div>
      )}
      {refusal?.kind === "refused" ? (
        <p class="problem filter-problem" role="alert">
          <bdi>{refusal.message}</bdi>
        </p>
      ) : null}
      {warnings.length === 0 ? null : (
        <p class="filter-problem notice">
          {controlWords.ignored} <bdi>{warnings.join("; ")}</bdi>
        </p>
      )}
    </>
  );
}
