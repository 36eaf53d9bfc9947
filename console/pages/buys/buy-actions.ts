/** What a reader does with the list: marks rows as seen, and chooses several of them. */
import { batch } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import type { WatchMatch } from "../../../client/assay-client.ts";
import { api, toFailure } from "../../api.ts";
import type { Selection } from "../../parts/pane/selection.ts";
import { watchTitle } from "../../parts/watch.tsx";
import { type Key, useCommands, useKeys } from "../../state/commands.ts";
import { canWrite } from "../../state/session.ts";
import { unseenCount, waitingMarkCount } from "../../state/title.ts";
import { doLater, showToast, tellFailure } from "../../state/toasts.ts";
import { buysWords } from "../../words/buys.ts";
import { paneWords } from "../../words/pane.ts";
import { type Buys, isSeen } from "./buys-state.ts";
import { decideSeveral, type Several } from "./several.ts";

/** One call takes at most as many. */
const MARKS_MAX = 1_000;

/** Marks a watch for all alerts of its row, in five seconds. `undo` runs if the reader takes it back. */
export function markSeen(buys: Buys, row: WatchMatch, undo: () => void): void {
  if (isSeen(row, buys.markedIds.value)) return;
  mark(buys, [row]);
  const name = row.listing === undefined ? paneWords.message : watchTitle(row.listing);
  doLater({
    text: buysWords.markedOne(name),
    undo: () => {
      unmark(buys, [row]);
      undo();
    },
    run: () => finish(buys, [row]),
  });
}

/** The keys of the list. They are registered once, and use what is shown at the moment. */
export function useBuysKeys(state: KeyState): void {
  const latest = useRef(state);
  latest.current = state;
  const mayWrite = canWrite.value;
  const hasChosen = state.several.chosenIds.value.size > 0;
  useKeys(useMemo(() => listKeys(latest, mayWrite), [mayWrite]));
  useKeys(useMemo(() => (hasChosen ? severalKeys(latest) : NO_KEYS), [hasChosen]));
  useCommands(
    useMemo(
      () => [
        { id: "buys-refresh", title: buysWords.refresh, run: () => latest.current.buys.renew() },
        {
          id: "buys-mark-all",
          title: buysWords.markAll,
          isWrite: true,
          run: () => markSeveral(latest.current.buys, latest.current.rows),
        },
      ],
      [],
    ),
  );
}

interface KeyState {
  readonly buys: Buys;
  readonly rows: readonly WatchMatch[];
  readonly selection: Selection;
  readonly several: Several;
  readonly onSeen: (id: string) => void;
}

type Latest = { readonly current: KeyState };

const NO_KEYS = [] as const;

function listKeys(latest: Latest, mayWrite: boolean): readonly Key[] {
  const withSelected = (run: (id: string) => void) => () => {
    const id = latest.current.selection.selectedId.value;
    if (id !== undefined) run(id);
  };
  const chooseOn = (step: 1 | -1) =>
    withSelected((id) => {
      latest.current.several.chooseTo(id);
      latest.current.selection.move(step);
      withSelected((next) => latest.current.several.chooseTo(next))();
    });
  const writing: readonly Key[] = [
    { key: "e", label: buysWords.seen, run: withSelected((id) => latest.current.onSeen(id)) },
    {
      key: "x",
      label: buysWords.chooseKey,
      run: withSelected((id) => {
        latest.current.several.toggle(id);
        latest.current.selection.move(1);
      }),
    },
    { key: "J", label: buysWords.chooseDown, run: chooseOn(1) },
    { key: "K", label: buysWords.chooseUp, run: chooseOn(-1) },
  ];
  const renew = { key: "r", label: buysWords.refresh, run: () => latest.current.buys.renew() };
  return mayWrite ? [...writing, renew] : [renew];
}

function severalKeys(latest: Latest): readonly Key[] {
  return [
    { key: "p", label: buysWords.passAll, run: () => actOnChosen(latest.current, "pass") },
    {
      key: "s",
      label: buysWords.shortlistAll,
      run: () => actOnChosen(latest.current, "shortlist"),
    },
    { key: "e", label: buysWords.seen, run: () => actOnChosen(latest.current, "seen") },
    { key: "Escape", label: buysWords.clear, run: () => latest.current.several.clear() },
  ];
}

/** Does it with all rows that are chosen, and ends the choice. */
export function actOnChosen(
  { buys, rows, several }: Pick<KeyState, "buys" | "rows" | "several">,
  action: "pass" | "shortlist" | "seen",
): void {
  const chosen = rows.filter(({ resource_id }) => several.chosenIds.value.has(resource_id));
  several.clear();
  if (action === "seen") markSeveral(buys, chosen);
  else {
    const change =
      action === "pass"
        ? ({ state: "passed", reason: "other" } as const)
        : ({ state: "shortlisted" } as const);
    decideSeveral(buys, chosen, change).catch(tellFailure);
  }
}

/** Marks the rows that are not seen yet; the service learns of it in five seconds. */
function markSeveral(buys: Buys, shown: readonly WatchMatch[]): void {
  const rows = shown.filter((row) => !isSeen(row, buys.markedIds.value));
  if (rows.length === 0) return;
  mark(buys, rows);
  doLater({
    text: buysWords.marked(rows.length),
    undo: () => unmark(buys, rows),
    run: () => finish(buys, rows),
  });
}

function mark({ markedIds }: Buys, rows: readonly WatchMatch[]): void {
  batch(() => {
    markedIds.value = new Set([...markedIds.value, ...rows.map((row) => row.resource_id)]);
    waitingMarkCount.value += countBuys(rows);
  });
}

function unmark({ markedIds }: Buys, rows: readonly WatchMatch[]): void {
  const ids = new Set(rows.map((row) => row.resource_id));
  batch(() => {
    markedIds.value = new Set([...markedIds.value].filter((id) => !ids.has(id)));
    waitingMarkCount.value -= countBuys(rows);
  });
}

/** The page may have been left meanwhile; the marks are sent all the same. */
function finish(buys: Buys, rows: readonly WatchMatch[]): void {
  sendMarks(rows).then(
    () => {
      const ids = new Set(rows.map((row) => row.resource_id));
      const seen_at_ms = Date.now();
      batch(() => {
        unmark(buys, rows);
        unseenCount.value = Math.max(0, unseenCount.value - countBuys(rows));
        buys.load.change((value) => ({
          ...value,
          items: value.items.map((row) =>
            ids.has(row.resource_id) ? { ...row, seen_at_ms } : row,
          ),
        }));
      });
      buys.figures.reload();
    },
    (error: unknown) => {
      unmark(buys, rows);
      showToast(toFailure(error).message, { isBad: true });
    },
  );
}

/** The service takes at most a thousand at once. */
async function sendMarks(rows: readonly WatchMatch[]): Promise<void> {
  const all = rows.flatMap(({ matches }) =>
    matches.map(({ match: { alert_id, resource_id } }) => ({ alert_id, resource_id })),
  );
  for (let at = 0; at < all.length; at += MARKS_MAX) {
    await api.markMatchesSeen({ matches: all.slice(at, at + MARKS_MAX) });
  }
}

function countBuys(rows: readonly WatchMatch[]): number {
  return rows.filter(({ price }) => price?.is_buy === true).length;
}
