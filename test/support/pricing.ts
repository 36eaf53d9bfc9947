import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { DAY_MS, HOUR_MS } from "../../src/base/clock.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { queueRefreshes } from "../../src/matching/refresh-queue-store.ts";
import { type RefreshOptions, refreshCells } from "../../src/pipeline/refresh-cells.ts";
import {
  type CellCalculator,
  createCellCalculator,
  type Member,
} from "../../src/pricing/cells/calculate-cells.ts";
import type { CalculatedCell, PriceRules } from "../../src/pricing/cells/cell.ts";
import { arrive, aSavedFilter } from "./alerts.ts";
import { drain, process, stepContext } from "./drain.ts";
import { aListingWith, type TestListing } from "./listings.ts";
import { applyTexts } from "./manifest.ts";
import { aConfiguration, aListing, aModel, anAlert } from "./rows.ts";
import { NOW_MS, type TestApp } from "./test-app.ts";
import { aMessageEvent } from "./waha.ts";

/** The minimum profit is 1,000 euros. */
export const MARKET = `
profiles: [{name: p, status: live, minimum_listings: 1, minimum_profit_eur_minor: 100000}]
views: [{name: EU, source_market: EU, filters: {}}]
`;

export const CONFIGURATION = "configurations: [{profile: p, brand: Rolex, reference: 126610LN}]";

export const CONFIGURATIONS = "/v2/market/price-engine/configurations";

type Columns = Readonly<Record<string, unknown>>;

/** A listing for sale in euros that is a member of these configurations. */
export async function anAsk(
  db: DatabasePool,
  euros: number,
  ask: {
    readonly models: readonly string[];
    readonly market?: "EU" | "HK";
    readonly columns?: Columns;
  },
): Promise<string> {
  const listingId = await aListing(db, {
    contact_id: randomUUID(),
    price_amount_minor: euros * 100,
    price_eur_minor: euros * 100,
    ...ask.columns,
  });
  for (const configuration_id of ask.models) {
    await aModel(db, {
      listing_id: listingId,
      configuration_id,
      source_market: ask.market ?? "EU",
    });
  }
  return listingId;
}

/** Queues these configurations and calculates them. */
export async function refresh(
  db: DatabasePool,
  ids: readonly string[],
  options: Partial<RefreshOptions> = {},
) {
  await queueRefreshes(db, ids, NOW_MS);
  return refreshQueued(db, options);
}

/** Calculates the queued configurations. */
export async function refreshQueued(db: DatabasePool, options: Partial<RefreshOptions> = {}) {
  const context = await stepContext(db);
  const report = await refreshCells(db, { ...context, batchMax: 100, ...options });
  await context.close();
  return report;
}

/** Returns the stored cells of a configuration as `year bucket: status count average`. */
export async function showCells(db: DatabasePool, configurationId: string): Promise<string[]> {
  const rows = await db.query<{ line: string }>(sql`
    select concat_ws(' ', year, condition_bucket || ':', status, listing_count, market_average_eur_minor) as line
      from price_cell where configuration_id = ${configurationId}
     order by year desc, condition_bucket`);
  return rows.map(({ line }) => line);
}

/** Returns the stored history of a configuration in the same form, oldest first. */
export async function showHistory(db: DatabasePool, configurationId: string): Promise<string[]> {
  const rows = await db.query<{ line: string }>(sql`
    select concat_ws(' ', year, condition_bucket || ':', status, listing_count, market_average_eur_minor) as line
      from price_cell_history where configuration_id = ${configurationId}
     order by calculated_at_ms, year desc, condition_bucket`);
  return rows.map(({ line }) => line);
}

/** The rules of a profile with all defaults. */
export function rulesWith(given: Partial<PriceRules> = {}): PriceRules {
  return {
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
    excludes_outliers: false,
    minimum_profit_overrides: [],
    ...given,
  };
}

export function aMember(given: Partial<Member> = {}): Member {
  return {
    listing_id: randomUUID(),
    contact_id: randomUUID(),
    year: 2023,
    condition_bucket: "new",
    source_market: "EU",
    price_eur_minor: 1_000_000,
    last_seen_at_ms: NOW_MS,
    ...given,
  };
}

export function calculate(
  members: readonly Member[],
  rules: PriceRules = rulesWith(),
  nowMs = NOW_MS,
): readonly CalculatedCell[] {
  return calculatorOf(members, rules, nowMs).finish();
}

