/**
 * The rows of one search, by cursor, each with how its ask stands against its cell.
 *
 * The last few searches are kept, so that going back shows the same rows at once, and the scroll offset fits them.
 */
import { type Signal, signal, useSignal } from "@preact/signals";
import { useCallback, useEffect, useRef } from "preact/hooks";
import type { DealMark, Listing } from "../../../client/assay-client.ts";
import { api, type Failure } from "../../api.ts";
import { noteNames } from "../../filters/clauses.ts";
import { type Filter, isSameJson } from "../../filters/filter.ts";
import { RECOUNT_MS } from "../../live/changes.ts";
import { useLive } from "../../live/live.ts";
import type { LiveEvent } from "../../live/stream.ts";
import type { WatchRow } from "../../parts/watch/verdict.ts";
import { createAttempts } from "../../state/load.ts";
import { PRICES_MAX } from "../../state/prices.ts";
import type { Minimum, Sort } from "./market-state.ts";

export interface Search {
  readonly filter: Filter;
  readonly sort: Sort;
  readonly minimum: Minimum;
}

export interface MarketRow extends WatchRow {
  readonly listing: Listing;
}

interface RowsState {
  readonly rows: readonly MarketRow[];
  /** True once the last page was read. */
  readonly isComplete: boolean;
  readonly failure: Failure | undefined;
  /** When the first page was read: the order is of then. */
  readonly readAtMs: number | undefined;
}

export interface MarketRows {
  readonly search: Search;
  readonly state: Signal<RowsState>;
  /** When the prices and deals of each row were read last, by listing. */
  readonly knownMs: Map<string, number>;
  /** Reads the next page, unless one is being read or there is none. */
  readonly loadMore: () => void;
  /** Stops reading and trying again, until `loadMore`. */
  readonly pause: () => void;
}

/** Larger pages need fewer calls, but what arrives at once must be read within a frame. */
export const PAGE_SIZE = 50;
/** A reader who scrolls further is better served by a filter or the export. */
const ROWS_MAX = 20_000;
const KEPT_MAX = 4;
/** One page by its index is cheap, and a dealer does not miss fifteen seconds. */
const LOOK_MS = 15_000;
/** A list that is older says its age, and rows that are shown are read again. */
export const OLD_MS = 2 * 60_000;
/** How often it is checked whether a row that is shown is out of date. It costs nothing unless one is. */
const CHECK_MS = 2_000;
/** While prices move all the time, rows follow them no faster. */
const REREAD_MS = 10_000;

const kept = new Map<string, MarketRows>();

/** The rows as they were read before, or a search that has not begun. */
export function findRows(search: Search): MarketRows {
  const key = keyOf(search);
  const rows = kept.get(key) ?? createRows(search);
  kept.delete(key);
  kept.set(key, rows);
  const [oldest] = kept.keys();
  if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
  return rows;
}

/** Forgets the rows, so that the next `findRows` reads them again. */
export function forgetRows(search: Search): void {
  kept.delete(keyOf(search));
}

export function keyOf({ filter, sort, minimum }: Search): string {
  return JSON.stringify([filter, sort, minimum]);
}

/** As the service takes it. */
export function toRequest({ filter, sort, minimum: { euros, percent } }: Search) {
  return {
    filters: filter,
    sort,
    ...(euros === undefined ? {} : { minimum_profit_eur_minor: Math.round(euros * 100) }),
    ...(percent === undefined ? {} : { minimum_discount_bps: Math.round(percent * 100) }),
  };
}

/** What was decided about a watch stands in its row. */
export function setDeal(
  { state, knownMs }: MarketRows,
  id: string,
  deal: DealMark | undefined,
): void {
  knownMs.set(id, Date.now());
  const rows = state.peek().rows.map((row) => {
    if (row.listing.id !== id) return row;
    const { deal: _, ...rest } = row;
    return deal === undefined ? rest : { ...rest, deal };
  });
  state.value = { ...state.peek(), rows };
}

/** How many listings came since the rows were read. Only for the newest first: in another order they are not on top. */
export function useFreshCount(rows: MarketRows): number {
  const count = useSignal(0);
  useEffect(() => {
    count.value = 0;
    if (rows.search.sort !== "newest") return undefined;
    const running = new AbortController();
    const look = async (): Promise<void> => {
      const known = rows.state.peek().rows;
      if (document.hidden || (known.length === 0 && !rows.state.peek().isComplete)) return;
      const { items } = await api.searchListings(
        { filters: rows.search.filter, limit: PAGE_SIZE },
        { signal: running.signal },
      );
      const ids = new Set(known.slice(0, PAGE_SIZE).map(({ listing }) => listing.id));
      const firstKnown = items.findIndex(({ id }) => ids.has(id));
      count.value = firstKnown < 0 ? items.length : firstKnown;
    };
    // The state of the connection is shown elsewhere; the next look may succeed.
    const run = (): void => void look().catch(() => undefined);
    const timer = setInterval(run, LOOK_MS);
    // Rows that were kept may be hours old.
    if (Date.now() - (rows.state.peek().readAtMs ?? Number.POSITIVE_INFINITY) > LOOK_MS) run();
    return () => {
      clearInterval(timer);
      running.abort();
    };
  }, [rows, count]);
  return count.value;
}

