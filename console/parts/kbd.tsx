import { areKeysOn } from "../state/preferences.ts";

const SHOWN: Readonly<Record<string, string>> = { Enter: "↵", Escape: "Esc", " ": "Space" };

/** The key of an action. Not shown where single keys are turned off, unless it needs a modifier. */
export function Kbd({ name }: { readonly name: string }) {
  if (!areKeysOn.value && !name.includes("Ctrl")) return null;
  return <kbd>{SHOWN[name] ?? name}</kbd>;
}
