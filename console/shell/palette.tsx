import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { PAGES } from "../pages.ts";
import { Dialog } from "../parts/dialog.tsx";
import { referencePath } from "../parts/watch.tsx";
import { navigate } from "../router.ts";
import { type Command, commands, isPaletteOpen } from "../state/commands.ts";
import { canWrite } from "../state/session.ts";
import { words } from "../words/words.ts";

interface PaletteEntry {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly run: () => void;
}

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

/**
 * What the palette offers for a text: pages and actions whose name has all of its words, then
 * the page of a reference, if it looks like one, and a search of the market.
 */
function listEntries(options: {
  readonly text: string;
  readonly commands: readonly Command[];
  readonly canWrite: boolean;
}): readonly PaletteEntry[] {
  const { commands, canWrite } = options;
  const text = options.text.trim();
  const pages = PAGES.filter(({ path }) => !path.includes(":")).map(({ path, title }) => ({
    id: `page-${path}`,
    title,
    kind: words.palette.page,
    run: () => navigate(path),
  }));
  const actions = commands
    .filter(({ isWrite }) => canWrite || isWrite !== true)
    .map(({ id, title, run }) => ({ id, title, run, kind: words.palette.action }));
  const parts = text.toLowerCase().split(/\s+/);
  const named = [...pages, ...actions].filter(({ title }) =>
    parts.every((part) => title.toLowerCase().includes(part)),
  );
  if (text === "") return named;
  const search = {
    id: "search-market",
    title: words.palette.searchMarket(text),
    kind: words.palette.page,
    run: () => navigate(`/market?${new URLSearchParams({ q: text })}`),
  };
  return [...named, ...(isReference(text) ? [toReference(text)] : []), search];
}

/** One word with digits, as references are. */
function isReference(text: string): boolean {
  return /^[\w./-]{3,40}$/.test(text) && /\d{2}/.test(text);
}

function toReference(text: string): PaletteEntry {
  const reference = text.toUpperCase();
  return {
    id: "open-reference",
    title: words.palette.openReference(reference),
    kind: words.palette.page,
    run: () => navigate(referencePath({ reference })),
  };
}
