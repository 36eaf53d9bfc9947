/**
 * The state of the page is its address: typed words, filter, order, columns and the view that was opened.
 *
 * Typed words (`?q=pepsi under 18k`) stay as they were typed. The service reads them as parts of the filter; each is a chip that is
 * removed by cutting its words out of the text. A control that changes such a part cuts its words too, and the filter has the
 * part from then on. What is for sale and was seen in the last 30 days needs no parameter; `side=any` and `seen=any` lift that.
 */
import { computed, signal } from "@preact/signals";
import type { ParsedQuery, QueryChip } from "../../../client/assay-client.ts";
import { listParts, memberLabel } from "../../filters/clauses.ts";
import {
  askedDays,
  daysAgo,
  type Filter,
  isObject,
  isSameJson,
  TIME_MEMBERS,
  without,
} from "../../filters/filter.ts";
import { readFilter, writeFilter } from "../../filters/filter-url.ts";
import { query, setQuery } from "../../router.ts";
import { isText, stored } from "../../state/preferences.ts";
import { showToast } from "../../state/toasts.ts";
import type { AddressProblem } from "../../words/filters.ts";
import { marketWords } from "../../words/market.ts";

export type ColumnId = keyof typeof marketWords.columns;
/** The columns of the table, in their order. `watch` is always there. */
export const COLUMN_IDS = Object.keys(marketWords.columns) as readonly ColumnId[];

const SELDOM: readonly ColumnId[] = ["groups", "posts", "sent"];
/** What only an ask has, and what only a wanted watch has. */
const OF_ASKS: readonly ColumnId[] = ["landed", "market", "below", "offer"];
const OF_WANTED: readonly ColumnId[] = ["offers"];
export const DEFAULT_COLUMNS = COLUMN_IDS.filter((id) => ![...SELDOM, ...OF_WANTED].includes(id));
export const CHOOSABLE_COLUMNS = COLUMN_IDS.filter(
  (id) => id !== "watch" && !OF_WANTED.includes(id),
);
export const SORTS = [
  "newest",
  "profit",
  "profit_bps",
  "price_asc",
  "price_desc",
  "year_desc",
  "oldest",
] as const;
export type Sort = (typeof SORTS)[number];

/** How far below its market an ask has to be. */
export interface Minimum {
  readonly euros?: number;
  readonly percent?: number;
}

export interface MarketState {
  /** What is searched for: by the address itself, and by the typed words. */
  readonly filter: Filter;
  /** What the address says besides the typed words. */
  readonly own: Filter;
  readonly text: string;
  /** How the typed words were read. */
  readonly chips: readonly QueryChip[];
  /** False until the first typed words are read. */
  readonly isRead: boolean;
  readonly sort: Sort;
  readonly minimum: Minimum;
  readonly columns: readonly ColumnId[];
  /** The view that was opened; the filter may have changed since. */
  readonly viewId: string | undefined;
}

/** What an address needs. */
export type MarketAddress = Omit<MarketState, "filter" | "chips" | "isRead">;

/** A part of the search as a reader removes it. */
export interface MarketPart {
  readonly id: string;
  readonly label: string;
  readonly text: string;
  /** The filter without it; undefined for what is no part of a filter. */
  readonly rest: Filter | undefined;
  readonly remove: () => void;
}

const DAYS = 30;
const ANY = "any";
const FOR_SALE = ["for_sale"];
const WORDS = "q";
const OWN_PARAMETERS = [WORDS, "sort", "columns", "view", "seen", "watch", "below", "below_share"];
/** The columns that were chosen last, for addresses that name none. */
const keptColumns = stored("market-columns-2", isText, "");

/** How the service has read the typed words. */
export const reading = signal<(ParsedQuery & { readonly text: string }) | undefined>(undefined);

const address = computed(() => {
  const rest = new URLSearchParams(query.value);
  const isAnySide = rest.get("side") === ANY;
  rest.delete(WORDS);
  if (isAnySide) rest.delete("side");
  const { filter, problems } = readFilter(rest, OWN_PARAMETERS);
  const isAnyTime = query.value.get("seen") === ANY || TIME_MEMBERS.some((name) => name in filter);
  return {
    problems,
    own: {
      ...filter,
      ...(isAnySide || "side" in filter ? {} : { side: FOR_SALE }),
      ...(isAnyTime ? {} : recently()),
    } as Filter,
  };
});

/** The same object as long as it says the same, so that a change of columns reads nothing again. */
const filter = computed<Filter>((): Filter => {
  const text = query.value.get(WORDS) ?? "";
  const read = reading.value;
  // Until other words are read, the rows stay.
  if (text !== "" && text !== read?.text) return latestFilter;
  const next = text === "" ? address.value.own : join(address.value.own, read?.filters ?? {});
  if (latestFilter === NOTHING || !isSameJson(latestFilter, next)) latestFilter = next;
  return latestFilter;
});
const NOTHING: Filter = {};
let latestFilter = NOTHING;

