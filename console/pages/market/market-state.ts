/** The state of the page is its address: filter, order, columns and the view that was opened. */
import { computed } from "@preact/signals";
import { type Filter, isSameJson } from "../../filters/filter.ts";
import { readFilter, writeFilter } from "../../filters/filter-url.ts";
import { query, setQuery } from "../../router.ts";
import { isText, stored } from "../../state/preferences.ts";

/** The columns of the table, in their order. `watch` is always there. */
export const COLUMN_IDS = [
  "watch",
  "year",
  "condition",
  "set",
  "dial",
  "ask",
  "market",
  "average",
  "dealer",
  "country",
  "groups",
  "posts",
  "seen",
  "sent",
] as const;
export type ColumnId = (typeof COLUMN_IDS)[number];

export const DEFAULT_COLUMNS: readonly ColumnId[] = [
  "watch",
  "ask",
  "market",
  "dealer",
  "country",
  "groups",
  "seen",
];
export const SORTS = ["newest", "oldest", "price_asc", "price_desc", "year_desc"] as const;
export type Sort = (typeof SORTS)[number];

export interface MarketState {
  readonly filter: Filter;
  readonly sort: Sort;
  readonly columns: readonly ColumnId[];
  /** The view that was opened; the filter may have changed since. */
  readonly viewId: string | undefined;
}

const OWN_PARAMETERS = ["sort", "columns", "view"];
/** The columns that were chosen last, for addresses that name none. */
const keptColumns = stored("market-columns", isText, "");
const reading = computed(() => readFilter(query.value, OWN_PARAMETERS));
/** The same object as long as the filter says the same, so that a change of columns reads nothing again. */
const filter = computed<Filter>((): Filter => {
  const next = reading.value.filter;
  if (!isSameJson(latestFilter, next)) latestFilter = next;
  return latestFilter;
});
let latestFilter: Filter = {};
export const problems = computed(() => [
  ...reading.value.problems,
  ...(sortOf(query.value.get("sort") ?? "newest") === undefined
    ? [{ name: "sort", value: query.value.get("sort") ?? "", kind: "unknown" as const }]
    : []),
]);
export const market = computed<MarketState>(() => ({
  filter: filter.value,
  sort: sortOf(query.value.get("sort")) ?? "newest",
  columns: columnsOf(query.value.get("columns") ?? keptColumns.value),
  viewId: query.value.get("view") ?? undefined,
}));

/** `isReplacing` for what changes letter by letter: the way back then skips the letters. */
export function changeMarket(
  change: Partial<MarketState>,
  options: { readonly isReplacing?: boolean } = {},
): void {
  const next = { ...market.value, ...change };
  if (change.columns !== undefined) keptColumns.value = next.columns.join(" ");
  setQuery(toQuery(next), { isReplacing: options.isReplacing === true });
}

export function changeFilter(next: Filter, options: { readonly isReplacing?: boolean } = {}): void {
  changeMarket({ filter: next }, options);
}

export function toPath(state: MarketState): string {
  const text = toQuery(state).toString();
  return `/market${text === "" ? "" : `?${text}`}`;
}

export function columnsOf(text: string): readonly ColumnId[] {
  const asked = text.split(/[\s,]+/);
  const known = COLUMN_IDS.filter((id) => id === "watch" || asked.includes(id));
  return known.length > 1 ? known : DEFAULT_COLUMNS;
}

export function sortOf(text: string | null | undefined): Sort | undefined {
  return SORTS.find((sort) => sort === text);
}

function toQuery({ filter, sort, columns, viewId }: MarketState): URLSearchParams {
  const next = writeFilter(filter);
  if (sort !== "newest") next.set("sort", sort);
  if (!isSameJson(columns, DEFAULT_COLUMNS)) next.set("columns", columns.join(" "));
  if (viewId !== undefined) next.set("view", viewId);
  return next;
}
