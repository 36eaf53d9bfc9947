import type { Token } from "../../../../client/assay-client.ts";
import { api } from "../../../api.ts";
import { ConfirmDialog } from "../../../parts/confirm-dialog.tsx";
import { showToast } from "../../../state/toasts.ts";
import { settingsWords } from "../../../words/settings.ts";

export function RevokeDialog(props: {
  readonly token: Token;
  readonly onRevoked: () => void;
  readonly onClose: () => void;
}) {
  const { id, name, is_current } = props.token;
  const revoke = async (): Promise<void> => {
    await api.revokeToken({ token_id: id });
    showToast(settingsWords.wasRevoked(name));
    props.onRevoked();
  };
  return (
    <ConfirmDialog
      title={settingsWords.revokeTitle(name)}
      action={settingsWords.revoke}
      isLoss
      onConfirm={revoke}
      onClose={props.onClose}
    >
      <p>{settingsWords.revokeMeans}</p>
      {is_current ? <p class="notice">{settingsWords.revokeOwn}</p> : null}
    </ConfirmDialog>
  );
}
