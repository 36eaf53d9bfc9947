/**
 * The row that the keys act on, and whether it is open: in the pane beside the list, or over it where there is no room. Going
 * back closes it.
 *
 * The address has the row (`?watch=…`), so that going back and a reload lead to it. It is written a moment after the last
 * move, because browsers refuse addresses that change too often.
 */
import { type ReadonlySignal, useComputed, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { query, setQuery } from "../../router.ts";

const ADDRESS_MS = 300;

export interface Selection {
  readonly selectedId: ReadonlySignal<string | undefined>;
  /** True if the address names a row that is there. */
  readonly isOpen: boolean;
  /** Moves the choice, and the focus with it. */
  readonly move: (step: 1 | -1) => void;
  readonly select: (id: string) => void;
  /** Chooses the row and moves the focus to it. */
  readonly goTo: (id: string) => void;
  /** Shows the row in the pane. */
  readonly open: (id: string) => void;
  readonly close: () => void;
  /** Writes the address now: the reader leaves the page. */
  readonly settle: () => void;
}

export function useSelection(options: {
  /** Of the rows, in their order. */
  readonly ids: readonly string[];
  /** True if the keys act on the first row before one was chosen. */
  readonly isFirstChosen: boolean;
  /** Moves the focus to a row. */
  readonly focus: (id: string) => void;
}): Selection {
  const { ids, isFirstChosen, focus } = options;
  const named = query.value.get("watch") ?? undefined;
  const chosen = useSignal(named);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const wasOpenedHere = useRef(false);
  const shown = useSignal(ids);
  // Before the reader sees the rows: a key that is pressed on them counts.
  useLayoutEffect(() => {
    shown.value = ids;
  }, [ids]);
  // At once: an effect would come after the next key and take its choice back.
  const lastNamed = useRef(named);
  if (lastNamed.current !== named) {
    lastNamed.current = named;
    if (named !== undefined) chosen.value = named;
  }
  useEffect(() => () => clearTimeout(timer.current), []);
  const selectedId = useComputed(() => {
    const isThere = chosen.value !== undefined && shown.value.includes(chosen.value);
    if (isThere) return chosen.value;
    return isFirstChosen ? shown.value[0] : undefined;
  });
  const name = (id: string, isReplacing: boolean): void => {
    const next = new URLSearchParams(query.peek());
    next.set("watch", id);
    setQuery(next, { isReplacing });
  };
  const isOpen = named !== undefined && ids.includes(named);
  useRowFocus(isOpen, selectedId, focus);
  const forget = (): void => {
    clearTimeout(timer.current);
    timer.current = undefined;
  };
  const select = (id: string): void => {
    forget();
    chosen.value = id;
    if (!isOpen) return;
    timer.current = setTimeout(() => {
      forget();
      name(id, true);
    }, ADDRESS_MS);
  };
  const goTo = (id: string): void => {
    select(id);
    focus(id);
  };
  return {
    selectedId,
    isOpen,
    select,
    goTo,
    move: (step) => {
      // Without a choice, both lead to the first row.
      const at = selectedId.peek() === undefined ? -1 : ids.indexOf(selectedId.peek() ?? "");
      const next = ids[at < 0 ? 0 : at + step];
      if (next !== undefined) goTo(next);
    },
    open: (id) => {
      forget();
      chosen.value = id;
      if (!isOpen) wasOpenedHere.current = true;
      name(id, isOpen);
    },
    settle: () => {
      if (timer.current !== undefined && chosen.value !== undefined) name(chosen.value, true);
      forget();
    },
    close: () => {
      forget();
      const next = new URLSearchParams(query.peek());
      next.delete("watch");
      if (wasOpenedHere.current) history.back();
      else setQuery(next);
      wasOpenedHere.current = false;
    },
  };
}

/** A pane that closes takes the focus with it: then its row has it, as if the reader had never left the list. */
function useRowFocus(
  isOpen: boolean,
  selectedId: ReadonlySignal<string | undefined>,
  focus: (id: string) => void,
): void {
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    const id = selectedId.peek();
    if (wasOpen.current && !isOpen && isLost && id !== undefined) focus(id);
    wasOpen.current = isOpen;
  }, [isOpen]);
}

/**
 * A click anywhere in a row shows it in the pane. Other links of the row lead where they say, and Enter on the link of the row
 * that is open leads to its page.
 */
export function openRow(event: MouseEvent, id: string, selection: Selection): void {
  if (event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link !== null && !link.classList.contains("watch")) return;
  const isByKeyboard = event.detail === 0;
  if (isByKeyboard && selection.isOpen && selection.selectedId.peek() === id) {
    selection.settle();
    return;
  }
  event.preventDefault();
  selection.open(id);
}
