import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { api } from "../api.ts";
import { Dialog } from "../parts/dialog.tsx";
import { isPaletteOpen } from "../state/commands.ts";
import { useLoad, useSettled } from "../state/load.ts";
import { words } from "../words/words.ts";
import { type Entry, listEntries } from "./find.ts";

/** Short, because the reader looks at what comes. */
const TYPING_MS = 120;

const close = (): void => {
  isPaletteOpen.value = false;
};

/** A text field that controls a list: the focus stays in the field, and the arrows move the choice (a combobox). */
export function Palette() {
  const text = useSignal("");
  // By id, because what the service found arrives later and must not take the place of what was chosen.
  const chosenId = useSignal<string | undefined>(undefined);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const { found, note } = useFound(text.value.trim());
  const entries = listEntries(text.value, found);
  const chosenAt = entries.findIndex(({ id }) => id === chosenId.value);
  const at = Math.max(0, chosenAt);
  const run = (entry: Entry | undefined): void => {
    if (entry === undefined) return;
    close();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0 && event.key !== "Enter") return;
    event.preventDefault();
    if (step === 0) run(entries[at]);
    else chosenId.value = entries[(at + step + entries.length) % entries.length]?.id;
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
          chosenId.value = undefined;
        }}
        onKeyDown={onKeyDown}
      />
      <EntryList entries={entries} chosen={at} onChoose={run} />
      <div class={note === undefined ? "sr" : "palette-note"} role="status">
        {note ?? words.palette.count(entries.length)}
      </div>
    </Dialog>
  );
}

/** What the service finds by this text. What belongs to another text is not shown, so that Enter never opens it. */
function useFound(text: string) {
  const settled = useSettled(text, TYPING_MS);
  const load = useLoad([settled], async (signal) =>
    settled === ""
      ? undefined
      : { text: settled, things: await api.findAnything({ q: settled }, { signal }) },
  );
  const { value, failure } = load.state.value;
  const isCurrent = value?.text === text;
  if (text === "" || isCurrent) return { found: value?.things, note: undefined };
  const note = failure === undefined ? words.palette.searching : words.palette.failed;
  return { found: undefined, note };
}

function EntryList(props: {
  readonly entries: readonly Entry[];
  readonly chosen: number;
  readonly onChoose: (entry: Entry) => void;
}) {
  const { entries, chosen } = props;
  useEffect(() => {
    document.getElementById(`palette-${chosen}`)?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  return (
    <div id="palette-list" class="palette-list" role="listbox" aria-label={words.palette.title}>
      {entries.map((entry, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and takes the keys.
        // biome-ignore lint/a11y/useFocusableInteractive: the same.
        <div
          key={entry.id}
          id={`palette-${at}`}
          role="option"
          aria-selected={at === chosen}
          class={entry.kind === entries[at - 1]?.kind ? "palette-entry" : "palette-entry is-first"}
          onClick={() => props.onChoose(entry)}
        >
          <span class="palette-kind">{words.palette.kinds[entry.kind]}</span>
          <bdi class="palette-name">{entry.title}</bdi>
          <span class="palette-about">{entry.note}</span>
        </div>
      ))}
    </div>
  );
}
