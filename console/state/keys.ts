import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { areKeysOn } from "./preferences.ts";

/** A single-key shortcut. A page registers its own while it is shown; the latest registered wins. */
export interface Key {
  /** As `KeyboardEvent.key` has it, such as `j` or `Enter`. */
  readonly key: string;
  readonly label: string;
  readonly run: (event: KeyboardEvent) => void;
  /** True for the shell's keys, which work on every page. */
  readonly isGlobal?: boolean;
}

export const keys = signal<readonly Key[]>([]);

export function registerKeys(added: readonly Key[]): () => void {
  keys.value = [...keys.value, ...added];
  return () => {
    keys.value = keys.value.filter((key) => !added.includes(key));
  };
}

/** Listens for the keys while the component is mounted. */
export function useKeys(added: readonly Key[]): void {
  useEffect(() => registerKeys(added), [added]);
}

document.addEventListener("keydown", (event) => {
  if (!areKeysOn.value || event.defaultPrevented || event.isComposing) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (takesText(event.target) || document.querySelector("dialog[open]") !== null) return;
  // Enter and space belong to the button or link that has the focus.
  if ((event.key === "Enter" || event.key === " ") && isControl(event.target)) return;
  const key = keys.value.findLast((registered) => registered.key === event.key);
  if (key === undefined) return;
  event.preventDefault();
  key.run(event);
});

function takesText(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches("input:not([type=checkbox], [type=radio]), textarea, select"))
  );
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches("a, button, input, summary");
}
