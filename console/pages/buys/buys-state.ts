/**
 * The rows of the list, and what happens to them.
 *
 * New rows never move what the reader looks at: they are counted, and wait until the reader asks for them. A row that is
 * marked as seen or decided about stays where it is until then, too.
 */
import { batch, type ReadonlySignal, type Signal, useSignal } from "@preact/signals";
import { useCallback, useEffect, useRef } from "preact/hooks";
import type { DealMark, WatchMatch } from "../../../client/assay-client.ts";
import { api, type Failure } from "../../api.ts";
import { useAfterMatches } from "../../live/changes.ts";
import { useLive } from "../../live/live.ts";
import type { LiveEvent } from "../../live/stream.ts";
import { useOthersDeals } from "../../parts/watch/others-deals.ts";
import { type Cursor, type Load, useLoad, usePages } from "../../state/load.ts";
import { useLooked } from "../../state/looked.ts";
import type { BuyFilter } from "./buys-address.ts";
import { sortRows, toServiceSort } from "./sort-rows.ts";

type BuyPage = Awaited<ReturnType<typeof api.listWatchMatches>>;
type Query = NonNullable<Parameters<typeof api.listWatchMatches>[0]>;
type Summary = Awaited<ReturnType<typeof api.summarizeWatchMatches>>;

/** What the list is about, in figures. */
export interface BuyFigures {
  readonly summary: Summary;
  /** Buys that matched before the reader last looked. */
  readonly earlierCount: number;
}

export interface Buys {
  readonly filter: BuyFilter;
  /** When the reader last looked, if the list is restricted to what matched since. */
  readonly sinceMs: number | undefined;
  /** Why it is not known when the reader last looked. */
  readonly failure: Failure | undefined;
  readonly load: Load<BuyPage>;
  readonly figures: Load<BuyFigures>;
  /** By watch: several alerts may match the same one, at different moments. */
  readonly freshIds: ReadonlySignal<ReadonlySet<string>>;
  /** Marked as seen on this page; the service learns of it after five seconds. */
  readonly markedIds: Signal<ReadonlySet<string>>;
  /** Shows what is new. */
  readonly renew: () => void;
  readonly more: () => void;
}

const PAGE_MAX = 50;
/** For an order that the service does not have, all rows are read: as many as a person looks through. */
const ALL_PAGE_MAX = 200;
const ALL_MAX = 1_000;

export function useBuys(filter: BuyFilter): Buys {
  const looked = useLooked();
  const sinceMs = filter.isSinceLooked ? looked.sinceMs : undefined;
  const freshIds = useSignal<ReadonlySet<string>>(new Set());
  const markedIds = useSignal<ReadonlySet<string>>(new Set());
  const selection = toSelection(filter, sinceMs);
  const isReady = looked.isKnown || !filter.isSinceLooked;
  const key = [isReady, ...Object.values(selection), filter.tab];
  const { load, more } = usePages(
    [...key, filter.sort.by, filter.sort.isReversed],
    async (cursor, options) => {
      if (!isReady) return never();
      const page = await readRows(
        { ...selection, is_buy: filter.tab === "buys" },
        filter,
        cursor,
        options,
      );
      if (cursor.cursor === undefined) freshIds.value = new Set();
      return page;
    },
    { join: joinPages, isRenewed: true },
  );
  const figures = useLoad(key, (signal) => (isReady ? readFigures(selection, signal) : never()));
  const isShown = load.state.value.value !== undefined;
  useEffect(() => {
    if (isShown) looked.look();
  }, [isShown]);
  const arrivedMs = useArrived(load);
  useAfterMatches(
    useCallback(() => {
      if (arrivedMs.current === undefined) return;
      const query = { ...selection, is_buy: filter.tab === "buys", since_ms: arrivedMs.current };
      countFresh(load, freshIds, query).catch(() => undefined);
    }, [load, freshIds, ...key]),
  );
  useOthersDeals({
    shownIds: () => (load.state.peek().value?.items ?? []).map((row) => row.resource_id),
    onDeal: (listingId, deal) => setDeal(load, listingId, deal),
  });
  const renew = (): void => {
    batch(() => {
      load.reload();
      figures.reload();
    });
    looked.look();
  };
  return {
    filter,
    sinceMs,
    failure: isReady ? undefined : looked.failure,
    load,
    figures,
    freshIds,
    markedIds,
    renew,
    more,
  };
}

/** True if the service or the reader has marked it. */
export function isSeen(row: WatchMatch, markedIds: ReadonlySet<string>): boolean {
  return row.seen_at_ms !== undefined || markedIds.has(row.resource_id);
}

