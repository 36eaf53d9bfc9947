import type { Database } from "../db/database.ts";
import { declareQueue, isInLane, type Lane } from "../db/queue.ts";
import { rowset, type Sql, sql } from "../db/sql.ts";
import { SEARCH_TEXT_BYTES_MAX } from "./search-text.ts";

/** What alerts can match. */
export type Resource = "watch_listing" | "message";

/** A listing or message to check against the saved filters. */
export interface MatchRequest {
  readonly resource: Resource;
  readonly resource_id: string;
  /** How much of the alert window was left when the message was queued; null if nothing may fire. */
  readonly alert_ms: number | null;
  /** Without a window of its own, it is matched within what is left of the window in which it arrived. */
  readonly keeps_window?: boolean;
}

/** Of several requests for one resource the longest alert window is kept. */
export async function queueMatchRequests(
  tx: Database,
  requests: readonly MatchRequest[],
): Promise<void> {
  await tx.execute(sql`
    insert into match_queue as queued (resource, resource_id, alert_ms, keeps_window)
    select resource, resource_id, max(alert_ms), coalesce(bool_or(keeps_window), false)
      from ${rowset("request", requests, {
        resource: "text",
        resource_id: "uuid",
        alert_ms: "bigint",
        keeps_window: "boolean",
      })}
     group by resource, resource_id
     order by resource, resource_id
    on conflict (resource, resource_id) do update set ${JOINED}`);
}

/** What becomes of a resource that is queued already. */
const JOINED = sql`
  alert_ms = greatest(queued.alert_ms, excluded.alert_ms), is_fresh = queued.is_fresh or excluded.is_fresh,
  keeps_window = queued.keeps_window or excluded.keeps_window`;

export const matchQueue = declareQueue({
  table: "match_queue",
  key: "resource_id",
  number: "number",
  hasLanes: true,
  isItem: isFor,
  onConflict: sql`on conflict (resource, resource_id) do update set ${JOINED}`,
  defaults: { keeps_window: false },
});

/** Queues the listings whose ids `selection` selects. They fire no alerts. */
export async function queueListings(tx: Database, selection: Sql): Promise<void> {
  await tx.execute(sql`
    insert into match_queue (resource, resource_id)
    select distinct 'watch_listing', selected.id
      from (${selection}) as selected (id)
     order by 2
    on conflict (resource, resource_id) do nothing`);
}

/** The alert windows still queued for these listings and messages, by id. */
export async function findQueuedAlerts(
  tx: Database,
  resourceIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query<{ resource_id: string; alert_ms: number }>(sql`
    select resource_id, alert_ms
      from match_queue
     where resource in ('watch_listing', 'message') and resource_id = any(${resourceIds}::uuid[])
       and alert_ms is not null`);
  return new Map(rows.map((row) => [row.resource_id, row.alert_ms]));
}

/** A selection of the queued alert windows, by message: (id, alert_ms). */
export function queuedAlerts(): Sql {
  return sql`
    select coalesce(listing.canonical_message_id, queued.resource_id), queued.alert_ms
      from match_queue as queued
      left join listing on queued.resource = 'watch_listing' and listing.id = queued.resource_id
     where queued.alert_ms is not null`;
}

/** Which requests to take: the oldest ones, of one lane or of both, or only those for one resource. */
export interface WantedRequests {
  readonly batchMax: number;
  readonly lane?: Lane;
  readonly resourceId?: string;
}

/** How many bytes of text a batch reads, unless its first text alone is larger. A usual batch has a tenth of it. */
const BATCH_BYTES_MAX = 8 * 1024 * 1024;

/**
 * Takes a batch off the queue, at least one request. If a resource is queued again while the batch runs,
 * that insert waits for its commit.
 */
export async function takeMatchRequests(
  tx: Database,
  { batchMax, lane, resourceId }: WantedRequests,
): Promise<readonly MatchRequest[]> {
  return tx.query<MatchRequest>(sql`
    with waiting as materialized (
      select resource, resource_id, number
        from match_queue
       where ${resourceId === undefined ? isInLane(lane) : isFor(resourceId)}
       order by number
       limit ${batchMax}
         for update skip locked
    ), sized as (
      -- The length is known without reading the text. Of a search text that is larger than it may be, only the start is read.
      select resource, resource_id, number,
             coalesce(case resource
               when 'message' then (select octet_length(text) from canonical_message where id = resource_id)
               else (select least(octet_length(search_text), ${2 * SEARCH_TEXT_BYTES_MAX}::integer)
                       from listing
                      where id = resource_id) end, 0) as bytes
        from waiting
    ), measured as (
      select resource, resource_id, bytes, sum(bytes) over (order by number) as total_bytes from sized
    ), taken as materialized (
      select resource, resource_id from measured where total_bytes <= ${BATCH_BYTES_MAX} or total_bytes = bytes
    )
    delete from match_queue
     using taken
     where match_queue.resource = taken.resource and match_queue.resource_id = taken.resource_id
    returning match_queue.resource, match_queue.resource_id, match_queue.alert_ms, match_queue.keeps_window`);
}

/** A listing and a message never have the same id. Both kinds are named, so that the primary key finds the row. */
function isFor(id: string): Sql {
  return sql`(resource in ('watch_listing', 'message') and resource_id = ${id})`;
}
