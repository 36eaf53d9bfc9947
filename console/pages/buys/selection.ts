/**
 * The row that the keys act on, and whether it is open: in the pane beside the list, or over it where there is no room. Going
 * back closes it.
 *
 * The address has the row (`?watch=…`), so that going back and a reload lead to it. It is written a moment after the last
 * move, because browsers refuse addresses that change too often.
 */
import { type ReadonlySignal, useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { WatchMatch } from "../../../client/assay-client.ts";
import { query, setQuery } from "../../router.ts";

const ADDRESS_MS = 300;

export interface Selection {
  readonly selectedId: ReadonlySignal<string | undefined>;
  /** True if the address names a row. */
  readonly isOpen: boolean;
  /** Moves the choice, and the focus with it. */
  readonly move: (step: 1 | -1) => void;
  readonly select: (id: string) => void;
  /** Shows the row in the pane. */
  readonly open: (id: string) => void;
  readonly close: () => void;
  /** Writes the address now: the reader leaves the page. */
  readonly settle: () => void;
}

export function useSelection(rows: readonly WatchMatch[]): Selection {
  const named = query.value.get("watch") ?? undefined;
  const chosen = useSignal(named);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const wasOpenedHere = useRef(false);
  const shown = useSignal(rows);
  useEffect(() => {
    shown.value = rows;
  }, [rows]);
  // At once: an effect would come after the next key and take its choice back.
  const lastNamed = useRef(named);
  if (lastNamed.current !== named) {
    lastNamed.current = named;
    if (named !== undefined) chosen.value = named;
  }
  useEffect(() => () => clearTimeout(timer.current), []);
  const hasRows = rows.length > 0;
  useEffect(() => {
    if (hasRows && named !== undefined) findRow(named)?.scrollIntoView({ block: "nearest" });
  }, [hasRows]);
  const selectedId = useComputed(() => {
    const isThere = shown.value.some(({ resource_id }) => resource_id === chosen.value);
    return isThere ? chosen.value : shown.value[0]?.resource_id;
  });
  const name = (id: string, isReplacing: boolean): void => {
    const next = new URLSearchParams(query.peek());
    next.set("watch", id);
    setQuery(next, { isReplacing });
  };
  const isOpen = named !== undefined && rows.some(({ resource_id }) => resource_id === named);
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
  return {
    selectedId,
    isOpen,
    select,
    move: (step) => {
      const at = rows.findIndex(({ resource_id }) => resource_id === selectedId.value);
      const next = rows[at + step];
      if (next === undefined) return;
      select(next.resource_id);
      focusRow(next.resource_id);
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

/** The focus follows, so that a screen reader says the row and Enter opens it. */
export function focusRow(id: string): void {
  const row = findRow(id);
  row?.querySelector("a")?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: "nearest" });
}

function findRow(id: string): HTMLElement | null {
  return document.querySelector(`tr[data-id="${CSS.escape(id)}"]`);
}
