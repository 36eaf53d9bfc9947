/** What the list shows, as the address has it: `?tab=other&show=all&since=all&alert=…&hidden=shown&sort=-ask`. */
import { stored } from "../../state/preferences.ts";

export const COLUMN_IDS = [
  "photo",
  "watch",
  "year",
  "condition",
  "set",
  "dial",
  "ask",
  "landed",
  "market",
  "below",
  "offer",
  "dealer",
  "age",
] as const;
export type ColumnId = (typeof COLUMN_IDS)[number];

/** `share` is the per cent of what `below` has in euro. */
const SORT_KEYS = [...COLUMN_IDS.filter((id) => id !== "photo"), "share"] as const;
export type SortKey = (typeof SORT_KEYS)[number];

/** An order: by a column, best or smallest first unless it is reversed. */
export interface BuySort {
  readonly by: SortKey;
  readonly isReversed: boolean;
}

/** Which watches the list shows, and in which order. */
export interface BuyFilter {
  /** What is a buy now, or everything else that matched. */
  readonly tab: "buys" | "other";
  /** Also what was marked as seen. */
  readonly isAll: boolean;
  /** Only what matched since the reader last looked. */
  readonly isSinceLooked: boolean;
  /** Also what was passed, and what blocked dealers ask. */
  readonly isHiddenShown: boolean;
  readonly alertId: string | undefined;
  readonly sort: BuySort;
}

const SHOWS = ["unseen", "all"] as const;
/** The last choice, for an address that says nothing. */
const shown = stored<(typeof SHOWS)[number]>("buys-show", isShow, "unseen");

export function readBuyFilter(query: URLSearchParams): BuyFilter {
  const tab = query.get("tab") === "other" ? "other" : "buys";
  const show = query.get("show");
  return {
    tab,
    isAll: (isShow(show) ? show : shown.value) === "all",
    isSinceLooked: query.get("since") !== "all",
    isHiddenShown: query.get("hidden") === "shown",
    alertId: query.get("alert") ?? undefined,
    sort: readSort(query.get("sort")) ?? defaultSort(tab),
  };
}

/** The choice holds for later visits. */
export function rememberShown(isAll: boolean): void {
  shown.value = isAll ? "all" : "unseen";
}

export function writeBuyFilter(filter: BuyFilter): URLSearchParams {
  const query = new URLSearchParams();
  if (filter.tab === "other") query.set("tab", "other");
  if (filter.isAll) query.set("show", "all");
  else if (shown.value === "all") query.set("show", "unseen");
  if (!filter.isSinceLooked) query.set("since", "all");
  if (filter.isHiddenShown) query.set("hidden", "shown");
  if (filter.alertId !== undefined) query.set("alert", filter.alertId);
  const { by, isReversed } = filter.sort;
  const normal = defaultSort(filter.tab);
  if (by !== normal.by || isReversed) query.set("sort", `${isReversed ? "-" : ""}${by}`);
  return query;
}

/** Buys are ranked. What has no price has no rank, so other matches are by age. */
export function defaultSort(tab: BuyFilter["tab"]): BuySort {
  return { by: tab === "buys" ? "below" : "age", isReversed: false };
}

function readSort(text: string | null): BuySort | undefined {
  const name = text?.replace(/^-/, "");
  const by = SORT_KEYS.find((id) => id === name);
  return by === undefined ? undefined : { by, isReversed: text?.startsWith("-") === true };
}

function isShow(value: unknown): value is (typeof SHOWS)[number] {
  return SHOWS.some((known) => known === value);
}