export const problems = computed<readonly AddressProblem[]>(() => [
  ...address.value.problems,
  ...["sort", "below", "below_share"].flatMap((name) => {
    const value = query.value.get(name);
    const isFine = name === "sort" ? sortOf(value) !== undefined : toNumber(value) !== undefined;
    if (value === null || isFine) return [];
    return [{ name, value, kind: name === "sort" ? ("unknown" as const) : ("not_whole" as const) }];
  }),
]);

export const market = computed<MarketState>(() => {
  const text = query.value.get(WORDS) ?? "";
  const minimum = readMinimum(query.value);
  const sort = sortOf(query.value.get("sort")) ?? "newest";
  const searched = filter.value;
  return {
    filter: searched,
    own: address.value.own,
    text,
    chips: text !== "" && reading.value?.text === text ? reading.value.chips : [],
    isRead: searched !== NOTHING,
    minimum,
    sort: hasMinimum(minimum) && !isRanked(sort) ? "profit" : sort,
    columns: columnsOf(query.value.get("columns") ?? keptColumns.value),
    viewId: query.value.get("view") ?? undefined,
  };
});

/** `isReplacing` for what changes letter by letter: the way back then skips the letters. */
export function changeMarket(
  change: Partial<MarketAddress>,
  options: { readonly isReplacing?: boolean } = {},
): void {
  const next = { ...market.peek(), ...change };
  if (change.columns !== undefined) keptColumns.value = next.columns.join(" ");
  const parameters = toQuery(next);
  const watch = query.peek().get("watch");
  // Other columns show the same rows, so the pane stays.
  if (watch !== null && Object.keys(change).join() === "columns") parameters.set("watch", watch);
  setQuery(parameters, { isReplacing: options.isReplacing === true });
}

/** Another order. A minimum goes with a rank only, so another order removes it; a toast says so. */
export function changeSort(sort: Sort): void {
  const isLost = hasMinimum(market.peek().minimum) && !isRanked(sort);
  changeMarket(isLost ? { sort, minimum: {} } : { sort });
  if (isLost) showToast(marketWords.minimumGone);
}

/** Another filter. Typed words whose part it changes are cut out of the text. */
export function changeFilter(next: Filter, options: { readonly isReplacing?: boolean } = {}): void {
  const { filter: now, own, text, chips } = market.peek();
  const members = chips.map(({ member }) => member);
  const isKept = (member: string): boolean => isSameJson(next[member], now[member]);
  const rest = reading.peek()?.rest ?? "";
  const isRestKept = rest !== "" && text !== "" && isKept("text_search");
  const kept = [...members.filter(isKept), ...(isRestKept ? ["text_search"] : [])];
  const nextText =
    isRestKept || rest === "" ? cut(text, chips, isKept) : wordsOf(text, chips, isKept);
  const ofOwn = Object.entries(own).filter(([member]) => kept.includes(member));
  changeMarket(
    { own: { ...without(next, kept), ...Object.fromEntries(ofOwn) }, text: nextText },
    options,
  );
}

/** Everything by which rows are left out. */
export function listMarketParts(): readonly MarketPart[] {
  const { filter: all, text, chips, minimum } = market.value;
  const typed = chips.map((chip) => ({
    id: `typed ${chip.start}`,
    label: memberLabel(chip.member),
    text: chip.label,
    rest: without(all, [chip.member]),
    remove: () => changeMarket({ text: cut(text, [chip], () => false) }),
  }));
  const others = listParts(
    without(
      all,
      chips.map(({ member }) => member),
    ),
  ).map((part) => ({
    ...part,
    // With the parts of the typed words, which are shown apart.
    rest: { ...part.rest, ...only(all, chips) },
  }));
  return [
    ...typed,
    ...others.map((part) => ({ ...part, remove: () => changeFilter(part.rest) })),
    ...(hasMinimum(minimum)
      ? [
          {
            id: "minimum",
            label: marketWords.columns.below,
            text: marketWords.minimum(minimum),
            rest: undefined,
            remove: () => changeMarket({ minimum: {} }),
          },
        ]
      : []),
  ];
}

/** What an empty address shows. */
export function clearMarket(): void {
  changeMarket({ own: { side: FOR_SALE, ...recently() }, text: "", minimum: {} });
}

/** What a view keeps: the time is its own only if it is not the one that every search begins with. */
export function toLasting(all: Filter): Filter {
  const seen = all["last_seen_at_ms"];
  const { gte, ...rest } = isObject(seen) ? seen : {};
  // A page that is open for days has asked for other times than a new one.
  const isDefault = typeof gte === "number" && askedDays(gte) === DAYS;
  return isDefault && Object.keys(rest).length === 0 ? without(all, ["last_seen_at_ms"]) : all;
}

/** A filter that names no time shows the last days. */
export function fromLasting(lasting: Filter): Filter {
  return TIME_MEMBERS.some((name) => name in lasting) ? lasting : { ...lasting, ...recently() };
}

