import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { changeShippedRates } from "../../../src/pipeline/change-rates.ts";
import { anAsk, refresh } from "../../support/pricing.ts";
import { aConfiguration } from "../../support/rows.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, type TestApp } from "../../support/test-app.ts";

const PATH = "/v2/market/parse-amount";

/** Asks of 9,000, 9,900, 10,000, 10,100 and 11,000: an average of 10,000. Returns the listing of the first. */
async function aPricedWatch(app: TestApp): Promise<string> {
  const configuration = await aConfiguration(app.db);
  const ids: string[] = [];
  for (const euros of [9_000, 9_900, 10_000, 10_100, 11_000]) {
    ids.push(await anAsk(app.db, euros, { models: [configuration] }));
  }
  await refresh(app.db, [configuration]);
  return ids[0] ?? "";
}

test("a typed amount is read in the currency of its field", async (t) => {
  const app = await borrowTestApp(t);
  const read = async (body: object) => (await app.send("POST", PATH, body)).body;

  const hkd = { amount_minor: 13_800_000, currency: "HKD" };
  assert.deepEqual(await read({ text: "138.000", currency: "hkd" }), { amount: hkd });
  assert.deepEqual(await read({ text: "HK$138k", currency: "EUR" }), { amount: hkd });
  assert.deepEqual(await read({ text: "13,5", currency: "EUR", kind: "other" }), {
    amount: { amount_minor: 1_350, currency: "EUR" },
  });
  assert.deepEqual(await read({ text: "soon", currency: "EUR" }), { problem: "no_amount" });
  assert.deepEqual(await read({ text: "138k", currency: "XQZ" }), { problem: "currency_missing" });
});

test("it is compared with the ask and the average of its watch, also in another currency", async (t) => {
  const app = await borrowTestApp(t);
  await changeShippedRates(app.db);
  const listing_id = await aPricedWatch(app);
  const read = async (text: string, more: object = {}) =>
    (await app.send("POST", PATH, { text, currency: "EUR", listing_id, ...more })).body;

  const near = await read("8.550");
  const far = await read("28.450");
  const hkd = await read("HKD 9000");
  const costs = await read("150", { kind: "other" });
  const highCosts = await read("5.200", { kind: "other" });

  assert.deepEqual(near, {
    amount: { amount_minor: 855_000, currency: "EUR" },
    ask: { bps: -500, is_far: false },
    market: { bps: -1_450, is_far: false },
  });
  assert.deepEqual(far.ask, { bps: 21_611, is_far: true });
  assert.deepEqual(far.market, { bps: 18_450, is_far: true });
  assert.equal(hkd.ask.is_far, true);
  assert.ok(hkd.ask.bps < -8_000);
  assert.equal(costs.ask.is_far, false);
  assert.equal(highCosts.ask.is_far, true);
  const unknown = await read("8.550", { listing_id: randomUUID() });
  assert.deepEqual(unknown, { amount: near.amount });
});

test("a token of the market may read amounts, and odd bodies are refused", async (t) => {
  const app = await borrowTestApp(t);
  const headers = { authorization: `Bearer ${await addToken(app.db, { role: "market" })}` };

  const allowed = await app.send("POST", PATH, { text: "18k eur" }, headers);
  const refused = await Promise.all(
    [
      {},
      { text: "1".repeat(61) },
      { text: "1", currency: "E" },
      { text: "1", kind: "watches" },
      { text: "1", listing_id: "x" },
      { text: "1", more: 1 },
    ].map((body) => app.send("POST", PATH, body)),
  );

  assert.equal(allowed.status, 200, allowed.text);
  assert.deepEqual(
    refused.map(({ status }) => status),
    refused.map(() => 400),
  );
});

test("a decision with an amount far from the ask or the market is stored, and says so", async (t) => {
  const app = await borrowTestApp(t);
  await changeShippedRates(app.db);
  const id = await aPricedWatch(app);
  let etag = "";
  const decide = async (body: object) => {
    const headers: Record<string, string> = etag === "" ? {} : { "if-match": etag };
    const answer = await app.send("PUT", `/v2/deals/${id}`, body, headers);
    etag = String(answer.headers["etag"]);
    const warnings = answer.headers["x-assay-warnings"];
    return { status: answer.status, body: answer.body, warnings };
  };
  const euros = (amount: number) => ({ amount_minor: amount * 100, currency: "EUR" });
  const at_ms = app.clock.nowMs();

  const near = await decide({ state: "offered", offer: euros(8_500) });
  const low = await decide({ state: "offered", offer: { amount_minor: 13_800, currency: "HKD" } });
  const sold = await decide({
    state: "bought",
    paid: { ...euros(8_900), at_ms },
    sold: { ...euros(28.45), at_ms },
    cost_eur_minor: 520_000,
  });

  assert.equal(near.warnings, undefined);
  assert.equal(low.status, 200);
  assert.deepEqual(low.body.offer, { amount_minor: 13_800, currency: "HKD" });
  assert.equal(
    low.warnings,
    "offer: 138.00 HKD is less than half of the ask; offer: 138.00 HKD is less than half of the market",
  );
  assert.equal(sold.body.sold.amount_minor, 2_845);
  assert.deepEqual(String(sold.warnings).split("; "), [
    "sold: 28.45 EUR is less than half of the ask",
    "sold: 28.45 EUR is less than half of the market",
    "cost_eur_minor: 5,200.00 EUR is more than half of the ask",
    "cost_eur_minor: 5,200.00 EUR is more than half of the market",
  ]);
});
