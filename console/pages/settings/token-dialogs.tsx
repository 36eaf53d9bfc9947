import { useSignal } from "@preact/signals";
import type { Token } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { Switch } from "../../parts/choice.tsx";
import { CopyText } from "../../parts/copy.tsx";
import { ConfirmDialog, Dialog } from "../../parts/dialog.tsx";
import { Field, SelectField } from "../../parts/form.tsx";
import { showToast, tellFailure } from "../../state/toasts.ts";
import { DAY_MS } from "../../words/formats.ts";
import { settingsWords } from "../../words/settings.ts";

const ENDS = [
  { value: "never", days: undefined },
  { value: "month", days: 30 },
  { value: "quarter", days: 90 },
  { value: "year", days: 365 },
] as const;
const ROLES = (["market", "desk", "owner"] as const).map((value) => ({
  value,
  label: settingsWords.roles[value],
}));

/** Asks what the token is for, then shows its text, once. */
export function NewTokenDialog(props: {
  readonly onCreated: () => void;
  readonly onClose: () => void;
}) {
  const text = useSignal<string | undefined>(undefined);
  const name = useSignal("");
  const role = useSignal<string>("market");
  const end = useSignal("never");
  const create = async (): Promise<void> => {
    const days = ENDS.find(({ value }) => value === end.value)?.days;
    const created = await api.createToken({
      name: name.value.trim(),
      role: role.value as Token["role"],
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
      <SelectField of={role} label={settingsWords.tokenRights} options={ROLES} />
      <SelectField
        of={end}
        label={settingsWords.tokenEnds}
        options={ENDS.map(({ value }) => ({ value, label: settingsWords.ends[value] }))}
      />
    </ConfirmDialog>
  );
}

/** Another role at once, or another key, which is shown once. */
export function ChangeTokenDialog(props: {
  readonly token: Token;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}) {
  const { id, name } = props.token;
  const role = useSignal<string>(props.token.role);
  const text = useSignal<string | undefined>(undefined);
  const change = async (): Promise<void> => {
    const changed = await api.changeToken({ token_id: id, role: role.value as Token["role"] });
    showToast(settingsWords.wasChanged(name, settingsWords.roles[changed.role]));
    props.onChanged();
  };
  const rotate = async (): Promise<void> => {
    text.value = (await api.rotateToken({ token_id: id })).token;
    props.onChanged();
  };
  if (text.value !== undefined) return <Created text={text.value} onClose={props.onClose} />;
  return (
    <ConfirmDialog
      title={settingsWords.changeTitle(name)}
      action={settingsWords.change}
      onConfirm={change}
      onClose={props.onClose}
    >
      <SelectField of={role} label={settingsWords.tokenRights} options={ROLES} />
      <p class="sub">{settingsWords.rotateMeans}</p>
      <div class="row">
        <Button onPress={() => void rotate().catch(tellFailure)}>{settingsWords.rotate}</Button>
      </div>
    </ConfirmDialog>
  );
}

export function RevokeDialog(props: {
  readonly token: Token;
  readonly onRevoked: () => void;
  readonly onClose: () => void;
}) {
  const { id, name, is_current } = props.token;
  const isWithMade = useSignal(false);
  const revoke = async (): Promise<void> => {
    await api.revokeToken({ token_id: id, ...(isWithMade.value ? { with_made: true } : {}) });
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
      <Switch
        isOn={isWithMade.value}
        label={settingsWords.withMade}
        hint={settingsWords.withMadeHint}
        onChange={(isOn) => {
          isWithMade.value = isOn;
        }}
      />
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
