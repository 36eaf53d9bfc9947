import { useSignal } from "@preact/signals";
import type { Alert } from "../../../client/assay-client.ts";
import { api, type Failure, toFailure } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { navigate } from "../../router.ts";
import { showToast } from "../../state/toasts.ts";
import { alertsWords } from "../../words/alerts.ts";

/** Deletes the alert after a question. `onDelete` is called before the page is left. */
export function DeleteAlert(props: { readonly alert: Alert; readonly onDelete: () => void }) {
  const { alert } = props;
  const isOpen = useSignal(false);
  const failure = useSignal<Failure | undefined>(undefined);
  const close = (): void => {
    isOpen.value = false;
    failure.value = undefined;
  };
  const remove = async (): Promise<void> => {
    try {
      await api.deleteAlert({ alert_id: alert.id });
    } catch (error) {
      failure.value = toFailure(error);
      return;
    }
    showToast(alertsWords.removed(alert.name));
    props.onDelete();
    navigate("/alerts");
  };
  return (
    <>
      <Button
        isWrite
        onPress={() => {
          isOpen.value = true;
        }}
      >
        {alertsWords.remove}
      </Button>
      {isOpen.value ? (
        <ConfirmDialog
          title={alertsWords.removeTitle(alert.name)}
          hint={alertsWords.removeHint}
          action={alertsWords.remove}
          cancel={alertsWords.cancel}
          failure={failure.value}
          onConfirm={remove}
          onClose={close}
        />
      ) : null}
    </>
  );
}
