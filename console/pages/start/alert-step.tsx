import { api } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { FieldProblem } from "../../parts/field-problem.tsx";
import { showToast } from "../../state/toasts.ts";
import { startWords } from "../../words/start.ts";
import type { StepProps } from "./read-start.ts";
import { useAction } from "./use-action.ts";

const words = startWords.alert;

/** The alert that reports every buy. */
export function AlertStep({ state, onChanged }: StepProps) {
  const { isBusy, problem, run } = useAction();
  const create = async (): Promise<void> => {
    await api.createAlert({ name: words.name, strategy: "price_engine", filters: {} });
    showToast(words.created);
    onChanged();
  };
  return (
    <>
      <p>{words.intro}</p>
      <FieldProblem>{problem.value}</FieldProblem>
      {state.alerts.length > 0 ? null : (
        <Button isMain isWrite isBusy={isBusy.value} onPress={() => run(create)}>
          {words.create}
        </Button>
      )}
      <p class="soft">
        {words.other} <a href="/market">{words.toMarket}</a>
      </p>
    </>
  );
}
