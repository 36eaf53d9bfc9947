/**
 * The rows of the list, and what happens to them.
 *
 * New rows never move what the reader looks at: they are counted, and wait until the reader asks for them. A row that is
 * marked as seen stays where it is until then, too.
 */
import { batch, type ReadonlySignal, type Signal, useSignal } from "@preact/signals";
import { useCallback } from "preact/hooks";
import type { NamedAlertMatch, WatchMatch } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { useAfterMatches } from "../../live/changes.ts";
import { useLive } from "../../live/live.ts";
import type { LiveEvent } from "../../live/stream.ts";
import { type Load, usePages } from "../../state/load.ts";

/** Which watches the list shows. The address has it. */
export interface BuyFilter {
  /** Also what was marked as seen. */
  readonly isAll: boolean;
  /** Only what the price engine calls a buy. */
  readonly isBuysOnly: boolean;
  readonly alertId: string | undefined;
}

type BuyPage = Awaited<ReturnType<typeof api.listWatchMatches>>;

export interface Buys {
  readonly filter: BuyFilter;
  readonly load: Load<BuyPage>;
  /** By watch: several alerts may match the same one, at different moments. */
  readonly freshIds: ReadonlySignal<ReadonlySet<string>>;
  /** Marked as seen on this page; the service learns of it after five seconds. */
  readonly markedIds: Signal<ReadonlySet<string>>;
  /** Shows what is new. */
  readonly renew: () => void;
  readonly more: () => void;
}

type Query = NonNullable<Parameters<typeof api.listWatchMatches>[0]>;

const PAGE_MAX = 50;

export function useBuys(filter: BuyFilter): Buys {
  const { isAll, isBuysOnly, alertId } = filter;
  const freshIds = useSignal<ReadonlySet<string>>(new Set());
  const markedIds = useSignal<ReadonlySet<string>>(new Set());
  const parameters = { ...toParameters(filter), limit: PAGE_MAX };
  const { load, more } = usePages(
    [isAll, isBuysOnly, alertId],
    async (cursor, options) => {
      const page = await api.listWatchMatches({ ...parameters, ...cursor }, options);
      if (cursor.cursor === undefined) freshIds.value = new Set();
      return page;
    },
    { join: joinPages, isRenewed: true },
  );
  useLive(
    useCallback(
      (events: readonly LiveEvent[]) => {
        const matched = matchedIds(events, { isAll, isBuysOnly, alertId });
        if (matched.length > 0) freshIds.value = new Set([...freshIds.value, ...matched]);
        // There is nothing that could move.
        if (matched.length > 0 && load.state.peek().value?.items.length === 0) load.reload();
      },
      [load, freshIds, isAll, isBuysOnly, alertId],
    ),
  );
  useAfterMatches(
    useCallback(() => {
      compare(load, freshIds, parameters).catch(() => undefined);
    }, [load, freshIds, isAll, isBuysOnly, alertId]),
  );
  return { filter, load, freshIds, markedIds, renew: load.reload, more };
}

export function readFilter(query: URLSearchParams): BuyFilter {
  return {
    isAll: query.get("show") === "all",
    isBuysOnly: query.get("only") === "buys",
    alertId: query.get("alert") ?? undefined,
  };
}

export function writeFilter({ isAll, isBuysOnly, alertId }: BuyFilter): URLSearchParams {
  const query = new URLSearchParams();
  if (isAll) query.set("show", "all");
  if (isBuysOnly) query.set("only", "buys");
  if (alertId !== undefined) query.set("alert", alertId);
  return query;
}

/** True if the service or the reader has marked it. */
export function isSeen(row: WatchMatch, markedIds: ReadonlySet<string>): boolean {
  return row.seen_at_ms !== undefined || markedIds.has(row.resource_id);
}

/** The match that says most about a watch: the one with the highest profit, or else the latest. */
export function bestMatch({ matches }: WatchMatch): NamedAlertMatch | undefined {
  const profitOf = ({ match }: NamedAlertMatch): number =>
    match.match_context.profit_opportunity_eur_minor ?? Number.NEGATIVE_INFINITY;
  return matches.reduce<NamedAlertMatch | undefined>(
    (best, match) => (best === undefined || profitOf(match) > profitOf(best) ? match : best),
    undefined,
  );
}

/** The market average and the profit: of the headline now, or else of the match. */
export function figuresOf(row: WatchMatch): {
  readonly average: number | undefined;
  readonly profit: number | undefined;
} {
  const { baseline_average_eur_minor: average, profit_opportunity_eur_minor: profit } =
    bestMatch(row)?.match.match_context ?? {};
  const { headline } = row;
  return {
    average: headline?.market_average_eur_minor ?? average,
    profit: headline?.profit_opportunity_eur_minor ?? profit,
  };
}

/** The parameters of the request. */
function toParameters({ isAll, isBuysOnly, alertId }: BuyFilter) {
  return {
    unseen_only: !isAll,
    include_shadow: true,
    ...(isBuysOnly ? { strategy: "price_engine" as const } : {}),
    ...(alertId === undefined ? {} : { alert_id: alertId }),
  };
}

/** The watches or messages that these events are about, as far as the list would show them. */
function matchedIds(events: readonly LiveEvent[], filter: BuyFilter): readonly string[] {
  return events.flatMap((event) => {
    if (event.event !== "alert.match") return [];
    const { match } = event.data.data;
    const isOther =
      (filter.isBuysOnly && match.match_context.strategy !== "price_engine") ||
      (filter.alertId !== undefined && match.alert_id !== filter.alertId);
    return isOther ? [] : [match.resource_id];
  });
}

/** Counts again, and finds what a lost connection may have hidden, without touching the rows. */
async function compare(
  load: Load<BuyPage>,
  freshIds: Signal<ReadonlySet<string>>,
  parameters: Query,
): Promise<void> {
  const shown = load.state.peek().value;
  if (shown === undefined) return;
  const page = await api.listWatchMatches(parameters);
  const known = new Set(shown.items.map(({ resource_id }) => resource_id));
  const newestMs = shown.items[0]?.matched_at_ms ?? 0;
  const missed = page.items.filter(
    ({ resource_id, matched_at_ms }) => matched_at_ms >= newestMs && !known.has(resource_id),
  );
  if (load.state.peek().value !== shown) return;
  batch(() => {
    if (missed.length > 0) {
      freshIds.value = new Set([...freshIds.value, ...missed.map((row) => row.resource_id)]);
    }
    load.change((value) => ({ ...value, unseen_count: page.unseen_count }));
  });
}

/** A watch that matched again meanwhile may stand in both. The count of the first one is kept up to date. */
function joinPages(shown: BuyPage, next: BuyPage): BuyPage {
  const known = new Set(shown.items.map(({ resource_id }) => resource_id));
  const added = next.items.filter(({ resource_id }) => !known.has(resource_id));
  return { ...next, unseen_count: shown.unseen_count, items: [...shown.items, ...added] };
}
