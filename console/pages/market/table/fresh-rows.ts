import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api } from "../../../api.ts";
import { type MarketRows, PAGE_SIZE } from "./market-rows.ts";

/** One page by its index is cheap, and a dealer does not miss fifteen seconds. */
const LOOK_MS = 15_000;

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
      const ids = new Set(known.slice(0, PAGE_SIZE).map(({ id }) => id));
      const firstKnown = items.findIndex(({ id }) => ids.has(id));
      count.value = firstKnown < 0 ? items.length : firstKnown;
    };
    // The state of the connection is shown elsewhere; the next look may succeed.
    const timer = setInterval(() => look().catch(() => undefined), LOOK_MS);
    return () => {
      clearInterval(timer);
      running.abort();
    };
  }, [rows, count]);
  return count.value;
}
