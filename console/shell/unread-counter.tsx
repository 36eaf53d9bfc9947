import { useCallback, useEffect, useRef } from "preact/hooks";
import { api } from "../api.ts";
import { useLive } from "../live/live.ts";
import type { LiveEvent } from "../live/protocol.ts";
import { path } from "../router.ts";
import { useLoad } from "../state/load.ts";
import { unreadCount } from "../state/title.ts";

/** A burst of matches is one request. */
const DELAY_MS = 2_000;

/** Counts what is unseen while another page than Buys is open; Buys counts it by itself. Shows nothing. */
export function UnreadCounter() {
  const isBuys = path.value === "/";
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const load = useLoad([isBuys], async (signal) => {
    if (isBuys) return undefined;
    const query = { unseen_only: true, include_shadow: true, limit: 1 };
    return (await api.listWatchMatches(query, { signal })).unseen_count;
  });
  const count = load.state.value.value;
  useEffect(() => {
    if (count !== undefined) unreadCount.value = count;
  }, [count]);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLive(
    useCallback(
      (events: readonly LiveEvent[]) => {
        if (isBuys || !events.some(({ event }) => COUNTED.has(event))) return;
        clearTimeout(timer.current);
        timer.current = setTimeout(load.reload, DELAY_MS);
      },
      [isBuys, load],
    ),
  );
  return null;
}

const COUNTED: ReadonlySet<LiveEvent["event"]> = new Set(["alert.match", "reconnected"]);
