import { useSignal } from "@preact/signals";
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
  const remove = async (): Promise<void> => {
    await props.remove();
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
          action={words.remove.action}
          isLoss
          onConfirm={remove}
          onClose={() => {
            isOpen.value = false;
          }}
        >
          <p class="soft">{props.hint}</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}
