import type { Failure } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { marketWords } from "../../words/market.ts";
import { changeMarket, market, problems } from "./market-state.ts";

/** What the address says and the page does not understand; the rest of it is used. */
export function ProblemList(props: {
  readonly refusal: Failure | undefined;
  /** What the service ignores. */
  readonly warnings: readonly string[] | undefined;
}) {
  const { refusal, warnings = [] } = props;
  return (
    <>
      {problems.value.length === 0 ? null : (
        <div class="problem market-problem" role="alert">
          <p>{marketWords.problemTitle}</p>
          <ul>
            {problems.value.map((problem, at) => (
              <li key={at}>
                <bdi>{marketWords.problem(problem)}</bdi>
              </li>
            ))}
          </ul>
          <Button onPress={() => changeMarket(market.value, { isReplacing: true })}>
            {marketWords.dismissProblems}
          </Button>
        </div>
      )}
      {refusal?.kind === "refused" ? (
        <p class="problem market-problem" role="alert">
          <bdi>{refusal.message}</bdi>
        </p>
      ) : null}
      {warnings.length === 0 ? null : (
        <p class="market-problem notice">
          {marketWords.ignored} <bdi>{warnings.join("; ")}</bdi>
        </p>
      )}
    </>
  );
}
