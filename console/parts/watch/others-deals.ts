import { batch } from "@preact/signals";
import { useCallback, useEffect, useRef } from "preact/hooks";
import type { DealMark } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { RECOUNT_MS } from "../../live/changes.ts";
import { useLive } from "../../live/live.ts";
import type { LiveEvent } from "../../live/stream.ts";
import { useIsGone } from "../../state/load.ts";
import { PRICES_MAX } from "../../state/prices.ts";

/** The service may be away or overloaded. */
const RETRY_MS = 5_000;

interface ShownWatches {
  /** The listings that the page shows. */
  readonly shownIds: () => readonly string[];
  readonly onDeal: (listingId: string, deal: DealMark | undefined) => void;
}

/**
 * What others decide stands in the rows soon, so that two people do not write to the same dealer. An answer of the service may be
 * a second old, so it is asked that long after the last decision.
 */
export function useOthersDeals(shown: ShownWatches): void {
  const latest = useRef(shown);
  latest.current = shown;
  const decidedIds = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const isGone = useIsGone();
  useEffect(() => () => clearTimeout(timer.current), []);
  const wait = (ids: readonly string[], afterMs: number): void => {
    for (const id of ids) decidedIds.current.add(id);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void read(), afterMs);
  };
  const read = async (): Promise<void> => {
    const ids = latest.current.shownIds().filter((id) => decidedIds.current.has(id));
    decidedIds.current.clear();
    for (let at = 0; at < ids.length; at += PRICES_MAX) {
      try {
        const listing_ids = ids.slice(at, at + PRICES_MAX);
        const { items } = await api.listPriceEngineMatches({ listing_ids });
        // Another one may have been decided meanwhile; then it is asked again.
        batch(() => {
          for (const { listing_id, deal } of items) {
            if (!decidedIds.current.has(listing_id)) latest.current.onDeal(listing_id, deal);
          }
        });
      } catch {
        if (!isGone.current) wait(ids.slice(at), RETRY_MS);
        return;
      }
    }
  };
  useLive(
    useCallback((events: readonly LiveEvent[]) => {
      const ids = events.flatMap((event) => decidedIn(event, latest.current.shownIds));
      if (ids.length > 0) wait(ids, RECOUNT_MS);
    }, []),
  );
}

/** Without ids, and after a lost connection, any of the shown ones may have been decided about. */
function decidedIn(event: LiveEvent, shownIds: () => readonly string[]): readonly string[] {
  if (event.event === "reconnected") return shownIds();
  return event.event === "deal.changed" ? (event.data.data.listing_ids ?? shownIds()) : [];
}