/**
 * Keeps what the rows on the screen say about prices and deals true: after a while, after `cells.changed`, and when the reader comes back
 * to rows that were kept. No row moves. Rows out of sight are read when they come into it.
 */
export function useTrueRows(
  rows: MarketRows,
  /** The numbers of the rows that are shown. */
  shown: { readonly current: readonly number[] },
): void {
  /** When prices changed that the rows do not have yet; 0 if there are none. */
  const changedMs = useRef(0);
  useEffect(() => {
    const running = new AbortController();
    let staleMs = Date.now();
    let askedMs = 0;
    let isAsking = false;
    const check = async (): Promise<void> => {
      const atMs = Date.now();
      if (document.hidden || isAsking) return;
      // An answer of the service may be a second old.
      const isChanged = changedMs.current > 0 && atMs - changedMs.current >= RECOUNT_MS;
      if (isChanged && atMs - askedMs >= REREAD_MS) {
        staleMs = atMs - RECOUNT_MS;
        changedMs.current = 0;
      }
      const sinceMs = Math.max(staleMs, atMs - OLD_MS);
      const stale = listStale(rows, shown.current, sinceMs);
      if (stale.length === 0) return;
      askedMs = atMs;
      isAsking = true;
      await readAgain(rows, stale, running.signal).finally(() => {
        isAsking = false;
      });
    };
    // The state of the connection is shown elsewhere; the next check may succeed.
    const run = (): void => void check().catch(() => undefined);
    const timer = setInterval(run, CHECK_MS);
    run();
    return () => {
      clearInterval(timer);
      running.abort();
    };
  }, [rows, shown]);
  useLive(
    useCallback((events: readonly LiveEvent[]) => {
      const isMeant = events.some(
        ({ event }) => event === "cells.changed" || event === "reconnected",
      );
      if (isMeant && changedMs.current === 0) changedMs.current = Date.now();
    }, []),
  );
}

function listStale(
  { state, knownMs }: MarketRows,
  shown: readonly number[],
  sinceMs: number,
): readonly MarketRow[] {
  const all = state.peek().rows;
  return shown
    .flatMap((at) => all[at] ?? [])
    .filter(({ listing }) => (knownMs.get(listing.id) ?? 0) < sinceMs)
    .slice(0, PRICES_MAX);
}

async function readAgain(
  { state, knownMs }: MarketRows,
  stale: readonly MarketRow[],
  running: AbortSignal,
): Promise<void> {
  const atMs = Date.now();
  const { items } = await api.listPriceEngineMatches(
    { listing_ids: stale.map(({ listing }) => listing.id) },
    { signal: running },
  );
  const found = new Map(items.map((item) => [item.listing_id, item]));
  const asked = new Set(stale);
  for (const { listing } of stale) knownMs.set(listing.id, atMs);
  // One that was decided about meanwhile is another object by now, and knows more than the answer.
  const rows = state.peek().rows.map((row) => {
    const now = asked.has(row) ? found.get(row.listing.id) : undefined;
    const next = now === undefined ? row : { ...now, listing: row.listing };
    return isSameJson(row, next) ? row : next;
  });
  if (rows.some((row, at) => row !== state.peek().rows[at]))
    state.value = { ...state.peek(), rows };
}

function createRows(search: Search): MarketRows {
  const state = signal<RowsState>({
    rows: [],
    isComplete: false,
    failure: undefined,
    readAtMs: undefined,
  });
  const knownMs = new Map<string, number>();
  let cursor: string | undefined;
  // Not a part of the state: nothing shows it, and the table would be rendered for it.
  let isLoading = false;
  const add = ({
    items,
    prices = [],
    next_cursor,
  }: Awaited<ReturnType<typeof api.searchListings>>): void => {
    cursor = next_cursor;
    isLoading = false;
    const added = items.map((listing, at) => ({ ...prices[at], listing }));
    const { rows: before, readAtMs = Date.now() } = state.peek();
    const rows = [...before, ...added];
    for (const { id } of items) knownMs.set(id, Date.now());
    noteNames(items.flatMap(namedOwners));
    const isComplete = cursor === undefined || rows.length >= ROWS_MAX;
    state.value = { rows, isComplete, failure: undefined, readAtMs };
    // A ranked page may be empty although there are more.
    if (added.length === 0) loadMore();
  };
  const loadMore = (): void => {
    if (isLoading || state.peek().isComplete) return;
    isLoading = true;
    attempts.begin({
      read: (signal) => {
        const next = cursor === undefined ? {} : { cursor };
        return api.searchListings(
          { ...toRequest(search), limit: PAGE_SIZE, include: ["price"], ...next },
          { signal },
        );
      },
      done: add,
      failed: (failure) => {
        isLoading = false;
        state.value = { ...state.value, failure };
      },
    });
  };
  const attempts = createAttempts(loadMore);
  const pause = (): void => {
    attempts.stop();
    isLoading = false;
  };
  return { search, state, knownMs, loadMore, pause };
}

function namedOwners({ source, sender }: Listing): readonly (readonly [string, string])[] {
  const { group_ids, group_names } = source;
  const name = sender.display_name ?? sender.phone_number;
  const dealer =
    sender.contact_id === undefined || name === undefined
      ? []
      : [[sender.contact_id, name] as const];
  if (group_ids.length !== group_names.length) return dealer;
  return [...dealer, ...group_ids.map((id, at) => [id, group_names[at] ?? id] as const)];
}
