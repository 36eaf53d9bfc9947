import type { MatchedListing, Move, Resource } from "../alerts/match.ts";
import type { Database } from "../db/database.ts";
import { recordset, sql } from "../db/sql.ts";
import { queueRefreshes } from "../pricing/cells/refresh-queue-store.ts";
import type { SourceMarket } from "../pricing/thresholds.ts";

export interface QueuedResource {
  readonly resource: Resource;
  readonly resource_id: string;
  /** For how long it may still fire alerts; null: it fires none. */
  readonly alert_ms: number | null;
}

/** Takes a batch off the queue. Who queues one of them again meanwhile waits until the batch is done. */
export async function takeMatchQueue(
  tx: Database,
  batchMax: number,
): Promise<readonly QueuedResource[]> {
  return tx.query<QueuedResource>(sql`
    with taken as materialized (
      select resource, resource_id
        from match_queue
       order by resource, resource_id
       limit ${batchMax}
         for update skip locked
    )
    delete from match_queue
     using taken
     where match_queue.resource = taken.resource and match_queue.resource_id = taken.resource_id
    returning match_queue.resource, match_queue.resource_id, match_queue.alert_ms`);
}

/** What a match shows of its listing, by id. */
export async function findMatchedListings(
  tx: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, MatchedListing>> {
  const rows = await tx.query<MatchedListing>(sql`
    select id, canonical_message_id, brand, reference
      from listing
     where id = any(${[...ids]}::uuid[])
     order by id
     limit ${ids.length}`);
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Where the listings that are no more have gone to; and which ones became those that are there, because an old one may
 * have gone before the new one came.
 */
export async function findListingMoves(
  tx: Database,
  ids: { readonly gone: readonly string[]; readonly present: readonly string[] },
): Promise<readonly Move[]> {
  return tx.query<Move>(sql`
    select 'watch_listing' as resource, alias.old_id as "from", listing.id as "to", listing.canonical_message_id
      from (select old_id, listing_id from listing_alias where old_id = any(${[...ids.gone]}::uuid[])
            union
            select old_id, listing_id
              from listing_alias
             where listing_id = any(${[...ids.present]}::uuid[])
               and (exists (select from alert_match where resource_id = old_id)
                    or exists (select from listing_news where listing_news.listing_id = old_id))) as alias
      join listing on listing.id = alias.listing_id
     order by alias.old_id`);
}

/** Likewise for messages. */
export async function findMessageMoves(
  tx: Database,
  goneIds: readonly string[],
): Promise<readonly Move[]> {
  if (goneIds.length === 0) return [];
  return tx.query<Move>(sql`
    select 'message' as resource, alias.old_id as "from", message.id as "to", message.id as canonical_message_id
      from message_alias as alias
      join canonical_message as message on message.id = alias.canonical_message_id
     where alias.old_id = any(${[...goneIds]}::uuid[])
     order by alias.old_id
     limit ${goneIds.length}`);
}

/** That a listing lies in a configuration. */
export interface Membership {
  readonly listing_id: string;
  readonly configuration_id: string;
  readonly source_market: SourceMarket;
}

/**
 * Makes these the only memberships of the listings, and queues every configuration in which one of them lay or lies: its
 * asks have changed, even where the membership has not.
 */
export async function saveMemberships(
  tx: Database,
  listingIds: readonly string[],
  memberships: readonly Membership[],
  nowMs: number,
): Promise<void> {
  const stored = await tx.query<Membership>(sql`
    select listing_id, configuration_id, source_market
      from listing_model
     where listing_id = any(${[...listingIds]}::uuid[])
     order by listing_id, configuration_id`);
  const keyOf = ({ listing_id, configuration_id }: Membership) =>
    `${listing_id} ${configuration_id}`;
  const markets = new Map(stored.map((row) => [keyOf(row), row.source_market]));
  const wanted = new Set(memberships.map(keyOf));
  const left = stored.filter((row) => !wanted.has(keyOf(row)));
  const changed = memberships.filter((row) => markets.get(keyOf(row)) !== row.source_market);
  if (left.length > 0) {
    await tx.execute(sql`
      delete from listing_model as model
       using ${recordset(left)} as gone (listing_id uuid, configuration_id uuid)
       where model.listing_id = gone.listing_id and model.configuration_id = gone.configuration_id`);
  }
  if (changed.length > 0) {
    await tx.execute(sql`
      insert into listing_model (listing_id, configuration_id, source_market)
      select news.listing_id, news.configuration_id, news.source_market
        from ${recordset(changed)} as news (listing_id uuid, configuration_id uuid, source_market text)
        join price_configuration as configuration on configuration.id = news.configuration_id
       order by news.listing_id, news.configuration_id
      on conflict (listing_id, configuration_id) do update set source_market = excluded.source_market`);
  }
  const ids = new Set([...stored, ...memberships].map(({ configuration_id }) => configuration_id));
  if (ids.size > 0) await queueRefreshes(tx, [...ids], nowMs);
}

/** Until when a listing is news. */
export interface News {
  readonly listing_id: string;
  readonly until_ms: number;
}

const EXPIRED_BATCH_MAX = 1_000;

/** Remembers the news, lets that of listings that are no more follow them, and forgets what is news no longer. */
export async function saveNews(
  tx: Database,
  news: readonly News[],
  moves: readonly Move[],
  nowMs: number,
): Promise<void> {
  const moved = await takeNews(tx, moves);
  const untilMs = new Map<string, number>();
  for (const { listing_id, until_ms } of [...news, ...moved]) {
    untilMs.set(listing_id, Math.max(until_ms, untilMs.get(listing_id) ?? 0));
  }
  const rows = [...untilMs].map(([listing_id, until_ms]) => ({ listing_id, until_ms }));
  if (rows.length > 0) {
    await tx.execute(sql`
      insert into listing_news as known (listing_id, until_ms)
      select listing_id, until_ms
        from ${recordset(rows)} as news (listing_id uuid, until_ms bigint)
       order by listing_id
      on conflict (listing_id) do update
         set until_ms = greatest(known.until_ms, excluded.until_ms), came_sequence = excluded.came_sequence`);
  }
  await tx.execute(sql`
    with expired as materialized (
      select listing_id
        from listing_news
       where until_ms < ${nowMs}
       order by until_ms, listing_id
       limit ${EXPIRED_BATCH_MAX}
         for update skip locked
    )
    delete from listing_news using expired where listing_news.listing_id = expired.listing_id`);
}

async function takeNews(tx: Database, moves: readonly Move[]): Promise<readonly News[]> {
  if (moves.length === 0) return [];
  return tx.query<News>(sql`
    delete from listing_news
     using ${recordset(moves)} as moved ("from" uuid, "to" uuid)
     where listing_news.listing_id = moved."from"
    returning moved."to" as listing_id, listing_news.until_ms`);
}
