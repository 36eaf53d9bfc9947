import { useSignal } from "@preact/signals";
import { api } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import { FieldProblem } from "../../parts/field-problem.tsx";
import { canWrite } from "../../state/session.ts";
import { showToast } from "../../state/toasts.ts";
import { startWords } from "../../words/start.ts";
import type { StepProps } from "./read-start.ts";
import { useAction } from "./use-action.ts";

const words = startWords.target;

/** Where buys are sent. The test tells at once whether the address is right. */
export function TargetStep({ onChanged }: StepProps) {
  const name = useSignal<string>(words.initialName);
  const url = useSignal("");
  const { isBusy, problem, run } = useAction();
  const create = async (): Promise<void> => {
    const target = { name: name.value.trim(), kind: "ntfy", url: url.value.trim() } as const;
    const { id } = await api.createWebhookTarget(target);
    const { is_delivered, result } = await api.testWebhookTarget({ target_id: id });
    if (is_delivered) showToast(words.tested(target.name));
    else showToast(words.testFailed(target.name, result), { isBad: true });
    onChanged();
  };
  return (
    <>
      <p>{words.intro}</p>
      {canWrite.value ? (
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            run(create);
          }}
        >
          <div class="form-grid">
            <Field of={name} label={words.name} lengthMax={120} />
            <Field of={url} label={words.url} hint={words.urlHint} lengthMax={2000} />
          </div>
          <FieldProblem>{problem.value}</FieldProblem>
          <Button isMain isSubmit isWrite isBusy={isBusy.value}>
            {words.create}
          </Button>
        </form>
      ) : null}
      <p class="soft">
        {words.others} <a href="/alerts?show=targets">{words.toAlerts}</a>
      </p>
    </>
  );
}
