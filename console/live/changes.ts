/** What pages listen for: matches, prices and deals. */
import { useCallback, useEffect, useRef } from "preact/hooks";
import { api } from "../api.ts";
import { useLoad } from "../state/load.ts";
import { unseenCount } from "../state/title.ts";
import { useLive } from "./live.ts";
import type { LiveEvent } from "./stream.ts";

/** An answer of the service may be a second old, so the count is asked for after that, once for many events. */
export const RECOUNT_MS = 1_500;

/** Keeps the count of unseen buys, on every page. */
export function useUnseenCount(): void {
  const load = useLoad([], (signal) =>
    api.summarizeWatchMatches({ unseen_only: true, include_shadow: true }, { signal }),
  );
  useAfterMatches(load.reload);
  const count = load.state.value.value?.buy_count;
  useEffect(() => {
    if (count !== undefined) unseenCount.value = count;
  }, [load.state.value]);
}

/** Calls `run` a moment after matches or their marks have changed, here or elsewhere. */
export function useAfterMatches(run: () => void): void {
  useAfter(isAboutMatches, run);
}

/** Calls `run` when the prices of these configurations may have changed. Pass functions that do not change. */
export function useCellsChanged(shownIds: () => readonly string[], run: () => void): void {
  useLive(
    useCallback(
      (events: readonly LiveEvent[]) => {
        const ids = shownIds();
        if (events.some((event) => isAboutCells(event, ids))) run();
      },
      [shownIds, run],
    ),
  );
}

/** Calls `run` a moment after someone decided about one of these listings. Pass functions that do not change. */
export function useDealsChanged(shownIds: () => readonly string[], run: () => void): void {
  useAfter(
    useCallback((event) => isAboutDeals(event, shownIds()), [shownIds]),
    run,
  );
}

/** The same after any decision, for a page that shows deals of any watch. */
export function useAnyDealChanged(run: () => void): void {
  useAfter(isAboutAnyDeal, run);
}

/** Once for many events, when an answer of the service has the first of them, and again for those that came meanwhile. */
function useAfter(isMeant: (event: LiveEvent) => boolean, run: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const isAgain = useRef(false);
  useEffect(() => () => clearTimeout(timer.current), []);
  const wait = useCallback(() => {
    isAgain.current = false;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      run();
      if (isAgain.current) wait();
    }, RECOUNT_MS);
  }, [run]);
  useLive(
    useCallback(
      (events: readonly LiveEvent[]) => {
        if (!events.some(isMeant)) return;
        if (timer.current === undefined) wait();
        else isAgain.current = true;
      },
      [isMeant, wait],
    ),
  );
}

function isAboutMatches({ event }: LiveEvent): boolean {
  return event === "alert.match" || event === "alert.changed" || event === "reconnected";
}

/** Without ids, everything may have changed. */
function isAboutCells(event: LiveEvent, shownIds: readonly string[]): boolean {
  if (event.event === "reconnected") return true;
  if (event.event !== "cells.changed") return false;
  const ids = event.data.data.configuration_ids;
  return ids === undefined || ids.some((id) => shownIds.includes(id));
}

function isAboutAnyDeal({ event }: LiveEvent): boolean {
  return event === "deal.changed" || event === "reconnected";
}

function isAboutDeals(event: LiveEvent, shownIds: readonly string[]): boolean {
  if (event.event === "reconnected") return true;
  if (event.event !== "deal.changed") return false;
  const ids = event.data.data.listing_ids;
  return ids === undefined || ids.some((id) => shownIds.includes(id));
}
