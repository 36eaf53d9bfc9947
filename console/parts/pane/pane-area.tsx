/** A list with a pane: the keys of both, and the place of the pane. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { navigate } from "../../router.ts";
import { type Key, useKeys } from "../../state/commands.ts";
import { useSettled } from "../../state/load.ts";
import { canWrite } from "../../state/session.ts";
import { paneWords } from "../../words/pane.ts";
import { watchWords } from "../../words/watch.ts";
import { ScrollArea } from "../layout.tsx";
import type { Selection } from "./selection.ts";

/** A key that was pressed before the pane was there. */
interface WaitingKey {
  current: string | undefined;
}

/** Long enough for a key that is held down, too short to be noticed. */
const SETTLE_MS = 150;

const NO_KEYS = [] as const;

/** What the pane does with a watch. The first needs no right to write. */
const ACTION_KEYS = [
  { key: "w", label: watchWords.write },
  { key: "s", label: watchWords.shortlist },
  { key: "o", label: watchWords.offered },
  { key: "b", label: watchWords.bought },
  { key: "p", label: watchWords.pass },
  { key: "P", label: watchWords.passWhy },
  { key: "n", label: watchWords.note },
  { key: "c", label: watchWords.correct },
] as const;

/**
 * The keys walk through the list, open and close the pane. What acts on a watch opens the pane first, which then takes the key.
 * They are registered once, and use what is shown at the moment.
 */
export function useListKeys(state: {
  readonly selection: Selection;
  /** The listing of a row; undefined if it has none. */
  readonly listingIdOf: (id: string) => string | undefined;
  /** False where other actions have the keys, such as those for several rows. */
  readonly hasActions?: boolean;
}): WaitingKey {
  const waitingKey = useRef<string | undefined>(undefined);
  const latest = useRef(state);
  latest.current = state;
  const mayWrite = canWrite.value;
  const isClosed = !state.selection.isOpen && state.hasActions !== false;
  useKeys(useMemo(() => walkKeys(latest), []));
  useKeys(
    useMemo(() => {
      if (!isClosed) return NO_KEYS;
      const names = mayWrite ? ACTION_KEYS : ACTION_KEYS.slice(0, 1);
      return names.map(({ key, label }) => ({
        key,
        label,
        run: () => {
          const { selection } = latest.current;
          const id = selection.selectedId.peek();
          if (id === undefined) return;
          waitingKey.current = key;
          selection.open(id);
        },
      }));
    }, [isClosed, mayWrite]),
  );
  return waitingKey;
}

/** The pane. Nothing is read from the service while the reader moves through the list: `isSettled` is false then. */
export function PaneArea(props: {
  readonly id: string | undefined;
  readonly waitingKey: WaitingKey;
  readonly children: (isSettled: boolean) => ComponentChildren;
}) {
  const { id, waitingKey } = props;
  const settledId = useSettled(id, SETTLE_MS);
  // Before anything else can be pressed.
  useLayoutEffect(() => {
    const key = waitingKey.current;
    waitingKey.current = undefined;
    if (key !== undefined) document.dispatchEvent(new KeyboardEvent("keydown", { key }));
  }, []);
  return (
    // Another row starts at its top.
    <ScrollArea key={id} name="pane" class="aside" label={paneWords.aside}>
      {props.children(settledId === id)}
    </ScrollArea>
  );
}

function walkKeys(latest: { readonly current: Parameters<typeof useListKeys>[0] }): readonly Key[] {
  return [
    { key: "j", label: paneWords.next, run: () => latest.current.selection.move(1) },
    { key: "k", label: paneWords.previous, run: () => latest.current.selection.move(-1) },
    { key: "Enter", label: paneWords.open, run: () => openChosen(latest.current) },
    {
      key: "Escape",
      label: paneWords.back,
      run: () => {
        if (latest.current.selection.isOpen) latest.current.selection.close();
      },
    },
  ];
}

/** Enter first shows the row, then its page. */
function openChosen({ selection, listingIdOf }: Parameters<typeof useListKeys>[0]): void {
  const id = selection.selectedId.peek();
  if (id === undefined) return;
  if (!selection.isOpen) {
    selection.open(id);
    return;
  }
  selection.settle();
  const listingId = listingIdOf(id);
  if (listingId !== undefined) navigate(`/listings/${listingId}`);
}
