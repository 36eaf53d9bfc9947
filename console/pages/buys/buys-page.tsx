import { useMemo } from "preact/hooks";
import type { WatchMatch } from "../../../client/assay-client.ts";
import { Button } from "../../parts/button.tsx";
import { PageHeading, ScrollArea } from "../../parts/layout.tsx";
import { WhenLoaded } from "../../parts/states.tsx";
import { query } from "../../router.ts";
import { useSettled } from "../../state/load.ts";
import { buysWords } from "../../words/buys.ts";
import { words } from "../../words/words.ts";
import { markSeen, useBuysKeys } from "./buy-actions.ts";
import { BuyDetail } from "./buy-detail.tsx";
import { BuyTable } from "./buy-table.tsx";
import { BuysBar } from "./buys-bar.tsx";
import { type Buys, isSeen, readFilter, useBuys } from "./buys-state.ts";
import { NoAlert, NoBuys } from "./no-buys.tsx";
import { focusRow, type Selection, useSelection } from "./selection.ts";

const NO_ROWS: readonly WatchMatch[] = [];
/** Long enough for a key that is held down, too short to be noticed. */
const SETTLE_MS = 150;

/** What to buy now, and beside it why. */
export function BuysPage() {
  const buys = useBuys(readFilter(query.value));
  const rows = buys.load.state.value.value?.items ?? NO_ROWS;
  const selection = useSelection(rows);
  const onSeen = (id: string): void => {
    const row = rows.find(({ resource_id }) => resource_id === id);
    if (row === undefined) return;
    markSeen(buys, row, () => {
      selection.select(id);
      focusRow(id);
    });
    selection.move(1);
  };
  useBuysKeys(buys, selection, onSeen);
  return (
    <div class={selection.isOpen ? "split buys is-open" : "split buys"}>
      <PageHeading title={words.pages.buys} isHidden />
      <ScrollArea name="buys" label={words.pages.buys}>
        <div>
          <BuysBar buys={buys} />
          <BuyList buys={buys} selection={selection} />
        </div>
      </ScrollArea>
      <Aside buys={buys} selection={selection} rows={rows} onSeen={onSeen} />
    </div>
  );
}

function BuyList({ buys, selection }: { readonly buys: Buys; readonly selection: Selection }) {
  const isAlertGone =
    buys.filter.alertId !== undefined && buys.load.state.value.failure?.kind === "missing";
  if (isAlertGone) return <NoAlert filter={buys.filter} />;
  return (
    <WhenLoaded load={buys.load} rows={12}>
      {({ items, next_cursor }) => (
        <>
          {items.length === 0 ? (
            <NoBuys filter={buys.filter} />
          ) : (
            <BuyTable buys={buys} selection={selection} rows={items} />
          )}
          {next_cursor === undefined ? null : (
            <div class="page">
              <Button onPress={buys.more}>{words.more}</Button>
            </div>
          )}
        </>
      )}
    </WhenLoaded>
  );
}

function Aside(props: {
  readonly buys: Buys;
  readonly selection: Selection;
  readonly rows: readonly WatchMatch[];
  readonly onSeen: (id: string) => void;
}) {
  const { buys, selection, rows } = props;
  const id = selection.selectedId.value;
  const settledId = useSettled(id, SETTLE_MS);
  const row = useMemo(() => rows.find(({ resource_id }) => resource_id === id), [rows, id]);
  return (
    // Another row starts at its top.
    <ScrollArea key={row?.resource_id} name="buy" class="aside" label={buysWords.aside}>
      {row === undefined ? null : (
        <BuyDetail
          row={row}
          isSeen={isSeen(row, buys.markedIds.value)}
          isSettled={settledId === row.resource_id}
          isOpen={selection.isOpen}
          onSeen={() => props.onSeen(row.resource_id)}
          onClose={selection.close}
        />
      )}
    </ScrollArea>
  );
}
