import type { LiveEvent } from "../../live/protocol.ts";

/** Which watches the list shows. The address has it. */
export interface BuyFilter {
  /** Also what was marked as seen. */
  readonly isAll: boolean;
  /** Only what the price engine calls a buy. */
  readonly isBuysOnly: boolean;
  readonly alertId: string | undefined;
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

/** The parameters of the request. */
export function toParameters({ isAll, isBuysOnly, alertId }: BuyFilter) {
  return {
    unseen_only: !isAll,
    include_shadow: true,
    ...(isBuysOnly ? { strategy: "price_engine" as const } : {}),
    ...(alertId === undefined ? {} : { alert_id: alertId }),
  };
}

/** The watches or messages that these events are about, as far as the list would show them. */
export function matchedIds(events: readonly LiveEvent[], filter: BuyFilter): readonly string[] {
  return events.flatMap((event) => {
    if (event.event !== "alert.match") return [];
    const { match } = event.data.data;
    const isOther =
      (filter.isBuysOnly && match.match_context.strategy !== "price_engine") ||
      (filter.alertId !== undefined && match.alert_id !== filter.alertId);
    return isOther ? [] : [match.resource_id];
  });
}
