import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/db/sql.ts";
import { buildCatalogue } from "../../src/extraction/catalogue/catalogue.ts";
import { ManifestError } from "../../src/manifest/problem.ts";
import { applyTexts } from "../support/manifest.ts";
import { aListing } from "../support/rows.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";

const JUDGES = {
  catalogue: buildCatalogue(),
  channels: { isPrivateAllowed: false },
};
const SECRET = `whsec_${Buffer.alloc(24, 1).toString("base64")}`;

test("apply notes what is allowed and probably not meant, each with its member", async (t) => {
  const { pool } = await borrowTestDatabase(t);

  const report = await applyTexts(
    pool,
    `profiles: [{name: p}]
configurations: [{profile: p, brand: Rollex, reference: NOSUCH7}]
alerts:
  - {name: a, filters: {price: {lte: 7500, currency: xyz}, year: {gte: 2024, lte: 2020}}}
  - {name: b, filters: {brand: [Rolex, Omegga], reference: [126610LN, NOSUCH1]}}
webhooks:
  - {name: w, url: "http://10.0.0.1/hook", secret: ${SECRET}}
  - {name: m, kind: email, to: me@example.org}
groups: [{gateway_group_id: dealers, default_currency: QQQ}]
group_presets: [{name: g, group_ids: [someone@c.us]}]`,
    { judges: JUDGES },
  );

  const notes = report.notes.map(({ member, text, hint }) => `${member}: ${text}${hint?.() ?? ""}`);
  assert.deepEqual(notes.toSorted(), [
    "alerts[0].filters.price.currency: no exchange rate of XYZ is known; see fx_rates",
    "alerts[0].filters.price.lte: is 75.00 only: amounts are in minor units, such as cents",
    "alerts[0].filters.year: gte is above lte, so nothing matches",
    'alerts[1].filters.brand[1]: neither the catalogue nor a listing has "Omegga"; did you mean "Omega"?',
    'alerts[1].filters.reference[1]: neither the catalogue nor a listing has "NOSUCH1"',
    'configurations[0].brand: neither the catalogue nor a listing has "Rollex"; did you mean "Rolex"?',
    'configurations[0].reference: neither the catalogue nor a listing has "NOSUCH7"',
    "group_presets[0].group_ids[0]: is not an id of the gateway, such as 120363000000000101@g.us",
    "groups[0].default_currency: no exchange rate of QQQ is known; see fx_rates",
    "groups[0].gateway_group_id: is not an id of the gateway, such as 120363000000000101@g.us",
    "webhooks[0].url: nothing will be sent there: plain HTTP refused; see ASSAY_WEBHOOK_ALLOW_PRIVATE",
    "webhooks[1].to: nothing will be sent there: no mail server; see ASSAY_SMTP_URL",
  ]);
});

test("words of the catalogue, of the market and of declared rates are not noted", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await aListing(pool, {
    brand: "Nobrand",
    brand_folded: "nobrand",
    reference: "NOSUCH1",
    reference_normalized: "NOSUCH1",
  });

  const report = await applyTexts(
    pool,
    `fx_rates: [{date: 2026-11-13, currency: XYZ, per_eur: 2}]
profiles: [{name: p}]
configurations: [{profile: p, brand: Nobrand, reference: nosuch-1}]
alerts: [{name: a, filters: {brand: [rolex], reference: [5711/1A-010], price: {gte: 0, lte: 10000, currency: xyz}}}]
webhooks: [{name: w, url: "https://example.org/hook", secret: ${SECRET}}]
groups: [{gateway_group_id: 120363000000000101@g.us, default_currency: EUR}]`,
    { judges: JUDGES },
  );

  assert.deepEqual(report.notes, []);
});

test("a strict apply refuses what it would note, and changes nothing", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const text = "views: [{name: a, filters: {referense: [1], year: {min: 3}, brand: [Omegga]}}]";

  await assert.rejects(
    applyTexts(pool, text, { isStrict: true, judges: JUDGES }),
    (error) =>
      error instanceof ManifestError &&
      /filters\.referense: no filter .* mean "reference"/.test(error.message) &&
      /filters\.year\.min: no filter/.test(error.message) &&
      /filters\.brand\[0\]: neither the catalogue/.test(error.message),
  );

  assert.deepEqual(await pool.query(sql`select from market_view`), []);
  const report = await applyTexts(pool, text);
  assert.equal(report.notes.length, 2);
});
