import { useEffect, useMemo } from "preact/hooks";
import type { NamedAlertMatch, WatchMatch } from "../../../client/assay-client.ts";
import { Button } from "../../parts/button.tsx";
import { PageHeading, ScrollArea } from "../../parts/layout.tsx";
import { PaneArea, useListKeys } from "../../parts/pane/pane-area.tsx";
import { type Selection, useSelection } from "../../parts/pane/selection.ts";
import { WatchPane } from "../../parts/pane/watch-pane.tsx";
import { Broken, WhenLoaded } from "../../parts/states.tsx";
import { Tag } from "../../parts/table.tsx";
import { useArrivingPhotos } from "../../parts/watch/arriving-photos.ts";
import { query } from "../../router.ts";
import { trail } from "../../state/trail.ts";
import { buysWords } from "../../words/buys.ts";
import { words } from "../../words/words.ts";
import { actOnChosen, markSeen, useBuysKeys } from "./buy-actions.ts";
import { BuyTable } from "./buy-table.tsx";
import { readBuyFilter } from "./buys-address.ts";
import { BuysBar } from "./buys-bar.tsx";
import { type Buys, isSeen, setDeal, useBuys } from "./buys-state.ts";
import { BuysSummary } from "./buys-summary.tsx";
import { NoAlert, NoBuys } from "./no-buys.tsx";
import { type Several, useSeveral } from "./several.ts";

const NO_ROWS: readonly WatchMatch[] = [];

/** What to buy now, best first, and beside it why. */
export function BuysPage() {
  const buys = useBuys(readBuyFilter(query.value));
  const rows = buys.load.state.value.value?.items ?? NO_ROWS;
  const ids = useMemo(() => rows.map(({ resource_id }) => resource_id), [rows]);
  const selection = useSelection({ ids, isFirstChosen: true, focus: focusRow });
  const several = useSeveral(rows, selection.selectedId);
  const onSeen = (id: string): void => {
    const row = rows.find(({ resource_id }) => resource_id === id);
    if (row === undefined) return;
    markSeen(buys, row, () => selection.goTo(id));
    selection.move(1);
  };
  useEffect(() => {
    const named = query.peek().get("watch");
    if (rows.length > 0 && named !== null) findRow(named)?.scrollIntoView({ block: "nearest" });
  }, [rows.length > 0]);
  const here = query.value.toString();
  useEffect(() => {
    const listingIds = rows.flatMap(({ listing }) => (listing === undefined ? [] : [listing.id]));
    trail.value = { href: here === "" ? "/" : `/?${here}`, listingIds };
  }, [rows, here]);
  const waitingKey = useListKeys({
    selection,
    listingIdOf: (id) => rows.find(({ resource_id }) => resource_id === id)?.listing?.id,
    hasActions: several.chosenIds.value.size === 0,
  });
  useArrivingPhotos(rows);
  useBuysKeys({ buys, rows, selection, several, onSeen });
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
  readonly waitingKey: ReturnType<typeof useListKeys>;
}) {
  const { buys, selection, rows } = props;
  const id = selection.selectedId.value;
  const row = useMemo(() => rows.find(({ resource_id }) => resource_id === id), [rows, id]);
  return (
    <PaneArea id={row?.resource_id} waitingKey={props.waitingKey}>
      {(isSettled) =>
        row === undefined ? null : (
          <WatchPane
            row={row}
            messageId={row.matches[0]?.match.canonical_message_id ?? row.resource_id}
            stood={stoodAt(row)}
            sinceMs={Math.min(...row.matches.map(({ match }) => match.matched_at_ms))}
            isSettled={isSettled}
            hasKeys={props.several.chosenIds.value.size === 0}
            // The next watch is shown at once; what is passed is marked in its row when the service has it.
            onSend={({ state }) => {
              if (state === "passed") selection.move(1);
            }}
            onDecided={(deal, listingId) => {
              setDeal(buys.load, listingId, deal);
              if (deal === undefined) selection.goTo(listingId);
              buys.figures.reload();
            }}
            onClose={selection.close}
            buttons={
              isSeen(row, buys.markedIds.value) ? null : (
                <Button isWrite onPress={() => props.onSeen(row.resource_id)} hotkey="e">
                  {buysWords.seen}
                </Button>
              )
            }
          >
            <AlertChips row={row} />
          </WatchPane>
        )
      }
    </PaneArea>
  );
}

function AlertChips({ row: { matches, is_shadow } }: { readonly row: WatchMatch }) {
  return (
    <ul class="alert-list" aria-label={buysWords.alerts}>
      {is_shadow ? (
        <li>
          <Tag tone="warn">{buysWords.shadowLong}</Tag>
        </li>
      ) : null}
      {matches.map(({ alert }) => (
        <li key={alert.id}>
          <a class="tag" href={`/alerts/${alert.id}`}>
            <bdi>{alert.name}</bdi>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Of the match that says most about a watch: the one with the highest profit, or else the latest. */
function stoodAt({ matches, matched_at_ms }: WatchMatch) {
  const profitOf = ({ match }: NamedAlertMatch): number =>
    match.match_context.profit_opportunity_eur_minor ?? Number.NEGATIVE_INFINITY;
  const best = matches.reduce<NamedAlertMatch | undefined>(
    (found, match) => (found === undefined || profitOf(match) > profitOf(found) ? match : found),
    undefined,
  );
  return {
    context: best?.match.match_context ?? {},
    atMs: best?.match.matched_at_ms ?? matched_at_ms,
  };
}

/** The focus follows, so that a screen reader says the row and Enter opens it. */
function focusRow(id: string): void {
  const row = findRow(id);
  row?.querySelector("a")?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: "nearest" });
}

function findRow(id: string): HTMLElement | null {
  return document.querySelector(`tr[data-id="${CSS.escape(id)}"]`);
}
