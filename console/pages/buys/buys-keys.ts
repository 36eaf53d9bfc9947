import { useMemo, useRef } from "preact/hooks";
import { navigate } from "../../router.ts";
import { useCommands } from "../../state/commands.ts";
import { useKeys } from "../../state/keys.ts";
import { canWrite } from "../../state/session.ts";
import { buysWords } from "../../words/buys.ts";
import { markAllSeen } from "./buy-marks.ts";
import type { Buys } from "./buys-state.ts";
import { isNarrow, type Selection } from "./selection.ts";

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
  if (isNarrow() && !selection.isOpen) {
    selection.open(id);
    return;
  }
  selection.settle();
  if (listing !== undefined) navigate(`/listings/${listing.id}`);
}

function leave(selection: Selection): void {
  if (selection.isOpen && isNarrow()) selection.close();
}
