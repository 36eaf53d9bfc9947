import { useSignal } from "@preact/signals";
import type { Token } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { CopyText } from "../../parts/copy.tsx";
import { ConfirmDialog, Dialog } from "../../parts/dialog.tsx";
import { Field, SelectField } from "../../parts/form.tsx";
import { showToast } from "../../state/toasts.ts";
import { DAY_MS } from "../../words/formats.ts";
import { settingsWords } from "../../words/settings.ts";

const ENDS = [
  { value: "never", days: undefined },
  { value: "month", days: 30 },
  { value: "quarter", days: 90 },
  { value: "year", days: 365 },
] as const;
const RIGHTS = [
  { value: "read", label: settingsWords.tokenReadOnly },
  { value: "write", label: settingsWords.tokenWrite },
];

/** Asks what the token is for, then shows its text, once. */
export function NewTokenDialog(props: {
  readonly onCreated: () => void;
  readonly onClose: () => void;
}) {
  const text = useSignal<string | undefined>(undefined);
  const name = useSignal("");
  const rights = useSignal("read");
  const end = useSignal("never");
  const create = async (): Promise<void> => {
    const days = ENDS.find(({ value }) => value === end.value)?.days;
    const created = await api.createToken({
      name: name.value.trim(),
      is_read_only: rights.value === "read",
      ...(days === undefined ? {} : { expires_at_ms: Date.now() + days * DAY_MS }),
    });
    text.value = created.token;
    props.onCreated();
  };
  if (text.value !== undefined) return <Created text={text.value} onClose={props.onClose} />;
  return (
    <ConfirmDialog
      title={settingsWords.newToken}
      action={settingsWords.createToken}
      onConfirm={create}
      onClose={() => {
        // The dialog closes itself after the action; the text of the token is then still to be shown.
        if (text.value === undefined) props.onClose();
      }}
    >
      <Field
        of={name}
        label={settingsWords.tokenName}
        hint={settingsWords.tokenNameHint}
        lengthMax={100}
      />
      <SelectField of={rights} label={settingsWords.tokenRights} options={RIGHTS} />
      <SelectField
        of={end}
        label={settingsWords.tokenEnds}
        options={ENDS.map(({ value }) => ({ value, label: settingsWords.ends[value] }))}
      />
    </ConfirmDialog>
  );
}

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

function Created({ text, onClose }: { readonly text: string; readonly onClose: () => void }) {
  return (
    <Dialog label={settingsWords.tokenCreated} onClose={onClose}>
      <div class="stack">
        <h2>{settingsWords.tokenCreated}</h2>
        <p class="notice">{settingsWords.tokenOnce}</p>
        <CopyText label={settingsWords.tokenText} text={text} />
        <Button onPress={onClose}>{settingsWords.done}</Button>
      </div>
    </Dialog>
  );
}
