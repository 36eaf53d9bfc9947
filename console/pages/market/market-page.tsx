import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { MarketFacets } from "../../../client/assay-client.ts";
import { listParts } from "../../filters/clauses.ts";
import { ChosenParts } from "../../filters/controls/chosen-parts.tsx";
import { EditedFilterContext } from "../../filters/controls/edited-filter.ts";
import { useFacetCounts } from "../../filters/controls/facet-counts.ts";
import { FilterPanel } from "../../filters/controls/filter-panel.tsx";
import { FilterSheet } from "../../filters/controls/filter-sheet.tsx";
import { isNarrow } from "../../filters/controls/narrow.ts";
import { ProblemList } from "../../filters/controls/problem-list.tsx";
import { Broken } from "../../parts/broken.tsx";
import { Button } from "../../parts/button.tsx";
import { Loading } from "../../parts/loading.tsx";
import { PageHeading } from "../../parts/page-heading.tsx";
import type { Load } from "../../state/load.ts";
import { controlWords } from "../../words/filter-controls.ts";
import { formatCount } from "../../words/formats.ts";
import { marketWords } from "../../words/market.ts";
import { words } from "../../words/words.ts";
import { EmptyResult } from "./empty-result.tsx";
import { changeFilter, changeMarket, market, problems } from "./market-state.ts";
import { MarketTools } from "./market-tools.tsx";
import { SearchBox } from "./search-box.tsx";
import { useFreshCount } from "./table/fresh-rows.ts";
import { findRows, forgetRows, keyOf, type MarketRows } from "./table/market-rows.ts";
import { MarketTable } from "./table/market-table.tsx";

/** Find a listing: controls beside the table, or in a sheet where there is no room. */
export function MarketPage() {
  const { filter } = market.value;
  const facets = useFacetCounts(filter);
  const { rows, renew } = useRows(facets);
  const { failure } = rows.state.value;
  const edited = useMemo(() => ({ filter, change: changeFilter }), [filter]);
  const panel = <FilterPanel facets={facets} failure={failure} />;
  return (
    <EditedFilterContext.Provider value={edited}>
      <div class="market">
        <PageHeading title={words.pages.market} isHidden />
        {isNarrow.value ? null : (
          <aside class="market-side" aria-label={controlWords.filters}>
            {panel}
          </aside>
        )}
        <div class="market-main">
          <div class="market-bar">
            <SearchBox />
            {isNarrow.value ? (
              <FilterSheet count={listParts(filter).length} done={marketWords.done}>
                {panel}
              </FilterSheet>
            ) : null}
            <MarketTools />
          </div>
          <ChosenParts />
          <ProblemList
            problems={problems.value}
            onDismiss={() => changeMarket(market.value, { isReplacing: true })}
            refusal={failure}
            warnings={facets.state.value.value?.warnings}
          />
          <CountLine rows={rows} facets={facets} onRenew={renew} />
          <Rows rows={rows} facets={facets} />
        </div>
      </div>
    </EditedFilterContext.Provider>
  );
}

/** The rows of the current search. `renew` reads them again, with what is new. */
function useRows(facets: Load<MarketFacets>): { rows: MarketRows; renew: () => void } {
  const { filter, sort } = market.value;
  const round = useSignal(0);
  const rows = useMemo(() => findRows({ filter, sort }), [keyOf({ filter, sort }), round.value]);
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

function Rows({
  rows,
  facets,
}: {
  readonly rows: MarketRows;
  readonly facets: Load<MarketFacets>;
}) {
  const { columns } = market.value;
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
        <EmptyResult filter={rows.search.filter} />
      </div>
    );
  }
  if (listings.length === 0) return <Loading rows={14} />;
  const counted = facets.state.value.value;
  const total = isComplete
    ? listings.length
    : counted?.is_exact === true
      ? counted.total
      : undefined;
  return (
    <>
      <MarketTable rows={rows} columns={columns} total={total} />
      {failure === undefined ? null : (
        <div class="market-state">
          <Broken failure={failure} onRetry={rows.loadMore} />
        </div>
      )}
    </>
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
    </div>
  );
}

function describeCount(rows: MarketRows, facets: Load<MarketFacets>): string {
  const { rows: listings, isComplete, failure } = rows.state.value;
  const { value, isLoading, failure: countFailure } = facets.state.value;
  // The figures may be those of the filter before.
  if (failure !== undefined && listings.length === 0) return "";
  if (isComplete && listings.length === 1) return marketWords.one;
  if (isComplete) return marketWords.total(formatCount(listings.length), true);
  if (value !== undefined && !isLoading && countFailure === undefined) {
    return marketWords.total(formatCount(value.total), value.is_exact);
  }
  if (isLoading) return marketWords.counting;
  return marketWords.atLeast(formatCount(listings.length));
}
