import { DAY_MS } from "../base/clock.ts";
import type { Database } from "../db/database.ts";
import { type Sql, sql } from "../db/sql.ts";
import type { SourceMarket } from "../matching/membership.ts";
import { IS_PRICEABLE } from "./cells/refresh-store.ts";

/** A place in the order of the feed: last seen first, then by id. */
export interface FeedPosition {
  readonly last_seen_at_ms: number;
  readonly listing_id: string;
}

/** An ask, and a cell whose average is above it. */
export interface FeedAsk extends FeedPosition {
  readonly configuration_id: string;
  readonly source_market: SourceMarket;
  readonly price_eur_minor: number;
  readonly market_average_eur_minor: number;
  readonly plausible_min_eur_minor: number | null;
  readonly plausible_max_eur_minor: number | null;
  readonly hk_markup_rate_bps: number;
  readonly hk_markup_fixed_eur_minor: number;
}

/** Some listings of the walk. */
interface FeedStretch {
  /** In the order of the feed, by listing, then by configuration. */
  readonly asks: readonly FeedAsk[];
  /** How many listings were looked at, with or without a cell. */
  readonly count: number;
  /** The last of them. */
  readonly end?: FeedPosition;
}

type FeedRow = (FeedAsk | (FeedPosition & { readonly configuration_id: null })) & {
  readonly count: number;
};

interface FeedChunk {
  /** A condition on the table `listing`. */
  readonly where: Sql;
  /** No listing that was last seen earlier. */
  readonly sinceMs: number;
  readonly after?: FeedPosition;
  readonly count: number;
  readonly nowMs: number;
}

/**
 * The next listings that `where` selects, latest first, with the cells above their asks. The ask as written is compared,
 * which is never above the comparable ask, so the caller compares again. Most listings have no such cell and stay in the
 * store, except the last one, which is the place to go on from.
 */
export async function listFeedAsks(
  db: Database,
  { where, sinceMs, after, count, nowMs }: FeedChunk,
): Promise<FeedStretch> {
  const start =
    after === undefined
      ? sql`true`
      : sql`listing.last_seen_at_ms <= ${after.last_seen_at_ms}::bigint
            and (listing.last_seen_at_ms < ${after.last_seen_at_ms}::bigint or listing.id > ${after.listing_id})`;
  const statement = sql`
    with candidate as materialized (
      select listing.id, listing.year, lower(listing.condition) as condition_bucket, listing.price_eur_minor,
             listing.last_seen_at_ms
        from listing
       where ${where} and ${IS_PRICEABLE} and ${start}
         and listing.last_seen_at_ms >= ${sinceMs}::bigint
       order by listing.last_seen_at_ms desc, listing.id
       limit ${count}
    ),
    closing as (
      select id, count(*) over () as count
        from candidate
       order by last_seen_at_ms, id desc
       limit 1
    )
    select closing.count, candidate.id as listing_id, candidate.last_seen_at_ms, candidate.price_eur_minor, cell.configuration_id,
           cell.source_market, cell.market_average_eur_minor, cell.plausible_min_eur_minor,
           cell.plausible_max_eur_minor, cell.hk_markup_rate_bps, cell.hk_markup_fixed_eur_minor
      from candidate
     cross join closing
      left join lateral (
             select model.configuration_id, model.source_market, price_cell.market_average_eur_minor,
                    price_cell.plausible_min_eur_minor, price_cell.plausible_max_eur_minor,
                    profile.hk_markup_rate_bps, profile.hk_markup_fixed_eur_minor
               from listing_model as model
               join price_configuration as configuration
                 on configuration.id = model.configuration_id and configuration.deleted_at_ms is null
               join price_profile as profile on profile.id = configuration.profile_id
               join price_cell
                 on price_cell.configuration_id = model.configuration_id and price_cell.year = candidate.year
                and price_cell.condition_bucket = candidate.condition_bucket
              where model.listing_id = candidate.id
                and price_cell.market_average_eur_minor > candidate.price_eur_minor
                and candidate.last_seen_at_ms >= ${nowMs} - profile.lookback_days * ${DAY_MS}::bigint
           ) as cell on true
     where cell.configuration_id is not null or candidate.id = closing.id
     order by candidate.last_seen_at_ms desc, candidate.id, cell.configuration_id`;
  const rows = await db.query<FeedRow>(statement, { isStatic: false });
  const end = rows.at(-1);
  return end === undefined
    ? { asks: [], count: 0 }
    : { asks: rows.filter(hasCell), count: end.count, end };
}

function hasCell(row: FeedRow): row is FeedAsk & { readonly count: number } {
  return row.configuration_id !== null;
}

/** The longest look-back of all profiles. No older ask is in the feed. */
export async function findLongestLookbackMs(db: Database): Promise<number> {
  const [row] = await db.query<{ days: number | null }>(
    sql`select max(lookback_days) as days from price_profile`,
  );
  return (row?.days ?? 0) * DAY_MS;
}
