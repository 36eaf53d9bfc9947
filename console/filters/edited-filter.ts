/** The filter that the controls show and change, and how many listings have each of its values. */
import { createContext } from "preact";
import { useContext, useEffect } from "preact/hooks";
import type { FilterMembers, MarketFacets } from "../../client/assay-client.ts";
import { api } from "../api.ts";
import { type Load, useLoad } from "../state/load.ts";
import { noteNames } from "./clauses.ts";
import { type FacetName, type Filter, TIME_MEMBERS } from "./filter.ts";

/** That of the market, or of an alert. */
interface EditedFilter {
  readonly filter: Filter;
  readonly change: (next: Filter) => void;
}

const FACET_VALUES = 20;
/** What "More" shows; a longer list is searched instead. */
export const FACET_VALUES_MAX = 200;
export const EditedFilterContext = createContext<EditedFilter>({
  filter: {},
  change: () => undefined,
});

export function useEditedFilter(): EditedFilter {
  return useContext(EditedFilterContext);
}

export function useFacetCounts(filter: Filter): Load<MarketFacets> {
  const load = useLoad([filter], (signal) => countFacets(filter, { limit: FACET_VALUES }, signal));
  const groups = load.state.value.value?.facets.group;
  useEffect(() => {
    noteNames(
      (groups ?? []).flatMap(({ id, value }) => (id === undefined ? [] : [[id, value] as const])),
    );
  }, [groups]);
  return load;
}

/** Counts what the table shows: at any time, unless the filter names one. The service alone would count 30 days. */
export function countFacets(
  filter: Filter,
  options: { readonly facets?: readonly FacetName[]; readonly limit?: number },
  signal: AbortSignal,
): Promise<MarketFacets> {
  const hasTime = TIME_MEMBERS.some((name) => Object.hasOwn(filter, name));
  const atAnyTime: FilterMembers = { last_seen_at_ms: { gte: 0 } };
  const filters = hasTime ? filter : { ...filter, ...atAnyTime };
  return api.countFacets({ filters, ...options }, { signal });
}
