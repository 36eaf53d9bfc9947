import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Kbd } from "../parts/kbd.tsx";
import { Preference } from "../parts/preference.tsx";
import { type Key, keys } from "../state/keys.ts";
import { areKeysOn } from "../state/preferences.ts";
import { words } from "../words/words.ts";
import { isKeysOpen } from "./open-dialogs.ts";

const close = (): void => {
  isKeysOpen.value = false;
};

export function KeysDialog() {
  const own = keys.value.filter(({ isGlobal }) => isGlobal !== true);
  const everywhere = keys.value.filter(({ isGlobal }) => isGlobal === true);
  return (
    <Dialog label={words.keys.title} onClose={close}>
      <div class="dialog-head">
        <h2>{words.keys.title}</h2>
        <Button onPress={close}>{words.keys.close}</Button>
      </div>
      {own.length === 0 ? null : <KeyList title={words.keys.here} keys={own} />}
      <KeyList
        title={words.keys.everywhere}
        keys={[{ key: "Ctrl K", label: words.keys.palette }, ...everywhere]}
      />
      <Preference of={areKeysOn} label={words.keys.enabled} hint={words.keys.hint} />
    </Dialog>
  );
}

function KeyList(props: {
  readonly title: string;
  readonly keys: readonly Pick<Key, "key" | "label">[];
}) {
  return (
    <>
      <h3>{props.title}</h3>
      <dl class="key-list">
        {props.keys.map(({ key, label }) => (
          <div key={key}>
            <dt>
              <Kbd name={key} />
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
