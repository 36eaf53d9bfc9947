import { useSignal } from "@preact/signals";
import { useCallback, useEffect, useMemo } from "preact/hooks";
import { api, toFailure } from "../../api.ts";
import { useLive } from "../../live/live.ts";
import type { LiveEvent } from "../../live/protocol.ts";
import { Button } from "../../parts/button.tsx";
import { Chip } from "../../parts/chip.tsx";
import { Empty } from "../../parts/empty.tsx";
import { PageHeading } from "../../parts/page-heading.tsx";
import { ScrollArea } from "../../parts/scroll-area.tsx";
import { Table } from "../../parts/table.tsx";
import { WhenLoaded } from "../../parts/when-loaded.tsx";
import { query, setQuery } from "../../router.ts";
import { useCommands } from "../../state/commands.ts";
import { useKeys } from "../../state/keys.ts";
import { type Load, useLoad } from "../../state/load.ts";
import { unreadCount } from "../../state/title.ts";
import { doLater, showToast } from "../../state/toasts.ts";
import { buysWords } from "../../words/buys.ts";
import { words } from "../../words/words.ts";
import { BUY_COLUMNS } from "./buy-columns.tsx";

type Buys = Awaited<ReturnType<typeof api.listWatchMatches>>;

const PAGE_MAX = 100;

/** What to buy now. New rows never move what the reader looks at: they wait behind "3 new". */
export function BuysPage() {
  const isAll = query.value.get("show") === "all";
  // By watch: several alerts may match the same one, at different moments.
  const freshIds = useSignal<ReadonlySet<string>>(new Set());
  const freshCount = freshIds.value.size;
  const load = useLoad([isAll], (signal) =>
    api.listWatchMatches(
      { unseen_only: !isAll, include_shadow: true, limit: PAGE_MAX },
      { signal },
    ),
  );
  const renew = useCallback(() => {
    freshIds.value = new Set();
    load.reload();
  }, [load, freshIds]);
  useLive(
    useCallback(
      (events: readonly LiveEvent[]) => {
        if (events.some(({ event }) => event === "reconnected")) renew();
        const matched = matchedIds(events);
        if (matched.length > 0) freshIds.value = new Set([...freshIds.value, ...matched]);
      },
      [renew, freshIds],
    ),
  );
  const unseenCount = load.state.value.value?.unseen_count ?? 0;
  useEffect(() => {
    unreadCount.value = unseenCount + freshCount;
  }, [unseenCount, freshCount]);
  useBuyActions(load, renew);
  return (
    <ScrollArea name="buys" label={words.pages.buys}>
      <div class="buys">
        <PageHeading title={words.pages.buys} isHidden />
        <div class="bar">
          <Chip isOn={!isAll} onToggle={() => setQuery(new URLSearchParams())}>
            {buysWords.unseen(unseenCount)}
          </Chip>
          <Chip isOn={isAll} onToggle={() => setQuery(new URLSearchParams({ show: "all" }))}>
            {buysWords.all}
          </Chip>
          {freshCount === 0 ? null : <Button onPress={renew}>{buysWords.fresh(freshCount)}</Button>}
        </div>
        <WhenLoaded load={load} rows={12}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title={buysWords.none}>
                <p class="soft">{buysWords.noneHint}</p>
              </Empty>
            ) : (
              <Table
                caption={buysWords.caption}
                columns={BUY_COLUMNS}
                rows={items}
                keyOf={({ resource, resource_id }) => `${resource} ${resource_id}`}
              />
            )
          }
        </WhenLoaded>
      </div>
    </ScrollArea>
  );
}

function matchedIds(events: readonly LiveEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.event === "alert.match" ? [event.data.data.match.resource_id] : [],
  );
}

function useBuyActions(load: Load<Buys>, renew: () => void): void {
  const actions = useMemo(() => {
    const refresh = { id: "buys-refresh", title: buysWords.refresh, run: renew };
    const markAll = {
      id: "buys-mark-all",
      title: buysWords.markAll,
      isWrite: true,
      run: () => markAllSeen(load),
    };
    return {
      commands: [refresh, markAll],
      keys: [{ key: "r", label: buysWords.refresh, run: renew }],
    };
  }, [load, renew]);
  useCommands(actions.commands);
  useKeys(actions.keys);
}

/** Up to the newest row that is shown: what arrives later stays unseen. */
function markAllSeen(load: Load<Buys>): void {
  const before = load.state.value.value;
  const newest = before?.items[0];
  if (before === undefined || newest === undefined) return;
  load.change((value) => ({ ...value, unseen_count: 0, items: [] }));
  doLater({
    text: buysWords.marked,
    undo: () => load.change(() => before),
    run: () => {
      api
        .markMatchesSeen({ before_ms: newest.matched_at_ms })
        .then(load.reload, (error: unknown) => {
          showToast(toFailure(error).message, { isBad: true });
          load.change(() => before);
        });
    },
  });
}
