import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { WatchMatch } from "../../../client/assay-client.ts";
import { Button } from "../../parts/button.tsx";
import { PageHeading, ScrollArea } from "../../parts/layout.tsx";
import { Broken, WhenLoaded } from "../../parts/states.tsx";
import { query } from "../../router.ts";
import { useSettled } from "../../state/load.ts";
import { trail } from "../../state/trail.ts";
import { buysWords } from "../../words/buys.ts";
import { words } from "../../words/words.ts";
import { actOnChosen, markSeen, useBuysKeys } from "./buy-actions.ts";
import { BuyPane } from "./buy-pane.tsx";
import { BuyTable } from "./buy-table.tsx";
import { readBuyFilter } from "./buys-address.ts";
import { BuysBar } from "./buys-bar.tsx";
import { type Buys, isSeen, setDeal, useBuys } from "./buys-state.ts";
import { BuysSummary } from "./buys-summary.tsx";
import { NoAlert, NoBuys } from "./no-buys.tsx";
import { focusRow, type Selection, useSelection } from "./selection.ts";
import { type Several, useSeveral } from "./several.ts";

const NO_ROWS: readonly WatchMatch[] = [];
/** Long enough for a key that is held down, too short to be noticed. */
const SETTLE_MS = 150;

/** What to buy now, best first, and beside it why. */
export function BuysPage() {
  const buys = useBuys(readBuyFilter(query.value));
  const rows = buys.load.state.value.value?.items ?? NO_ROWS;
  const selection = useSelection(rows);
  const several = useSeveral(rows, selection.selectedId);
  /** A key that was pressed before the pane was there. */
  const waitingKey = useRef<string | undefined>(undefined);
  const onSeen = (id: string): void => {
    const row = rows.find(({ resource_id }) => resource_id === id);
    if (row === undefined) return;
    markSeen(buys, row, () => returnTo(selection, id));
    selection.move(1);
  };
  const onAction = (key: string): void => {
    const id = selection.selectedId.value;
    if (id === undefined) return;
    waitingKey.current = key;
    selection.open(id);
  };
  const here = query.value.toString();
  useEffect(() => {
    const listingIds = rows.flatMap(({ listing }) => (listing === undefined ? [] : [listing.id]));
    trail.value = { href: here === "" ? "/" : `/?${here}`, listingIds };
  }, [rows, here]);
  useBuysKeys({ buys, rows, selection, several, onSeen, onAction });
  return (
    <div class={selection.isOpen ? "split buys is-open" : "split buys"}>
      <PageHeading title={words.pages.buys} isHidden />
      <ScrollArea name="buys" label={words.pages.buys}>
        <div>
          <div class={several.chosenIds.value.size === 0 ? "bar" : "bar is-chosen"}>
            {several.chosenIds.value.size === 0 ? (
              <BuysBar buys={buys} />
            ) : (
              <ChosenBar buys={buys} rows={rows} several={several} />
            )}
          </div>
          <BuysSummary buys={buys} />
          <BuyList buys={buys} selection={selection} several={several} />
        </div>
      </ScrollArea>
      {selection.isOpen ? (
        <Aside {...{ buys, selection, several, rows, onSeen, waitingKey }} />
      ) : null}
    </div>
  );
}

function BuyList(props: {
  readonly buys: Buys;
  readonly selection: Selection;
  readonly several: Several;
}) {
  const { buys } = props;
  const isAlertGone =
    buys.filter.alertId !== undefined && buys.load.state.value.failure?.kind === "missing";
  if (isAlertGone) return <NoAlert filter={buys.filter} />;
  if (buys.failure !== undefined) return <Broken failure={buys.failure} />;
  return (
    <WhenLoaded load={buys.load} rows={12}>
      {({ items, next_cursor }) => (
        <>
          {items.length === 0 ? <NoBuys buys={buys} /> : <BuyTable {...props} rows={items} />}
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

/** What can be done with all rows that are chosen. */
function ChosenBar(props: {
  readonly buys: Buys;
  readonly rows: readonly WatchMatch[];
  readonly several: Several;
}) {
  const { several } = props;
  return (
    <>
      <b role="status">{buysWords.chosen(several.chosenIds.value.size)}</b>
      <Button isWrite hotkey="p" onPress={() => actOnChosen(props, "pass")}>
        {buysWords.passAll}
      </Button>
      <Button isWrite hotkey="s" onPress={() => actOnChosen(props, "shortlist")}>
        {buysWords.shortlistAll}
      </Button>
      <Button isWrite hotkey="e" onPress={() => actOnChosen(props, "seen")}>
        {buysWords.seen}
      </Button>
      <span class="grow" />
      <Button hotkey="Escape" onPress={several.clear}>
        {buysWords.clear}
      </Button>
    </>
  );
}

function Aside(props: {
  readonly buys: Buys;
  readonly selection: Selection;
  readonly several: Several;
  readonly rows: readonly WatchMatch[];
  readonly onSeen: (id: string) => void;
  readonly waitingKey: { current: string | undefined };
}) {
  const { buys, selection, rows, waitingKey } = props;
  const id = selection.selectedId.value;
  const settledId = useSettled(id, SETTLE_MS);
  const row = useMemo(() => rows.find(({ resource_id }) => resource_id === id), [rows, id]);
  // Before anything else can be pressed.
  useLayoutEffect(() => {
    const key = waitingKey.current;
    waitingKey.current = undefined;
    if (key !== undefined) document.dispatchEvent(new KeyboardEvent("keydown", { key }));
  }, []);
  return (
    // Another row starts at its top.
    <ScrollArea key={row?.resource_id} name="buy" class="aside" label={buysWords.aside}>
      {row === undefined ? null : (
        <BuyPane
          row={row}
          isSeen={isSeen(row, buys.markedIds.value)}
          isSettled={settledId === row.resource_id}
          hasKeys={props.several.chosenIds.value.size === 0}
          onSeen={() => props.onSeen(row.resource_id)}
          // The next watch is shown at once; what is passed is marked in its row when the service has it.
          onSend={({ state }) => {
            if (state === "passed") selection.move(1);
          }}
          onDecided={(deal, listingId) => {
            setDeal(buys.load, listingId, deal);
            if (deal === undefined) returnTo(selection, listingId);
            buys.figures.reload();
          }}
          onClose={selection.close}
        />
      )}
    </ScrollArea>
  );
}

function returnTo(selection: Selection, id: string): void {
  selection.select(id);
  focusRow(id);
}
