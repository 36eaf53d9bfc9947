import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { toFailure } from "../api.ts";
import { words } from "../words/words.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

/** Says what an action means and asks. What the service says against it stands above the buttons. */
export function ConfirmDialog(props: {
  readonly title: string;
  readonly action: string;
  readonly cancel?: string;
  /** True if something is lost by it: then the button that keeps it comes first. */
  readonly isLoss?: boolean;
  readonly class?: string;
  readonly onConfirm: () => Promise<void> | void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const problem = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const confirm = async (): Promise<void> => {
    if (isBusy.value) return;
    isBusy.value = true;
    try {
      await props.onConfirm();
      props.onClose();
    } catch (error) {
      problem.value = toFailure(error).message;
    }
    isBusy.value = false;
  };
  const isLoss = props.isLoss === true;
  const buttons = [
    <Button key="action" isMain={!isLoss} isSubmit isBusy={isBusy.value}>
      {props.action}
    </Button>,
    <Button key="cancel" isMain={isLoss} onPress={props.onClose}>
      {props.cancel ?? words.cancel}
    </Button>,
  ];
  return (
    <Dialog label={props.title} class={props.class ?? ""} onClose={props.onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          confirm().catch(reportError);
        }}
      >
        <h2>
          <bdi>{props.title}</bdi>
        </h2>
        {props.children}
        {problem.value === undefined ? null : (
          <p class="problem" role="alert">
            <bdi>{problem.value}</bdi>
          </p>
        )}
        <div class="row">{isLoss ? buttons.toReversed() : buttons}</div>
      </form>
    </Dialog>
  );
}
