import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** An action that the palette lists. A page registers its own while it is shown. */
export interface Command {
  readonly id: string;
  readonly title: string;
  readonly run: () => void;
  /** True if it changes something: not offered to a read-only token. */
  readonly isWrite?: boolean;
}

export const commands = signal<readonly Command[]>([]);

export function registerCommands(added: readonly Command[]): () => void {
  commands.value = [...commands.value, ...added];
  return () => {
    commands.value = commands.value.filter((command) => !added.includes(command));
  };
}

/** Offers the commands while the component is mounted. Pass the same array, or one that changes with its content. */
export function useCommands(added: readonly Command[]): void {
  useEffect(() => registerCommands(added), [added]);
}