export function toPath(state: MarketAddress): string {
  const text = toQuery(state).toString();
  return `/market${text === "" ? "" : `?${text}`}`;
}

/** The same search for the other side: what is for sale, or what is wanted. */
export function toSidePath(side: "for_sale" | "want_to_buy"): string {
  const { chips, text, own, ...state } = market.value;
  const isOther = (member: string): boolean => member !== "side";
  return toPath({
    ...state,
    sort: side === "want_to_buy" ? "newest" : state.sort,
    minimum: side === "want_to_buy" ? {} : state.minimum,
    text: cut(text, chips, isOther),
    own: { ...own, side: [side] },
  });
}

/** The one side that is searched for; undefined if both are. */
export function sideOf(all: Filter): "for_sale" | "want_to_buy" | undefined {
  const { side } = all as { readonly side?: unknown };
  if (isSameJson(side, FOR_SALE)) return "for_sale";
  return isSameJson(side, ["want_to_buy"]) ? "want_to_buy" : undefined;
}

/** Wanted watches have no price of ours. Their last column is who offers one. */
export function columnsFor({ columns, filter: all }: MarketState): readonly ColumnId[] {
  if (sideOf(all) !== "want_to_buy") return columns;
  return COLUMN_IDS.filter(
    (id) => OF_WANTED.includes(id) || (columns.includes(id) && !OF_ASKS.includes(id)),
  );
}

export function columnsOf(text: string): readonly ColumnId[] {
  const asked = text.split(/[\s,]+/);
  const known = COLUMN_IDS.filter((id) => id === "watch" || asked.includes(id));
  return known.length > 1 ? known : DEFAULT_COLUMNS;
}

export function sortOf(text: string | null | undefined): Sort | undefined {
  return SORTS.find((sort) => sort === text);
}

/** Best first: only asks with a price are returned, and only then a minimum can be asked for. */
export function isRanked(sort: Sort): boolean {
  return sort === "profit" || sort === "profit_bps";
}

export function hasMinimum({ euros, percent }: Minimum): boolean {
  return euros !== undefined || percent !== undefined;
}

function toQuery({ own, text, sort, minimum, columns, viewId }: MarketAddress): URLSearchParams {
  const next = new URLSearchParams(text === "" ? {} : { [WORDS]: text });
  const isForSale = sideOf(own) === "for_sale";
  const hasTime = TIME_MEMBERS.some((name) => name in own);
  writeFilter(isForSale ? without(toLasting(own), ["side"]) : toLasting(own), next, [WORDS]);
  if (!("side" in own)) next.set("side", ANY);
  if (!hasTime) next.set("seen", ANY);
  if (minimum.euros !== undefined) next.set("below", String(minimum.euros));
  if (minimum.percent !== undefined) next.set("below_share", String(minimum.percent));
  if (sort !== (hasMinimum(minimum) ? "profit" : "newest")) next.set("sort", sort);
  if (!isSameJson(columns, DEFAULT_COLUMNS)) next.set("columns", columns.join(" "));
  if (viewId !== undefined) next.set("view", viewId);
  return next;
}

function readMinimum(parameters: URLSearchParams): Minimum {
  const euros = toNumber(parameters.get("below"));
  const percent = toNumber(parameters.get("below_share"));
  return {
    ...(euros === undefined ? {} : { euros }),
    ...(percent === undefined ? {} : { percent }),
  };
}

function toNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}(?:\.\d{1,2})?$/.test(text) ? Number(text) : undefined;
}

function recently() {
  return { last_seen_at_ms: { gte: daysAgo(DAYS) } };
}

/** What was typed wins. Two bounds of one range stay both. */
function join(own: Filter, typed: Filter): Filter {
  const joined = Object.entries(typed).map(([member, value]) => {
    const before = own[member];
    const isRange = isObject(before) && isObject(value) && member !== "text_search";
    return [member, isRange ? { ...before, ...value } : value] as const;
  });
  return { ...Object.fromEntries(joined), ...without(own, Object.keys(typed)) };
}

function only(all: Filter, chips: readonly QueryChip[]): Filter {
  return Object.fromEntries(chips.map(({ member }) => [member, all[member]]));
}

/** The text without the words of the chips that are not kept. */
function cut(
  text: string,
  chips: readonly QueryChip[],
  isKept: (member: string) => boolean,
): string {
  const gone = chips.filter(({ member }) => !isKept(member));
  const left = gone
    .toReversed()
    .reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
  return left.replaceAll(/\s+/g, " ").trim();
}

/** Only the words of the chips that are kept. */
function wordsOf(
  text: string,
  chips: readonly QueryChip[],
  isKept: (member: string) => boolean,
): string {
  const kept = chips.filter(({ member }) => isKept(member));
  return kept.map(({ start, end }) => text.slice(start, end)).join(" ");
}
