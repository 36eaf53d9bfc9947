import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Filter } from "../filter.ts";

/** The filter that the controls show and change: that of the market, or of an alert. */
export interface EditedFilter {
  readonly filter: Filter;
  readonly change: (next: Filter) => void;
}

export const EditedFilterContext = createContext<EditedFilter>({
  filter: {},
  change: () => undefined,
});

export function useEditedFilter(): EditedFilter {
  return useContext(EditedFilterContext);
}
