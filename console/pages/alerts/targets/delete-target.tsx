import { useSignal } from "@preact/signals";
import type { WebhookTarget } from "../../../../client/assay-client.ts";
import { api, type Failure, toFailure } from "../../../api.ts";
import { Button } from "../../../parts/button.tsx";
import { ConfirmDialog } from "../../../parts/confirm-dialog.tsx";
import { navigate } from "../../../router.ts";
import { showToast } from "../../../state/toasts.ts";
import { targetsWords } from "../../../words/targets.ts";
import { targetPath } from "./target-path.ts";

export function DeleteTarget(props: {
  readonly target: WebhookTarget;
  readonly onDelete: () => void;
}) {
  const { target } = props;
  const isOpen = useSignal(false);
  const failure = useSignal<Failure | undefined>(undefined);
  const remove = async (): Promise<void> => {
    try {
      await api.deleteWebhookTarget({ target_id: target.id });
    } catch (error) {
      failure.value = toFailure(error);
      return;
    }
    showToast(targetsWords.removed(target.name));
    props.onDelete();
    navigate(targetPath());
  };
  return (
    <>
      <Button
        isWrite
        onPress={() => {
          isOpen.value = true;
        }}
      >
        {targetsWords.remove}
      </Button>
      {isOpen.value ? (
        <ConfirmDialog
          title={targetsWords.removeTitle(target.name)}
          hint={targetsWords.removeHint}
          action={targetsWords.remove}
          cancel={targetsWords.cancel}
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
