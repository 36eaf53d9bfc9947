import { useSignal } from "@preact/signals";
import { type Failure, toFailure } from "../api.ts";
import { navigate } from "../router.ts";
import { showToast } from "../state/toasts.ts";
import { words } from "../words/words.ts";
import { Button } from "./button.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";

/** Deletes something after a question, then leaves its page. What the service says against it stands in the question. */
export function DeleteButton(props: {
  readonly name: string;
  /** What is lost with it. */
  readonly hint: string;
  readonly remove: () => Promise<unknown>;
  /** Called before the page is left. */
  readonly onDelete: () => void;
  /** Where to go then. */
  readonly path: string;
}) {
  const isOpen = useSignal(false);
  const failure = useSignal<Failure | undefined>(undefined);
  const remove = async (): Promise<void> => {
    try {
      await props.remove();
    } catch (error) {
      failure.value = toFailure(error);
      return;
    }
    showToast(words.remove.done(props.name));
    props.onDelete();
    navigate(props.path);
  };
  return (
    <>
      <Button
        isWrite
        onPress={() => {
          isOpen.value = true;
        }}
      >
        {words.remove.action}
      </Button>
      {isOpen.value ? (
        <ConfirmDialog
          title={words.remove.title(props.name)}
          hint={props.hint}
          action={words.remove.action}
          cancel={words.remove.cancel}
          failure={failure.value}
          onConfirm={remove}
          onClose={() => {
            isOpen.value = false;
            failure.value = undefined;
          }}
        />
      ) : null}
    </>
  );
}
