import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { toFailure } from "../../../api.ts";
import { Button } from "../../../parts/button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { marketWords } from "../../../words/market.ts";

/** Asks for a name and saves something under it. What the service says against it stands below the field. */
export function NameDialog(props: {
  readonly title: string;
  readonly action: string;
  readonly initial: string;
  readonly onSave: (name: string) => Promise<void>;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}) {
  const name = useSignal(props.initial);
  const problem = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const id = useId();
  const save = async (): Promise<void> => {
    if (name.value.trim() === "" || isBusy.value) return;
    isBusy.value = true;
    try {
      await props.onSave(name.value.trim());
      props.onClose();
    } catch (error) {
      problem.value = toFailure(error).message;
    }
    isBusy.value = false;
  };
  return (
    <Dialog label={props.title} onClose={props.onClose}>
      <form
        class="name-form"
        onSubmit={(event) => {
          event.preventDefault();
          save().catch(reportError);
        }}
      >
        <h2>{props.title}</h2>
        {props.children}
        <label for={id}>{marketWords.name}</label>
        <input
          id={id}
          class="field"
          maxLength={200}
          required
          value={name.value}
          onInput={(event) => {
            name.value = event.currentTarget.value;
          }}
        />
        {problem.value === undefined ? null : (
          <p class="problem" role="alert">
            {problem.value}
          </p>
        )}
        <div class="row">
          <Button isMain isSubmit isWrite isBusy={isBusy.value}>
            {props.action}
          </Button>
          <Button onPress={props.onClose}>{marketWords.cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}
