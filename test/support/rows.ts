import { randomUUID } from "node:crypto";
import { HOUR_MS } from "../../src/base/clock.ts";
import type { Database } from "../../src/db/database.ts";
import { rawSql, type Sql, sql } from "../../src/db/sql.ts";
import { NOW_MS } from "./test-app.ts";

type Row = Readonly<Record<string, unknown>>;

type Columns = Readonly<Record<string, unknown>>;

/** Inserts a row with these columns and returns its id. */
async function insert(db: Database, table: string, columns: Columns): Promise<string> {
  const row = { id: randomUUID(), ...columns };
  await db.execute(insertRows(table, [row]));
  return row.id;
}

export function aPreset(db: Database, columns: Columns = {}): Promise<string> {
  return insert(db, "group_preset", {
    name: `preset ${randomUUID()}`,
    group_ids: [],
    created_at_ms: NOW_MS,
    updated_at_ms: NOW_MS,
    ...columns,
  });
}

export function aSession(db: Database, columns: Columns = {}): Promise<string> {
  return insert(db, "messaging_session", { gateway_name: randomUUID(), ...columns });
}

export function aGroup(db: Database, { name, ...columns }: Columns = {}): Promise<string> {
  return insert(db, "market_group", {
    gateway_group_id: `${randomUUID()}@g.us`,
    ...(name === undefined ? {} : { gateway_name: name }),
    ...columns,
  });
}

export function aMessage(db: Database): Promise<string> {
  return insert(db, "canonical_message", { contact_id: randomUUID() });
}

export async function aRollup(db: Database, columns: Columns): Promise<void> {
  const row = {
    occurrence_count: 1,
    edited_count: 0,
    revoked_count: 0,
    media_count: 0,
    own_count: 0,
    first_seen_at_ms: NOW_MS,
    last_seen_at_ms: NOW_MS,
    ...columns,
  };
  await db.execute(insertRows("occurrence_rollup", [row]));
}

export async function aListing(db: Database, columns: Columns = {}): Promise<string> {
  return insert(db, "listing", {
    canonical_message_id: await aMessage(db),
    side: "for_sale",
    brand: "Rolex",
    brand_folded: "rolex",
    reference: "126610LN",
    reference_normalized: "126610LN",
    year: 2023,
    condition: "NEW",
    message_timestamp_ms: NOW_MS,
    first_seen_at_ms: NOW_MS,
    last_seen_at_ms: NOW_MS,
    price_amount_minor: 900_000,
    price_currency: "EUR",
    price_eur_minor: 900_000,
    created_at_ms: NOW_MS,
    updated_at_ms: NOW_MS,
    ...columns,
  });
}

export function aProfile(db: Database, columns: Columns = {}): Promise<string> {
  return insert(db, "price_profile", {
    name: randomUUID(),
    status: "live",
    lookback_days: 30,
    minimum_listings: 3,
    minimum_profit_eur_minor: 50_000,
    hk_markup_rate_bps: 500,
    hk_markup_fixed_eur_minor: 15_000,
    consumer_low_quantile_bps: 2_500,
    consumer_high_quantile_bps: 7_500,
    consumer_margin_bps: 1_000,
    implausible_below_bps: 5_000,
    implausible_above_bps: 30_000,
    stale_after_ms: 6 * HOUR_MS,
    created_at_ms: NOW_MS - 2000,
    updated_at_ms: NOW_MS - 2000,
    ...columns,
  });
}

export async function aConfiguration(db: Database, columns: Columns = {}): Promise<string> {
  return insert(db, "price_configuration", {
    configuration_key: `rolex:126610LN:${randomUUID()}`,
    profile_id: columns["profile_id"] ?? (await aProfile(db)),
    brand: "Rolex",
    brand_lower: "rolex",
    reference: "126610LN",
    reference_normalized: "126610LN",
    market_reference_normalized: "126610LN",
    filters: {},
    filter_summary: "everything",
    minimum_profit_overrides: [],
    exclude_outliers: true,
    publish_enabled: false,
    buy_signals_enabled: true,
    created_at_ms: NOW_MS - 2000,
    updated_at_ms: NOW_MS - 2000,
    ...columns,
  });
}

export async function aSnapshot(db: Database, configurationId: string): Promise<void> {
  await db.execute(sql`
    insert into price_snapshot (configuration_id, calculated_at_ms, source_sequence, calculation_version)
    values (${configurationId}, ${NOW_MS - 1000}, 77, 'price-engine.v1')`);
  await db.execute(
    sql`update price_configuration set last_success_at_ms = ${NOW_MS - 1000} where id = ${configurationId}`,
  );
}

export async function aCell(db: Database, columns: Columns): Promise<void> {
  const row = {
    year: 2023,
    condition_bucket: "new",
    status: "available",
    lookback_days: 30,
    listing_count: 5,
    market_average_eur_minor: 1_032_000,
    market_median_eur_minor: 1_040_000,
    consumer_min_eur_minor: 1_100_000,
    consumer_max_eur_minor: 1_166_000,
    minimum_profit_eur_minor: 50_000,
    maximum_buy_eur_minor: 982_000,
    maximum_hk_ask_eur_minor: 920_952,
    suspect_count: 0,
    ...columns,
  };
  await db.execute(insertRows("price_cell", [row]));
}

/** A membership with the cell and the ask of its listing. */
export async function aModel(db: Database, columns: Columns): Promise<void> {
  await db.execute(insertRows("listing_model", [columns]));
  await db.execute(sql`
    update listing_model as model
       set year = listing.year, condition_bucket = lower(listing.condition), price_eur_minor = listing.price_eur_minor
      from listing
     where listing.id = model.listing_id and listing.id = ${columns["listing_id"]}::uuid`);
}

export function anAlert(db: Database, columns: Columns = {}): Promise<string> {
  return insert(db, "alert", {
    name: "cheap Submariners",
    is_enabled: true,
    filters: { brand: ["Rolex"] },
    strategy: "market_filter",
    is_system: false,
    created_at_ms: NOW_MS,
    updated_at_ms: NOW_MS,
    ...columns,
  });
}

export async function aMatch(db: Database, columns: Columns): Promise<void> {
  const id = randomUUID();
  const row = {
    resource: "watch_listing",
    resource_id: id,
    listing_id: columns["resource_id"] ?? id,
    canonical_message_id: randomUUID(),
    matched_at_ms: NOW_MS,
    match_context: { strategy: "market_filter" },
    ...columns,
  };
  await db.execute(insertRows("alert_match", [row]));
}

/** Builds an insert of these rows. The table defines the type of each member, JSON and arrays included. */
export function insertRows(table: string, rows: readonly object[]): Sql {
  const names = columnsOf(rows as readonly Row[]);
  return sql`
    insert into ${rawSql(table)} (${names})
    select ${names} from json_populate_recordset(null::${rawSql(table)}, ${JSON.stringify(rows)}::json)`;
}

/** Builds the `set` part of an update. */
export function setColumns(table: string, row: object): Sql {
  const names = columnsOf([row as Row]);
  return sql`
    (${names}) = (select ${names} from json_populate_record(null::${rawSql(table)}, ${JSON.stringify(row)}::json))`;
}

function columnsOf(rows: readonly Row[]): Sql {
  return rawSql(
    [...new Set(rows.flatMap((row) => Object.keys(row)))].map((name) => `"${name}"`).join(", "),
  );
}
