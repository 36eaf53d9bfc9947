import type { Profile } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { ConfirmDialog } from "../../parts/dialog.tsx";
import { showToast } from "../../state/toasts.ts";
import { settingsWords } from "../../words/settings.ts";

/** Says what it means to go live, or back, and asks. */
export function StatusDialog(props: {
  readonly profile: Pick<Profile, "id" | "name" | "status">;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}) {
  const { id, name, status } = props.profile;
  const isLive = status === "live";
  const change = async (): Promise<void> => {
    await api.changeProfile({ id, status: isLive ? "shadow" : "live" });
    showToast(isLive ? settingsWords.wentShadow(name) : settingsWords.wentLive(name));
    props.onChanged();
  };
  const means = isLive ? [settingsWords.goShadowMeans] : settingsWords.goLiveMeans;
  return (
    <ConfirmDialog
      title={isLive ? settingsWords.goShadowTitle(name) : settingsWords.goLiveTitle(name)}
      action={isLive ? settingsWords.goShadow : settingsWords.goLive}
      onConfirm={change}
      onClose={props.onClose}
    >
      {means.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </ConfirmDialog>
  );
}
