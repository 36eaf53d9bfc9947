import type { Database } from "../db/database.ts";
import { recordset, type Sql, sql } from "../db/sql.ts";
import type { SourceMarket } from "../matching/membership-store.ts";
import type { CellStatus, ConditionBucket } from "./cells/cell.ts";
import { IS_PRICEABLE } from "./cells/refresh-store.ts";
import type { HeadlineRank } from "./listing-price.ts";

/** An ask and one of its cells, as they are now. */
export interface PastAsk extends HeadlineRank {
  readonly listing_id: string;
  readonly canonical_message_id: string;
  readonly message_timestamp_ms: number;
  readonly ask_key: string | null;
  readonly variant_folded: string | null;
  readonly price_amount_minor: number;
  readonly price_currency: string;
  readonly configuration_id: string;
  readonly source_market: SourceMarket;
  readonly year: number;
  readonly condition_bucket: ConditionBucket;
  readonly price_eur_minor: number;
  readonly hk_markup_rate_bps: number;
  readonly hk_markup_fixed_eur_minor: number;
  readonly cell_status: CellStatus | null;
  readonly market_average_eur_minor: number | null;
  readonly maximum_buy_eur_minor: number | null;
  readonly plausible_min_eur_minor: number | null;
  readonly plausible_max_eur_minor: number | null;
}

/** A time in which an ask may be compared with its cell. */
export interface AskWindow {
  readonly configuration_id: string;
  readonly year: number;
  readonly condition_bucket: ConditionBucket;
  readonly comparable_ask_eur_minor: number;
  readonly start_ms: number;
  /** When the cell has been calculated with the ask. */
  readonly settled_ms: number;
  readonly end_ms: number;
  /** The prices of today, for a time without history. */
  readonly market_average_eur_minor: number | null;
  readonly maximum_buy_eur_minor: number | null;
  /** The configurations whose cells count instead of this one while they are available. */
  readonly better_ids: readonly string[];
  /** Whether those are available today. */
  readonly better_available: readonly boolean[];
}

/** What the history says about a window. */
export interface RecordedWindow {
  /** The index of the window. */
  readonly at: number;
  /** When the cell was first calculated; null if never. */
  readonly first_at_ms: number | null;
  /** The first time in the window at which the ask was a buy; null if it never was. */
  readonly buy_at_ms: number | null;
  /** The average of the cell at that time. */
  readonly average_eur_minor: number | null;
}

const ASKS_MAX = 50_000;

/** A condition on `listing`: a member of a configuration that may fire alerts on buys. */
export function isBuyable(configurationIds: readonly string[]): Sql {
  return sql`
    (${IS_PRICEABLE}
     and exists (select
                   from listing_model as model
                   join price_configuration as configuration on configuration.id = model.configuration_id
                  where model.listing_id = listing.id and ${mayFire(configurationIds)}))`;
}

/** The cells of these listings. Listings without one are left out. */
export async function listPastAsks(
  db: Database,
  listingIds: readonly string[],
  configurationIds: readonly string[],
): Promise<readonly PastAsk[]> {
  const statement = sql`
    select listing.id as listing_id, listing.canonical_message_id, listing.message_timestamp_ms, listing.ask_key,
           listing.variant_folded, listing.price_amount_minor, listing.price_currency, model.configuration_id, model.source_market, listing.year,
           lower(listing.condition) as condition_bucket, listing.price_eur_minor, profile.hk_markup_rate_bps,
           profile.hk_markup_fixed_eur_minor, cell.status as cell_status,
           cell.market_average_eur_minor, cell.maximum_buy_eur_minor, configuration.buy_signals_enabled,
           configuration.specificity, configuration.configuration_key, cell.plausible_min_eur_minor,
           cell.plausible_max_eur_minor
      from unnest(${listingIds}::uuid[]) as own (id)
      join listing on listing.id = own.id
      join listing_model as model on model.listing_id = listing.id
      join price_configuration as configuration on configuration.id = model.configuration_id
      join price_profile as profile on profile.id = configuration.profile_id
      left join price_cell as cell
        on cell.configuration_id = model.configuration_id and cell.year = listing.year
       and cell.condition_bucket = lower(listing.condition)
     where ${IS_PRICEABLE} and ${mayFire(configurationIds)}
     order by listing.id, model.configuration_id
     limit ${ASKS_MAX}`;
  return db.query<PastAsk>(statement, { isStatic: false });
}

