import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sql } from "../../../src/db/sql.ts";
import { arrive } from "../../support/alerts.ts";
import { aListingWith, type TestListing } from "../../support/listings.ts";
import { applyTexts } from "../../support/manifest.ts";
import { CONFIGURATIONS, processAll } from "../../support/pricing.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, NOW_MS } from "../../support/test-app.ts";

const PREVIEW = `${CONFIGURATIONS}/preview`;
const MARKET = `
profiles: [{name: p, minimum_listings: 2, minimum_profit_eur_minor: 50000, hk_markup: {rate_bps: 500, fixed_eur_minor: 15000}}]
views:
  - {name: EU, source_market: EU, filters: {country_codes: {include: ["39"]}}}
  - {name: HK, source_market: HK, filters: {country_codes: {include: ["852"]}}}
`;
const GIVEN = {
  profile: "p",
  brand: "Rolex",
  reference: "126610ln",
  exclude_outliers: true,
  minimum_profit_overrides: [{ year: 2020, condition_bucket: "used", amount_eur_minor: 7 }],
};

/** By a dealer of its own, in Italy unless told otherwise. */
function anAsk(euros: number, given: Partial<TestListing> = {}): TestListing {
  const price = { price_amount_minor: euros * 100, price_eur_minor: euros * 100 };
  return aListingWith({
    contact_id: randomUUID(),
    phone_number: "393331234567",
    ...price,
    ...given,
  });
}

test("a profile whose name cannot be stored is 400, as any other that there is not", async (t) => {
  const app = await borrowTestApp(t);
  const path = "/v2/market/price-engine/configurations/preview";

  for (const profile of ["\u0000", "a\ud800", "nobody"]) {
    const body = { profile, brand: "Rolex", reference: "126610LN" };
    const { status, body: answer } = await app.send("POST", path, body);
    assert.equal(status, 400);
    assert.match(answer.error.message, /^profile: there is no profile with this name/);
  }
});

test("the preview has the cells that the first calculation of the configuration stores", async (t) => {
  const own = await borrowTestApp(t);
  await applyTexts(own.db, MARKET);
  await arrive(own.db, [
    ...[10_000, 10_100, 10_200, 10_300, 10_400, 14_000, 1_000].map((euros) => anAsk(euros)),
    anAsk(9_000, { phone_number: "85291234567" }),
    anAsk(9_500, { phone_number: "12125550123" }),
    anAsk(9_600, { contact_id: null }),
    anAsk(9_700, { last_seen_at_ms: NOW_MS - 31 * 86_400_000 }),
    anAsk(9_800, { is_hidden: true }),
    anAsk(9_900, { year: 2021, condition: "USED", is_duplicate: true }),
  ]);
  await processAll(own);

  const preview = await own.send("POST", PREVIEW, GIVEN);
  const stored = await own.db.query(sql`select 1 from price_configuration`);
  const made = await own.send("POST", CONFIGURATIONS, GIVEN);
  await processAll(own);
  const cells = await own.call("GET", `${CONFIGURATIONS}/${made.body.id}/cells`);

  assert.equal(preview.status, 200);
  assert.deepEqual(stored, []);
  const calculated = cells.body.items.map(
    ({ source_sequence, calculation_version, calculated_at_ms, ...cell }: object & Calculated) =>
      cell,
  );
  assert.deepEqual(preview.body, { items: calculated, is_exact: true, as_of_ms: NOW_MS });
  const [first] = preview.body.items;
  assert.deepEqual([first.listing_count, first.status], [6, "available"]);
  assert.equal(preview.body.items.length, 3);
});

interface Calculated {
  readonly source_sequence?: number;
  readonly calculation_version?: string;
  readonly calculated_at_ms?: number;
}

test("the filters of a preview hold, and what no filter knows is a warning", async (t) => {
  const own = await borrowTestApp(t);
  await applyTexts(own.db, MARKET);
  await arrive(own.db, [anAsk(10_000), anAsk(10_200), anAsk(9_000, { year: 2019 })]);
  await processAll(own);
  const filters = { year: { gte: 2020 }, colour: "blue" };
  const { minimum_profit_overrides: _, ...given } = GIVEN;

  const { body } = await own.send("POST", PREVIEW, { ...given, filters });
  const strict = await own.send("POST", `${PREVIEW}?strict=true`, { ...given, filters });

  assert.deepEqual(
    body.items.map(
      ({ year, market_average_eur_minor }: { year: number; market_average_eur_minor: number }) => [
        year,
        market_average_eur_minor,
      ],
    ),
    [[2023, 1_010_000]],
  );
  assert.equal(body.warnings.length, 1);
  assert.equal(strict.status, 400);
});

test("a preview is a read, and refuses an unknown profile and members that decide no price", async (t) => {
  const own = await borrowTestApp(t);
  await applyTexts(own.db, MARKET);
  const token = await addToken(own.db, { isReadOnly: true });
  const headers = { authorization: `Bearer ${token}` };

  const read = await own.app.inject({ method: "POST", url: PREVIEW, headers, payload: GIVEN });
  const unknown = await own.send("POST", PREVIEW, { ...GIVEN, profile: "none" });
  const label = await own.send("POST", PREVIEW, { ...GIVEN, label: "Submariner" });

  assert.equal(read.statusCode, 200);
  assert.deepEqual([unknown.status, unknown.body.error.code], [400, "invalid_payload"]);
  assert.equal(label.status, 400);
});
