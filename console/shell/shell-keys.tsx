/** The keys and actions that work on every page, and the list of keys. */
import { useEffect } from "preact/hooks";
import { Button, Kbd } from "../parts/button.tsx";
import { Preference } from "../parts/choice.tsx";
import { Dialog } from "../parts/dialog.tsx";
import {
  isKeysOpen,
  isPaletteOpen,
  type Key,
  keys,
  registerCommands,
  registerKeys,
} from "../state/commands.ts";
import { areKeysOn, isCompact, isPresenting, theme } from "../state/preferences.ts";
import { undoLatest } from "../state/toasts.ts";
import { words } from "../words/words.ts";

const openPalette = (): void => {
  isPaletteOpen.value = true;
};
const openKeys = (): void => {
  isKeysOpen.value = true;
};
const close = (): void => {
  isKeysOpen.value = false;
};

const KEYS = [
  { key: "?", label: words.keys.help, run: openKeys, isGlobal: true },
  { key: "/", label: words.keys.search, run: openPalette, isGlobal: true },
  { key: "z", label: words.keys.undo, run: () => undoLatest(), isGlobal: true },
] as const;

const COMMANDS = [
  ...(["light", "dark", "system"] as const).map((name) => ({
    id: `theme-${name}`,
    title: `${words.theme.label}: ${words.theme[name]}`,
    run: () => {
      theme.value = name;
    },
  })),
  {
    id: "presenter",
    title: words.presenter.label,
    run: () => {
      isPresenting.value = !isPresenting.value;
    },
  },
  {
    id: "compact",
    title: words.density.label,
    run: () => {
      isCompact.value = !isCompact.value;
    },
  },
  { id: "keys", title: words.keys.help, run: openKeys },
] as const;

/** Ctrl-K is not a single key, so it works also where those are turned off, and in a text field. */
export function useShellKeys(): void {
  useEffect(() => {
    const removeKeys = registerKeys(KEYS);
    const removeCommands = registerCommands(COMMANDS);
    const onKey = (event: KeyboardEvent): void => {
      const isCommand = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (!isCommand || event.key.toLowerCase() !== "k") return;
      event.preventDefault();
      isPaletteOpen.value = !isPaletteOpen.value;
    };
    document.addEventListener("keydown", onKey);
    return () => {
      removeKeys();
      removeCommands();
      document.removeEventListener("keydown", onKey);
    };
  }, []);
}

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
