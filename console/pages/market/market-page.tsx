import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { MarketFacets } from "../../../client/assay-client.ts";
import { describeMember, listParts, memberLabel } from "../../filters/clauses.ts";
import { countFacets, EditedFilterContext, useFacetCounts } from "../../filters/edited-filter.ts";
import {
  asksNothing,
  type Filter,
  WORDS,
  withMember,
  without,
  wordsOf,
} from "../../filters/filter.ts";
import { ChosenParts, FilterSheet, ProblemList } from "../../filters/filter-bar.tsx";
import { FilterPanel } from "../../filters/filter-panel.tsx";
import { Button } from "../../parts/button.tsx";
import { isNarrow, PageHeading } from "../../parts/layout.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { Broken, Empty, Loading } from "../../parts/states.tsx";
import { type Load, useLoad } from "../../state/load.ts";
import { trail } from "../../state/trail.ts";
import { controlWords } from "../../words/filters.ts";
import { formatCount } from "../../words/formats.ts";
import { marketWords } from "../../words/market.ts";
import { words } from "../../words/words.ts";
import { findRows, forgetRows, keyOf, type MarketRows, useFreshCount } from "./market-rows.ts";
import { changeFilter, changeMarket, market, problems } from "./market-state.ts";
import { MarketTable } from "./market-table.tsx";
import { MarketTools } from "./market-tools.tsx";

/** Each suggestion is one count. */
const SUGGESTIONS_MAX = 8;

/** Find a listing: controls beside the table, or in a sheet where there is no room. */
export function MarketPage() {
  const { filter } = market.value;
  const facets = useFacetCounts(filter);
  const { rows, renew } = useRows(facets);
  const { failure, rows: found } = rows.state.value;
  useEffect(() => {
    trail.value = {
      href: `${location.pathname}${location.search}`,
      listingIds: found.map(({ id }) => id),
    };
  }, [found]);
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

function SearchBox() {
  const { filter } = market.value;
  const search = (text: string): void => {
    const now = market.peek().filter;
    if (text === (now[WORDS] ?? "")) return;
    // The first letter is a step of its own, so the way back leads to before the search.
    changeFilter(withMember(now, WORDS, text === "" ? undefined : text), {
      isReplacing: now[WORDS] !== undefined && text !== "",
    });
  };
  return (
    <SearchField
      text={wordsOf(filter)}
      label={marketWords.search}
      keyLabel={marketWords.searchKey}
      area="market"
      onSearch={search}
    />
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

/** Says which part of the filter leaves nothing: how many there would be without each of them. */
function EmptyResult({ filter }: { readonly filter: Filter }) {
  const members = Object.keys(filter).filter((name) => !asksNothing(filter[name]));
  const load = useLoad([filter], (signal) =>
    Promise.all(
      members.slice(0, SUGGESTIONS_MAX).map(async (member) => {
        const rest = without(filter, [member]);
        const { total } = await countFacets(rest, { facets: [], limit: 1 }, signal);
        return { member, rest, total };
      }),
    ),
  );
  if (members.length === 0) {
    return (
      <Empty title={marketWords.noneAtAll}>
        <p class="soft">{marketWords.noneAtAllHint}</p>
      </Empty>
    );
  }
  const suggestions = (load.state.value.value ?? []).toSorted(
    (left, right) => right.total - left.total,
  );
  return (
    <Empty title={marketWords.none}>
      <ul class="suggestions">
        {suggestions.map(({ member, rest, total }) => (
          <li key={member}>
            <button type="button" class="button" onClick={() => changeFilter(rest)}>
              {marketWords.without(memberLabel(member), describeMember(filter, member))}
            </button>
            <span class="soft">
              {total === 0 ? marketWords.noneEither : marketWords.found(formatCount(total))}
            </span>
          </li>
        ))}
      </ul>
      {members.length > 1 ? (
        <button type="button" class="quiet" onClick={() => changeFilter({})}>
          {controlWords.clear}
        </button>
      ) : null}
    </Empty>
  );
}