export function calculatorOf(
  members: readonly Member[],
  rules: PriceRules = rulesWith(),
  nowMs = NOW_MS,
): CellCalculator {
  const calculator = createCellCalculator(rules, nowMs);
  for (const member of members) calculator.add(member);
  return calculator;
}

const anyMember: fc.Arbitrary<Member> = fc.record({
  listing_id: fc.uuid(),
  contact_id: fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h"),
  year: fc.constantFrom(2022, 2023),
  condition_bucket: fc.constantFrom("new" as const, "used" as const),
  source_market: fc.constantFrom("EU" as const, "HK" as const),
  price_eur_minor: fc.oneof(
    fc.integer({ min: 0, max: 40 }).map((step) => step * 25_000),
    fc.integer({ min: 0, max: 9 }),
  ),
  last_seen_at_ms: fc.constantFrom(
    NOW_MS,
    NOW_MS - 1,
    NOW_MS - 30 * DAY_MS,
    NOW_MS - 30 * DAY_MS - 1,
  ),
});

export const anyMembers = fc.uniqueArray(anyMember, {
  selector: ({ listing_id }) => listing_id,
  maxLength: 40,
  size: "max",
});

export const anyRules = fc
  .record({
    minimum_listings: fc.constantFrom(1, 2, 4),
    implausible_below_bps: fc.constantFrom(0, 3_333, 5_000, 10_000),
    implausible_above_bps: fc.constantFrom(10_000, 12_345, 30_000, 1_000_000),
    excludes_outliers: fc.boolean(),
    hk_markup_fixed_eur_minor: fc.constantFrom(0, 15_000),
  })
  .map(rulesWith);

/** A market with one priced configuration, two asks, and a match of its system alert. */
export async function aPricedMarket(own: TestApp) {
  await applyTexts(own.db, [MARKET, CONFIGURATION]);
  await askOf(own, 1_100_000);
  await processAll(own);
  const listingId = await askOf(own, 900_000);
  await processAll(own);
  const [configuration] = await own.db.query<{ id: string }>(
    sql`select id from price_configuration`,
  );
  return { id: configuration?.id ?? "", listingId };
}

export async function askOf(
  { db }: TestApp,
  priceMinor: number,
  given: Partial<TestListing> = {},
): Promise<string> {
  const listing = aListingWith({
    reference: "126610LN",
    reference_normalized: "126610LN",
    contact_id: randomUUID(),
    price_amount_minor: priceMinor,
    price_eur_minor: priceMinor,
    last_seen_at_ms: NOW_MS,
    ...given,
  });
  await arrive(db, [listing]);
  return listing.id;
}

/** Runs all steps until nothing is queued. */
export async function processAll({ db, clock }: TestApp): Promise<void> {
  const context = await stepContext(db, clock);
  await drain(context);
  await context.close();
}

/** The only system alert. */
export async function systemAlert({ call }: TestApp) {
  const { body } = await call("GET", "/v2/alerts");
  const alert = body.items.find((one: { is_system: boolean }) => one.is_system);
  const matches = await call("GET", `/v2/alerts/${alert.id}/matches`);
  return { id: alert.id, isEnabled: alert.enabled, matchCount: matches.body.total };
}

/** A configuration with asks of four dealers, calculated; its alert says when one is a buy. */
export async function aMarketOfDealers(
  pool: DatabasePool,
): Promise<{ readonly configuration: string; readonly alert: string }> {
  const configuration = await aConfiguration(pool);
  await aSavedFilter(pool, "configuration", configuration, { reference: ["126610LN"] });
  await aSavedFilter(pool, "view_eu", randomUUID());
  const alert = await anAlert(pool, {
    strategy: "price_engine",
    is_system: true,
    configuration_id: configuration,
    filters: { configuration_ids: [configuration] },
  });
  await process(
    pool,
    [10_000, 10_500, 10_200, 10_300].map((euros, at) => anAskOf(at, euros)),
  );
  assert.deepEqual(await showCells(pool, configuration), ["2023 new: available 4 1025000"]);
  return { configuration, alert };
}

/** What a dealer posts in this market. */
export function anAskOf(dealer: number, euros: number, hoursAgo = 1) {
  return aMessageEvent({
    rawId: `ASK${dealer}`,
    sender: {
      phone: `44770090020${dealer}`,
      lid: `19990000000030${dealer}`,
      name: `Dealer ${dealer}`,
    },
    text: `WTS Rolex 126610LN 2023 new full set EUR ${euros}`,
    atS: (NOW_MS - hoursAgo * HOUR_MS) / 1000 + dealer,
  });
}
