/** What can be done on a page: the actions that the palette lists, and the keys. */
import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { areKeysOn } from "./preferences.ts";

/** An action that the palette lists. A page registers its own while it is shown. */
export interface Command {
  readonly id: string;
  readonly title: string;
  readonly run: () => void;
  /** True if it changes something: not offered to a read-only token. */
  readonly isWrite?: boolean;
}

/** A single-key shortcut. A page registers its own while it is shown; of several, one of a page wins, and the latest of those. */
export interface Key {
  /** As `KeyboardEvent.key` has it, such as `j` or `Enter`. */
  readonly key: string;
  readonly label: string;
  readonly run: (event: KeyboardEvent) => void;
  /** True for the shell's keys, which work on every page. */
  readonly isGlobal?: boolean;
}

export const commands = signal<readonly Command[]>([]);
export const keys = signal<readonly Key[]>([]);
/** Whether the lists of both are shown. */
export const isPaletteOpen = signal(false);
export const isKeysOpen = signal(false);
/** Whether the dialog that signs another device in is shown. */
export const isDeviceOpen = signal(false);

/** Offers the commands while the component is mounted. Pass the same array, or one that changes with its content. */
export function useCommands(added: readonly Command[]): void {
  useEffect(() => registerCommands(added), [added]);
}

/** Listens for the keys while the component is mounted. They work as soon as the reader sees it. */
export function useKeys(added: readonly Key[]): void {
  useLayoutEffect(() => registerKeys(added), [added]);
}

export function registerCommands(added: readonly Command[]): () => void {
  commands.value = [...commands.value, ...added];
  return () => {
    commands.value = commands.value.filter((command) => !added.includes(command));
  };
}

export function registerKeys(added: readonly Key[]): () => void {
  keys.value = [...keys.value, ...added];
  return () => {
    keys.value = keys.value.filter((key) => !added.includes(key));
  };
}

document.addEventListener("keydown", (event) => {
  if (!areKeysOn.value || event.defaultPrevented || event.isComposing) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (takesText(event.target) || document.querySelector("dialog[open]") !== null) return;
  // Enter and space belong to the button or link that has the focus.
  if ((event.key === "Enter" || event.key === " ") && isControl(event.target)) return;
  const named = keys.value.filter((registered) => registered.key === event.key);
  const key = named.findLast(({ isGlobal }) => isGlobal !== true) ?? named.at(-1);
  if (key === undefined) return;
  event.preventDefault();
  key.run(event);
});

/** A dialog that has just closed may keep the focus for a moment: its field takes no text any more. */
function takesText(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest("dialog:not([open])") === null &&
    (target.isContentEditable ||
      target.matches("input:not([type=checkbox], [type=radio]), textarea, select"))
  );
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches("a, button, input, summary");
}
