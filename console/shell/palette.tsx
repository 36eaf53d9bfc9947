import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Dialog } from "../parts/dialog.tsx";
import { commands } from "../state/commands.ts";
import { canWrite } from "../state/session.ts";
import { words } from "../words/words.ts";
import { isPaletteOpen } from "./open-dialogs.ts";
import { listEntries, type PaletteEntry } from "./palette-entries.ts";

const close = (): void => {
  isPaletteOpen.value = false;
};

/** A text field that controls a list: the focus stays in the field, and the arrows move the choice (a combobox). */
export function Palette() {
  const text = useSignal("");
  const chosen = useSignal(0);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const entries = listEntries({
    text: text.value,
    commands: commands.value,
    canWrite: canWrite.value,
  });
  const at = Math.min(chosen.value, entries.length - 1);
  const run = (entry: PaletteEntry | undefined): void => {
    if (entry === undefined) return;
    close();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0 && event.key !== "Enter") return;
    event.preventDefault();
    if (step === 0) run(entries[at]);
    else chosen.value = (at + step + entries.length) % Math.max(1, entries.length);
  };
  return (
    <Dialog class="palette" label={words.palette.title} onClose={close}>
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-label={words.palette.title}
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={entries[at] === undefined ? undefined : `palette-${at}`}
        autocomplete="off"
        spellcheck={false}
        placeholder={words.palette.placeholder}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          chosen.value = 0;
        }}
        onKeyDown={onKeyDown}
      />
      <EntryList entries={entries} chosen={at} onChoose={run} />
      <div class="sr" role="status">
        {entries.length === 0 ? words.palette.none : words.palette.count(entries.length)}
      </div>
    </Dialog>
  );
}

function EntryList(props: {
  readonly entries: readonly PaletteEntry[];
  readonly chosen: number;
  readonly onChoose: (entry: PaletteEntry) => void;
}) {
  useEffect(() => {
    document.getElementById(`palette-${props.chosen}`)?.scrollIntoView({ block: "nearest" });
  }, [props.chosen]);
  return (
    <div id="palette-list" class="palette-list" role="listbox" aria-label={words.palette.title}>
      {props.entries.map((entry, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and takes the keys.
        // biome-ignore lint/a11y/useFocusableInteractive: the same.
        <div
          key={entry.id}
          id={`palette-${at}`}
          role="option"
          aria-selected={at === props.chosen}
          class="palette-entry"
          onClick={() => props.onChoose(entry)}
        >
          <span>{entry.title}</span>
          <span class="faint">{entry.kind}</span>
        </div>
      ))}
    </div>
  );
}
