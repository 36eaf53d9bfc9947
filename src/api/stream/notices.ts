/**
 * Tells streams what changed in the store, in events without an id: `alert.changed`, `cells.changed`, `session.changed`,
 * `deal.changed`.
 *
 * Idea: the change feed announces topics with ids. Ids of the same type that are announced within a second become one
 * notice, so a burst costs a client one event a second. A notice with too many ids, or after a loss of the feed, has no
 * ids: everything of its type may have changed. Nothing is replayed; a client re-reads after it reconnects.
 *
 * Example: 300 configurations are calculated in three seconds. A stream gets the first id at once, then two notices with
 * about a hundred ids each, then the rest.
 */
import type { Clock } from "../../base/clock.ts";
import type { ChangeFeed } from "../../db/changes.ts";

const NOTICE_TYPES = ["alert.changed", "cells.changed", "session.changed", "deal.changed"] as const;
type NoticeType = (typeof NOTICE_TYPES)[number];

/** The types of all events of the stream. */
export const EVENT_TYPES = ["alert.match", ...NOTICE_TYPES] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export interface Notice {
  readonly type: NoticeType;
  readonly timestamp: string;
  /** Undefined: every one may have changed. */
  readonly ids: ReadonlySet<string> | undefined;
}

export interface Notices {
  /** Returns the function that unsubscribes. */
  subscribe(onNotice: (notice: Notice) => void): () => void;
}

const TOPICS: Readonly<Record<NoticeType, readonly string[]>> = {
  // The alert itself, its mute, its matches and their seen marks.
  "alert.changed": ["alert_ids", "alert_matches"],
  "cells.changed": ["price_cells"],
  "session.changed": ["session_shown"],
  "deal.changed": ["deals"],
};

const INTERVAL_MS = 1_000;
const IDS_MAX = 200;

export function createNotices({
  feed,
  clock,
}: {
  readonly feed: ChangeFeed;
  readonly clock: Clock;
}): Notices {
  const subscribers = new Set<(notice: Notice) => void>();
  for (const type of NOTICE_TYPES) {
    let waiting: { ids: ReadonlySet<string> | undefined } | undefined;
    let sentAtMs = Number.NEGATIVE_INFINITY;
    const send = (): void => {
      const ids = waiting?.ids;
      waiting = undefined;
      sentAtMs = performance.now();
      const notice = { type, ids, timestamp: new Date(clock.nowMs()).toISOString() };
      for (const onNotice of subscribers) onNotice(notice);
    };
    const onChange = (ids?: readonly string[]): void => {
      if (subscribers.size === 0) return;
      const changed = ids === undefined ? undefined : new Set(ids);
      if (waiting !== undefined) {
        waiting.ids = joinIds(waiting.ids, changed);
        return;
      }
      waiting = { ids: changed };
      const waitMs = Math.max(0, sentAtMs + INTERVAL_MS - performance.now());
      setTimeout(send, waitMs).unref();
    };
    for (const topic of TOPICS[type]) feed.subscribe(topic, onChange);
  }
  return {
    subscribe: (onNotice) => {
      subscribers.add(onNotice);
      return () => subscribers.delete(onNotice);
    },
  };
}

/** Notices that one stream has not sent yet. A client that does not read makes them fewer, not more. */
export interface PendingNotices {
  add(notice: Notice): void;
  isEmpty(): boolean;
  /** Returns all and forgets them. */
  take(): readonly Notice[];
}

export function createPendingNotices(wanted: {
  readonly types: ReadonlySet<EventType>;
  readonly alertId?: string;
  /** Without it there are no notices of deals: nobody learns when something was decided, and no row depends on it. */
  readonly readsDeals?: boolean;
}): PendingNotices {
  let pending = new Map<NoticeType, Notice>();
  return {
    add: (told) => {
      if (!wanted.types.has(told.type) || !isOfAlert(told, wanted.alertId)) return;
      if (told.type === "deal.changed" && wanted.readsDeals !== true) return;
      const before = pending.get(told.type);
      const ids = before === undefined ? told.ids : joinIds(before.ids, told.ids);
      pending.set(told.type, { ...told, ids });
    },
    isEmpty: () => pending.size === 0,
    take: () => {
      const taken = [...pending.values()];
      pending = new Map();
      return taken;
    },
  };
}

function isOfAlert({ type, ids }: Notice, alertId: string | undefined): boolean {
  return type !== "alert.changed" || alertId === undefined || ids?.has(alertId) !== false;
}

function joinIds(
  left: ReadonlySet<string> | undefined,
  right: ReadonlySet<string> | undefined,
): ReadonlySet<string> | undefined {
  if (left === undefined || right === undefined) return undefined;
  const ids = new Set([...left, ...right]);
  return ids.size > IDS_MAX ? undefined : ids;
}

const ID_MEMBERS: Readonly<Record<NoticeType, string>> = {
  "alert.changed": "alert_ids",
  "cells.changed": "configuration_ids",
  "session.changed": "session_ids",
  "deal.changed": "listing_ids",
};

/** As a server-sent event. Without an id, so that the client's position stays that of the last match. */
export function toNoticeText({ type, timestamp, ids }: Notice): string {
  const data = ids === undefined ? {} : { [ID_MEMBERS[type]]: [...ids].sort() };
  return `event: ${type}\ndata: ${JSON.stringify({ type, timestamp, data })}\n\n`;
}
