import { randomUUID } from "node:crypto";
import { sql } from "../../src/db/sql.ts";
import { arrive } from "./alerts.ts";
import { drain, stepContext } from "./drain.ts";
import { aListingWith } from "./listings.ts";
import { applyTexts } from "./manifest.ts";
import { NOW_MS, type TestApp } from "./test-app.ts";

/** The minimum profit is 1,000 euros. */
export const MARKET = `
profiles: [{name: p, status: live, minimum_listings: 1, minimum_profit_eur_minor: 100000}]
views: [{name: EU, source_market: EU, filters: {}}]
`;
export const CONFIGURATION = "configurations: [{profile: p, brand: Rolex, reference: 126610LN}]";
export const CONFIGURATIONS = "/v2/market/price-engine/configurations";

/** A market with one priced configuration, two asks, and a match of its system alert. */
export async function aPricedMarket(own: TestApp) {
  await applyTexts(own.db, [MARKET, CONFIGURATION]);
  await anAsk(own, 1_100_000);
  await processAll(own);
  const listingId = await anAsk(own, 900_000);
  await processAll(own);
  const [configuration] = await own.db.query<{ id: string }>(
    sql`select id from price_configuration`,
  );
  return { id: configuration?.id ?? "", listingId };
}

export async function anAsk({ db }: TestApp, priceMinor: number): Promise<string> {
  const listing = aListingWith({
    reference: "126610LN",
    reference_normalized: "126610LN",
    contact_id: randomUUID(),
    price_amount_minor: priceMinor,
    price_eur_minor: priceMinor,
    last_seen_at_ms: NOW_MS,
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
