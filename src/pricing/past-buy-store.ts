import type { Database } from "../db/database.ts";
import { recordset, type Sql, sql } from "../db/sql.ts";
import type { SourceMarket } from "../matching/membership-store.ts";
import type { CellStatus, ConditionBucket } from "./cells/cell.ts";
import { IS_PRICEABLE } from "./cells/refresh-store.ts";

/** An ask and one of its cells, as they are now. */
export interface PastAsk {
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
}

/** What the history says about a window. */
export interface RecordedWindow {
  /** The index of the window. */
  readonly at: number;
  /** When the cell was first calculated; null if never. */
  readonly first_at_ms: number | null;
  /** The first time in the window at which the ask was a buy; null if it never was. */
  readonly buy_at_ms: number | null;
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
           profile.hk_markup_fixed_eur_minor, cell.status as cell_status, cell.maximum_buy_eur_minor,
           cell.plausible_min_eur_minor, cell.plausible_max_eur_minor
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

/** With a maximum of 0 no ask is a buy, not even an ask of 0. */
export async function findRecordedWindows(
  db: Database,
  windows: readonly AskWindow[],
): Promise<readonly RecordedWindow[]> {
  if (windows.length === 0) return [];
  const rows = windows.map((window, at) => ({ ...window, at }));
  return db.query<RecordedWindow>(sql`
    select ask.at,
           (select point.calculated_at_ms
              from price_cell_history as point
             where point.configuration_id = ask.configuration_id and point.year = ask.year
               and point.condition_bucket = ask.condition_bucket
             order by point.calculated_at_ms
             limit 1) as first_at_ms,
           case when (select point.maximum_buy_eur_minor
                        from price_cell_history as point
                       where point.configuration_id = ask.configuration_id and point.year = ask.year
                         and point.condition_bucket = ask.condition_bucket
                         and point.calculated_at_ms <= ask.settled_ms
                       order by point.calculated_at_ms desc
                       limit 1) >= greatest(ask.comparable_ask_eur_minor, 1)
                then ask.start_ms
                else (select min(point.calculated_at_ms)
                        from price_cell_history as point
                       where point.configuration_id = ask.configuration_id and point.year = ask.year
                         and point.condition_bucket = ask.condition_bucket
                         and point.calculated_at_ms > ask.settled_ms and point.calculated_at_ms <= ask.end_ms
                         and point.maximum_buy_eur_minor >= greatest(ask.comparable_ask_eur_minor, 1))
           end as buy_at_ms
      from ${recordset(rows)}
           as ask (at integer, configuration_id uuid, year integer, condition_bucket text,
                   comparable_ask_eur_minor bigint, start_ms bigint, settled_ms bigint, end_ms bigint)`);
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