function mayFire(configurationIds: readonly string[]): Sql {
  const isAsked =
    configurationIds.length === 0
      ? sql`true`
      : sql`configuration.id = any(${configurationIds}::uuid[])`;
  return sql`
    (configuration.buy_signals_enabled and configuration.deleted_at_ms is null and ${isAsked})`;
}

/**
 * With a maximum of 0 no ask is a buy, not even an ask of 0. An ask can become a buy when its cell changes, and when a better
 * one is available no more, so it is judged at these times only.
 */
export async function findRecordedWindows(
  db: Database,
  windows: readonly AskWindow[],
): Promise<readonly RecordedWindow[]> {
  if (windows.length === 0) return [];
  const rows = windows.map((window, at) => ({ ...window, at }));
  return db.query<RecordedWindow>(sql`
    select ask.at, history.first_at_ms, coalesce(early.at_ms, late.at_ms) as buy_at_ms,
           coalesce(early.average_eur_minor, late.average_eur_minor) as average_eur_minor
      from ${recordset(rows)}
           as ask (at integer, configuration_id uuid, year integer, condition_bucket text,
                   comparable_ask_eur_minor bigint, start_ms bigint, settled_ms bigint, end_ms bigint,
                   market_average_eur_minor bigint, maximum_buy_eur_minor bigint, better_ids uuid[],
                   better_available boolean[])
      left join lateral (
             select point.calculated_at_ms as first_at_ms
               from ${pointsOf(sql`ask.configuration_id`)}
              order by point.calculated_at_ms
              limit 1) as history
        on true
      left join lateral (
             select ask.start_ms as at_ms, own.average_eur_minor
               from ${cellAt(sql`ask.settled_ms`)} as own
              where ${isBuyAt(sql`ask.settled_ms`)}) as early
        on true
      left join lateral (
             select moment.at_ms, own.average_eur_minor
               from (select point.calculated_at_ms
                       from ${pointsOf(sql`ask.configuration_id`)}
                        and point.calculated_at_ms > ask.settled_ms and point.calculated_at_ms <= ask.end_ms
                        and point.maximum_buy_eur_minor >= ask.comparable_ask_eur_minor
                      union all
                     select point.calculated_at_ms
                       from unnest(ask.better_ids) as better (id), ${pointsOf(sql`better.id`)}
                        and point.calculated_at_ms > ask.settled_ms and point.calculated_at_ms <= ask.end_ms
                        and point.status <> 'available') as moment (at_ms)
              cross join lateral ${cellAt(sql`moment.at_ms`)} as own
              where early.at_ms is null and ${isBuyAt(sql`moment.at_ms`)}
              order by moment.at_ms
              limit 1) as late
        on true`);
}

/** The changes of the cell of `ask` in a configuration. */
function pointsOf(configurationId: Sql): Sql {
  return sql`
    price_cell_history as point
    where point.configuration_id = ${configurationId} and point.year = ask.year
      and point.condition_bucket = ask.condition_bucket`;
}

/** The prices of the cell of `ask` at a time: those recorded, or those of today if nothing was by the end of the window. */
function cellAt(atMs: Sql): Sql {
  return sql`
    (select average_eur_minor, maximum_eur_minor
       from (select point.market_average_eur_minor, point.maximum_buy_eur_minor
               from ${pointsOf(sql`ask.configuration_id`)} and point.calculated_at_ms <= ${atMs}
              order by point.calculated_at_ms desc
              limit 1) as recorded (average_eur_minor, maximum_eur_minor)
      union all
     select ask.market_average_eur_minor, ask.maximum_buy_eur_minor
      where coalesce(history.first_at_ms > ask.end_ms, true))`;
}

/** Whether the ask is within the maximum of `own`, and no better cell is available. */
function isBuyAt(atMs: Sql): Sql {
  return sql`
    own.maximum_eur_minor >= greatest(ask.comparable_ask_eur_minor, 1)
    and not exists (
      select from unnest(ask.better_ids, ask.better_available) as better (id, is_available)
       where coalesce(
               (select point.status = 'available'
                  from ${pointsOf(sql`better.id`)} and point.calculated_at_ms <= ${atMs}
                 order by point.calculated_at_ms desc
                 limit 1),
               better.is_available
               and not exists (select from ${pointsOf(sql`better.id`)} and point.calculated_at_ms <= ask.end_ms)))`;
}

/** Of the ids, those of no configuration. */
export async function findUnknownConfigurations(
  db: Database,
  ids: readonly string[],
): Promise<readonly string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id
      from price_configuration
     where id = any(${ids}::uuid[]) and deleted_at_ms is null
     order by id
     limit ${ids.length}`);
  const known = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}
