import { computed, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { MarketFacets } from "../../../client/assay-client.ts";
import { api, type Failure } from "../../api.ts";
import { isNamed, noteNames } from "../../filters/clauses.ts";
import { EditedFilterContext, useFacetCounts } from "../../filters/edited-filter.ts";
import { ChosenParts, FilterSheet, ProblemList } from "../../filters/filter-bar.tsx";
import { FilterPanel } from "../../filters/filter-panel.tsx";
import { Button } from "../../parts/button.tsx";
import { Chip } from "../../parts/choice.tsx";
import { isBroad, isNarrow, PageHeading } from "../../parts/layout.tsx";
import { PaneArea, useListKeys } from "../../parts/pane/pane-area.tsx";
import { type Selection, useSelection } from "../../parts/pane/selection.ts";
import { WatchPane } from "../../parts/pane/watch-pane.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { Broken, Loading } from "../../parts/states.tsx";
import { useOthersDeals } from "../../parts/watch/others-deals.ts";
import { nowMs } from "../../state/clock.ts";
import { type Load, useLoad } from "../../state/load.ts";
import { isText, stored } from "../../state/preferences.ts";
import { trail } from "../../state/trail.ts";
import { controlWords } from "../../words/filters.ts";
import { formatAgo, formatCount } from "../../words/formats.ts";
import { marketWords } from "../../words/market.ts";
import { words } from "../../words/words.ts";
import { EmptyResult } from "./empty-result.tsx";
import {
  findRows,
  forgetRows,
  keyOf,
  type MarketRows,
  OLD_MS,
  setDeal,
  useFreshCount,
} from "./market-rows.ts";
import {
  changeFilter,
  changeMarket,
  clearMarket,
  columnsFor,
  isRanked,
  listMarketParts,
  market,
  problems,
  reading,
  sideOf,
} from "./market-state.ts";
import { MarketTable } from "./market-table.tsx";
import { BelowFields, MarketTools, SideTabs } from "./market-tools.tsx";

/** More dealers are not named. */
const DEALERS_MAX = 8;
/** What is for sale, and the last days: without more there is nothing to clear. */
const DEFAULT_PARTS = 2;

/**
 * `shown` or `hidden`, if the reader chose. The columns matter more than the controls, which otherwise are beside them only where there is
 * room for both.
 */
const panelChoice = stored("market-panel", isText, "");
const isPanelShown = computed(() =>
  panelChoice.value === "" ? isBroad.value : panelChoice.value === "shown",
);

/** Find a listing: controls beside the table, or in a sheet where there is no room. */
export function MarketPage() {
  useTypedWords();
  useDealerNames();
  if (!market.value.isRead) {
    return (
      <div class="market">
        <PageHeading title={words.pages.market} isHidden />
        <Loading rows={14} />
      </div>
    );
  }
  return <Market />;
}

function Market() {
  const { filter } = market.value;
  const facets = useFacetCounts(filter);
  const { rows, renew } = useRows(facets);
  const { failure, rows: found } = rows.state.value;
  const ids = useMemo(() => found.map(({ listing }) => listing.id), [found]);
  useEffect(() => {
    trail.value = { href: `${location.pathname}${location.search}`, listingIds: ids };
  }, [ids]);
  const focus = useRef<(id: string) => void>(() => undefined);
  const selection = useSelection({
    ids,
    isFirstChosen: false,
    focus: (id) => focus.current(id),
  });
  const waitingKey = useListKeys({ selection, listingIdOf: (id) => id });
  useOthersDeals({ shownIds: () => ids, onDeal: (id, deal) => setDeal(rows, id, deal) });
  const edited = useMemo(() => ({ filter, change: changeFilter }), [filter]);
  const parts = listMarketParts();
  const panel = (
    <FilterPanel facets={facets} failure={failure}>
      {sideOf(filter) === "want_to_buy" ? <span /> : <BelowFields />}
    </FilterPanel>
  );
  return (
    <EditedFilterContext.Provider value={edited}>
      <div class={classOf(selection)}>
        <PageHeading title={words.pages.market} isHidden />
        {isNarrow.value || !isPanelShown.value ? null : (
          <aside class="market-side" aria-label={controlWords.filters}>
            {panel}
          </aside>
        )}
        <div class="market-main">
          <div class="market-bar">
            <SideTabs />
            <SearchBox />
            {isNarrow.value ? (
              <FilterSheet count={parts.length} done={marketWords.done}>
                {panel}
              </FilterSheet>
            ) : (
              <Chip
                isOn={isPanelShown.value}
                onToggle={() => {
                  panelChoice.value = isPanelShown.value ? "hidden" : "shown";
                }}
              >
                {controlWords.filters}
              </Chip>
            )}
            <MarketTools />
          </div>
          <ChosenParts
            parts={parts}
            onClear={parts.length > DEFAULT_PARTS ? clearMarket : undefined}
          />
          <ProblemList
            problems={problems.value}
            onDismiss={() => changeMarket({}, { isReplacing: true })}
            refusal={failure}
            warnings={facets.state.value.value?.warnings}
          />
          <CountLine rows={rows} facets={facets} onRenew={renew} />
          <Rows rows={rows} facets={facets} selection={selection} focus={focus} />
        </div>
        {selection.isOpen ? (
          <Aside rows={rows} selection={selection} waitingKey={waitingKey} />
        ) : null}
      </div>
    </EditedFilterContext.Provider>
  );
}

function classOf({ isOpen }: Selection): string {
  return `market ${isPanelShown.value ? "" : "is-whole"} ${isOpen ? "is-open" : ""}`;
}

/** What is tried again by itself, or ends with a new session. Any other failure stays. */
const PASSING: readonly Failure["kind"][] = ["offline", "busy", "signed_out"];

/** Asks the service how it reads the words, whenever they change. Words that it cannot read are searched for as they are. */
function useTypedWords(): void {
  const { text } = market.value;
  const load = useLoad([text], async (signal) =>
    text === "" ? undefined : { ...(await api.parseQuery({ text }, { signal })), text },
  );
  const { value, failure } = load.state.value;
  useLayoutEffect(() => {
    const isUnread = failure !== undefined && !PASSING.includes(failure.kind) && text !== "";
    const plain = {
      text,
      rest: text,
      chips: [],
      filters: { text_search: { query: text, mode: "all" } },
    };
    if (isUnread) reading.value = plain as unknown as NonNullable<typeof value>;
    else if (value !== undefined) reading.value = value;
    for (const { member, value: ids, label } of value?.chips ?? []) {
      if (member === "contact_ids") noteNames((ids as string[]).map((id) => [id, label] as const));
    }
  }, [value, failure]);
}

/** A dealer in the filter has a name, also if none of his asks is shown. */
function useDealerNames(): void {
  const { contact_ids: ids } = market.value.filter as { readonly contact_ids?: unknown };
  const unknown = Array.isArray(ids) ? ids.map(String).filter((id) => !isNamed(id)) : [];
  useLoad([unknown.join()], async (signal) => {
    for (const id of unknown.slice(0, DEALERS_MAX)) {
      const { display_name, phone_number } = await api.getContact({ contact_id: id }, { signal });
      noteNames([[id, display_name ?? phone_number ?? words.dealer.unknown]]);
    }
  });
}

/** The rows of the current search. `renew` reads them again, with what is new. */
function useRows(facets: Load<MarketFacets>): { rows: MarketRows; renew: () => void } {
  const { filter, sort, minimum } = market.value;
  const round = useSignal(0);
  const search = { filter, sort, minimum };
  const rows = useMemo(() => findRows(search), [keyOf(search), round.value]);
  useEffect(() => {
    rows.loadMore();
    return rows.pause;
  }, [rows]);
  const renew = (): void => {
    forgetRows(rows.search);
    round.value += 1;
    facets.reload();
  };
  return { rows, renew };
}

function SearchBox() {
  const search = (text: string): void => {
    const now = market.peek().text;
    if (text === now) return;
    // The first letter is a step of its own, so the way back leads to before the search.
    changeMarket({ text }, { isReplacing: now !== "" && text !== "" });
  };
  return (
    <SearchField
      text={market.value.text}
      label={marketWords.search}
      keyLabel={marketWords.searchKey}
      area="market"
      onSearch={search}
    />
  );
}

function Aside(props: {
  readonly rows: MarketRows;
  readonly selection: Selection;
  readonly waitingKey: ReturnType<typeof useListKeys>;
}) {
  const { rows, selection } = props;
  const id = selection.selectedId.value;
  const row = rows.state.value.rows.find(({ listing }) => listing.id === id);
  return (
    <PaneArea id={row?.listing.id} waitingKey={props.waitingKey}>
      {(isSettled) =>
        row === undefined ? null : (
          <WatchPane
            row={row}
            messageId={row.listing.source.canonical_message_id}
            isSettled={isSettled}
            onSend={({ state }) => {
              if (state === "passed") selection.move(1);
            }}
            onDecided={(deal, listingId) => {
              setDeal(rows, listingId, deal);
              if (deal === undefined) selection.goTo(listingId);
            }}
            onClose={selection.close}
          />
        )
      }
    </PaneArea>
  );
}

function CountLine(props: {
  readonly rows: MarketRows;
  readonly facets: Load<MarketFacets>;
  readonly onRenew: () => void;
}) {
  const freshCount = useFreshCount(props.rows);
  return (
    <div class="market-count">
      <span role="status">{describeCount(props.rows, props.facets)}</span>
      {freshCount === 0 ? null : (
        <Button onPress={props.onRenew}>{marketWords.fresh(freshCount, freshCount >= 100)}</Button>
      )}
      <OldOrder rows={props.rows} onRenew={props.onRenew} />
    </div>
  );
}

/** Rows never move by themselves, so an order that is not by time is that of when it was read. */
function OldOrder({ rows, onRenew }: { readonly rows: MarketRows; readonly onRenew: () => void }) {
  const { readAtMs } = rows.state.value;
  if (rows.search.sort === "newest" || readAtMs === undefined) return null;
  const ageMs = nowMs.value - readAtMs;
  if (ageMs < OLD_MS) return null;
  return (
    <>
      <span class="sub">{marketWords.orderOf(formatAgo(ageMs))}</span>
      <Button onPress={onRenew}>{marketWords.readAgain}</Button>
    </>
  );
}

function describeCount(rows: MarketRows, facets: Load<MarketFacets>): string {
  const { rows: listings, isComplete, failure } = rows.state.value;
  const { value, isLoading, failure: countFailure } = facets.state.value;
  const isPriced = isRanked(rows.search.sort);
  const kind = isPriced ? "priced" : (sideOf(rows.search.filter) ?? "any");
  // The figures may be those of the filter before.
  if (failure !== undefined && listings.length === 0) return "";
  if (isComplete) return marketWords.total(formatCount(listings.length), kind, true);
  // The service counts all that the filter selects, also what has no price.
  if (isPriced && listings.length > 0)
    return marketWords.atLeast(formatCount(listings.length), kind);
  if (!isPriced && value !== undefined && !isLoading && countFailure === undefined) {
    return marketWords.total(formatCount(value.total), kind, value.is_exact);
  }
  if (isLoading || isPriced) return marketWords.counting;
  return marketWords.atLeast(formatCount(listings.length), kind);
}

function Rows(props: {
  readonly rows: MarketRows;
  readonly facets: Load<MarketFacets>;
  readonly selection: Selection;
  readonly focus: { current: (id: string) => void };
}) {
  const { rows } = props;
  const columns = columnsFor(market.value);
  const names = columns.join();
  const kept = useMemo(() => columns, [names]);
  const { rows: listings, failure, isComplete } = rows.state.value;
  if (failure !== undefined && listings.length === 0) {
    return (
      <div class="market-state">
        <Broken failure={failure} onRetry={rows.loadMore} />
      </div>
    );
  }
  if (listings.length === 0 && isComplete) {
    return (
      <div class="market-state">
        <EmptyResult rows={rows} />
      </div>
    );
  }
  if (listings.length === 0) return <Loading rows={14} />;
  const counted = props.facets.state.value.value;
  const isCounted = counted?.is_exact === true && !isRanked(rows.search.sort);
  const total = isComplete ? listings.length : isCounted ? counted.total : undefined;
  return (
    <>
      <MarketTable
        rows={rows}
        columns={kept}
        total={total}
        selection={props.selection}
        focus={props.focus}
      />
      {failure === undefined ? null : (
        <div class="market-state">
          <Broken failure={failure} onRetry={rows.loadMore} />
        </div>
      )}
    </>
  );
}