/** What was decided about a watch stands in its row, and deciding is seeing. */
export function setDeal(load: Load<BuyPage>, listingId: string, deal: DealMark | undefined): void {
  load.change((value) => ({
    ...value,
    items: value.items.map((row) => {
      if (row.resource_id !== listingId) return row;
      const { deal: _, ...rest } = row;
      return deal === undefined
        ? rest
        : { ...rest, deal, seen_at_ms: row.seen_at_ms ?? Date.now() };
    }),
  }));
}

/** What both the rows and the figures are selected by. */
function toSelection({ isAll, isHiddenShown, alertId }: BuyFilter, sinceMs: number | undefined) {
  return {
    unseen_only: !isAll,
    include_shadow: true,
    include_hidden: isHiddenShown,
    ...(alertId === undefined ? {} : { alert_id: alertId }),
    ...(sinceMs === undefined ? {} : { since_ms: sinceMs }),
  };
}

/** An order of the service is read page by page; for another one all rows are read and sorted here. */
async function readRows(
  query: Query,
  { sort, tab }: BuyFilter,
  cursor: Cursor,
  options: { readonly signal?: AbortSignal },
): Promise<BuyPage> {
  const ranked = toServiceSort(sort);
  if (ranked !== undefined) {
    return api.listWatchMatches({ ...query, sort: ranked, limit: PAGE_MAX, ...cursor }, options);
  }
  const all = {
    ...query,
    sort: tab === "buys" ? "profit" : "newest",
    limit: ALL_PAGE_MAX,
  } as const;
  let page = await api.listWatchMatches(all, options);
  while (page.next_cursor !== undefined && page.items.length < ALL_MAX) {
    page = joinPages(
      page,
      await api.listWatchMatches({ ...all, cursor: page.next_cursor }, options),
    );
  }
  const { next_cursor: _, ...rest } = page;
  return { ...rest, items: sortRows(page.items, sort) };
}

async function readFigures(
  { since_ms, ...query }: ReturnType<typeof toSelection>,
  signal: AbortSignal,
): Promise<BuyFigures> {
  if (since_ms === undefined) {
    return { summary: await api.summarizeWatchMatches(query, { signal }), earlierCount: 0 };
  }
  const [summary, all] = await Promise.all([
    api.summarizeWatchMatches({ ...query, since_ms }, { signal }),
    api.summarizeWatchMatches(query, { signal }),
  ]);
  return { summary, earlierCount: Math.max(0, all.buy_count - summary.buy_count) };
}

/** The time of the first match since the rows were read, by the clock of the service. */
function useArrived(load: Load<BuyPage>): { current: number | undefined } {
  const arrivedMs = useRef<number | undefined>(undefined);
  const readAtMs = useRef(Date.now());
  const { isLoading } = load.state.value;
  useEffect(() => {
    if (!isLoading) return;
    arrivedMs.current = undefined;
    readAtMs.current = Date.now();
  }, [isLoading]);
  useLive(
    useCallback((events: readonly LiveEvent[]) => {
      const times = events.flatMap((event) => {
        if (event.event === "alert.match") return [event.data.data.match.matched_at_ms];
        return event.event === "reconnected" ? [readAtMs.current] : [];
      });
      if (times.length > 0) arrivedMs.current = Math.min(arrivedMs.current ?? Infinity, ...times);
    }, []),
  );
  return arrivedMs;
}

/** Finds what matched since the rows were read, without touching them. Where there are none, nothing can move. */
async function countFresh(
  load: Load<BuyPage>,
  freshIds: Signal<ReadonlySet<string>>,
  query: Query,
): Promise<void> {
  const shown = load.state.peek().value;
  if (shown === undefined) return;
  const { items } = await api.listWatchMatches({ ...query, limit: ALL_PAGE_MAX });
  if (load.state.peek().value !== shown) return;
  const known = new Set(shown.items.map(({ resource_id }) => resource_id));
  const fresh = items.map(({ resource_id }) => resource_id).filter((id) => !known.has(id));
  if (fresh.length > 0 && shown.items.length === 0) load.reload();
  else freshIds.value = new Set(fresh);
}

/** A watch that matched again meanwhile may stand in both. */
function joinPages(shown: BuyPage, next: BuyPage): BuyPage {
  const known = new Set(shown.items.map(({ resource_id }) => resource_id));
  const added = next.items.filter(({ resource_id }) => !known.has(resource_id));
  return { ...next, unseen_count: shown.unseen_count, items: [...shown.items, ...added] };
}

/** For a reading that waits for something else: the next one takes its place. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}
