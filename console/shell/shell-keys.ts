import { useEffect } from "preact/hooks";
import { registerCommands } from "../state/commands.ts";
import { registerKeys } from "../state/keys.ts";
import { isCompact, isPresenting } from "../state/preferences.ts";
import { theme } from "../state/theme.ts";
import { undoLatest } from "../state/toasts.ts";
import { words } from "../words/words.ts";
import { isKeysOpen, isPaletteOpen } from "./open-dialogs.ts";

const openPalette = (): void => {
  isPaletteOpen.value = true;
};
const openKeys = (): void => {
  isKeysOpen.value = true;
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

/** What works on every page. Ctrl-K is not a single key, so it works also where those are turned off, and in a text field. */
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
