/** What a reader does with the list: marks rows as seen, and walks through them by keys. */
import { batch } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import type { WatchMatch } from "../../../client/assay-client.ts";
import { api, toFailure } from "../../api.ts";
import { isNarrow } from "../../parts/layout.tsx";
import { watchTitle } from "../../parts/watch.tsx";
import { navigate } from "../../router.ts";
import { useCommands, useKeys } from "../../state/commands.ts";
import { canWrite } from "../../state/session.ts";
import { unseenCount, waitingMarkCount } from "../../state/title.ts";
import { doLater, showToast } from "../../state/toasts.ts";
import { buysWords } from "../../words/buys.ts";
import { type Buys, isSeen } from "./buys-state.ts";
import type { Selection } from "./selection.ts";

/** One call marks at most 5,000. */
const CALLS_MAX = 20;

/** Marks a watch for all alerts of its row, in five seconds. `undo` runs if the reader takes it back. */
export function markSeen(buys: Buys, row: WatchMatch, undo: () => void): void {
  if (isSeen(row, buys.markedIds.value)) return;
  mark(buys, [row]);
  const name = row.listing === undefined ? buysWords.message : watchTitle(row.listing);
  doLater({
    text: buysWords.markedOne(name),
    undo: () => {
      unmark(buys, [row]);
      undo();
    },
    run: () => finish(buys, [row], () => api.markMatchesSeen({ matches: matchesOf([row]) })),
  });
}

/** The keys and actions of the page. They are registered once, and use what is shown at the moment. */
export function useBuysKeys(buys: Buys, selection: Selection, onSeen: (id: string) => void): void {
  const latest = useRef({ buys, selection, onSeen });
  latest.current = { buys, selection, onSeen };
  const mayWrite = canWrite.value;
  const { keys, commands } = useMemo(() => {
    const renew = (): void => latest.current.buys.renew();
    const withSelected = (run: (id: string) => void) => () => {
      const id = latest.current.selection.selectedId.value;
      if (id !== undefined) run(id);
    };
    const seen = {
      key: "e",
      label: buysWords.seen,
      run: withSelected((id) => latest.current.onSeen(id)),
    };
    return {
      keys: [
        { key: "j", label: buysWords.next, run: () => latest.current.selection.move(1) },
        { key: "k", label: buysWords.previous, run: () => latest.current.selection.move(-1) },
        {
          key: "Enter",
          label: buysWords.open,
          run: withSelected((id) => open(latest.current, id)),
        },
        ...(mayWrite ? [seen] : []),
        { key: "r", label: buysWords.refresh, run: renew },
        { key: "Escape", label: buysWords.back, run: () => leave(latest.current.selection) },
      ],
      commands: [
        { id: "buys-refresh", title: buysWords.refresh, run: renew },
        {
          id: "buys-mark-all",
          title: buysWords.markAll,
          isWrite: true,
          run: () => markAllSeen(latest.current.buys),
        },
      ],
    };
  }, [mayWrite]);
  useKeys(keys);
  useCommands(commands);
}

/** Where there is no room beside the list, Enter first shows the row, then its page. */
function open({ buys, selection }: { buys: Buys; selection: Selection }, id: string): void {
  const rows = buys.load.state.value.value?.items ?? [];
  const listing = rows.find(({ resource_id }) => resource_id === id)?.listing;
  if (isNarrow.value && !selection.isOpen) {
    selection.open(id);
    return;
  }
  selection.settle();
  if (listing !== undefined) navigate(`/listings/${listing.id}`);
}

function leave(selection: Selection): void {
  if (selection.isOpen && isNarrow.value) selection.close();
}

/** Up to the newest row that is shown: what arrives later stays unseen. */
function markAllSeen(buys: Buys): void {
  const { load, filter, markedIds } = buys;
  const items = load.state.value.value?.items ?? [];
  const rows = items.filter((row) => !isSeen(row, markedIds.value));
  const newest = items[0];
  if (newest === undefined || rows.length === 0) return;
  mark(buys, rows);
  const all = {
    before_ms: newest.matched_at_ms,
    ...(filter.alertId === undefined ? {} : { alert_id: filter.alertId }),
  };
  doLater({
    text: buysWords.marked,
    undo: () => unmark(buys, rows),
    run: () =>
      finish(buys, rows, async () => {
        if (filter.isBuysOnly) return api.markMatchesSeen({ matches: matchesOf(rows) });
        for (let call = 0; call < CALLS_MAX; call += 1) {
          if (!(await api.markMatchesSeen(all)).has_more) break;
        }
        return undefined;
      }),
  });
}

function mark({ markedIds }: Buys, rows: readonly WatchMatch[]): void {
  batch(() => {
    markedIds.value = new Set([...markedIds.value, ...rows.map((row) => row.resource_id)]);
    waitingMarkCount.value += rows.length;
  });
}

function unmark({ markedIds }: Buys, rows: readonly WatchMatch[]): void {
  const ids = new Set(rows.map((row) => row.resource_id));
  batch(() => {
    markedIds.value = new Set([...markedIds.value].filter((id) => !ids.has(id)));
    waitingMarkCount.value -= rows.length;
  });
}

/** The page may have been left meanwhile; the marks are sent all the same. */
function finish(buys: Buys, rows: readonly WatchMatch[], send: () => Promise<unknown>): void {
  send().then(
    () => {
      const ids = new Set(rows.map((row) => row.resource_id));
      const seen_at_ms = Date.now();
      batch(() => {
        unmark(buys, rows);
        unseenCount.value = Math.max(0, unseenCount.value - rows.length);
        buys.load.change((value) => ({
          ...value,
          unseen_count: Math.max(0, value.unseen_count - rows.length),
          items: value.items.map((row) =>
            ids.has(row.resource_id) ? { ...row, seen_at_ms } : row,
          ),
        }));
      });
    },
    (error: unknown) => {
      unmark(buys, rows);
      showToast(toFailure(error).message, { isBad: true });
    },
  );
}

/** The service takes at most a thousand at once. */
function matchesOf(rows: readonly WatchMatch[]) {
  return rows
    .flatMap(({ matches }) =>
      matches.map(({ match: { alert_id, resource_id } }) => ({ alert_id, resource_id })),
    )
    .slice(0, 1_000);
}
