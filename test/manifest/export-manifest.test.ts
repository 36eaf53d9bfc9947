import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DAY_MS } from "../../src/base/clock.ts";
import { sql } from "../../src/db/sql.ts";
import { toDemoManifest } from "../../src/demo/demo-manifest.ts";
import { createMarket, sizeOf } from "../../src/demo/posts.ts";
import { exportManifest } from "../../src/manifest/export-manifest.ts";
import { anyManifest } from "../support/generators/manifest-arbitraries.ts";
import {
  applyTexts,
  clearDeclared,
  counts,
  dumpDeclared,
  problemsOf,
  WHOLE_MARKET,
} from "../support/manifest.ts";
import { anAlert } from "../support/rows.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { NOW_MS } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";

const ROUNDS = process.env["ASSAY_TEST_LONG"] === undefined ? 10 : 300;

/** Values that YAML or the planner could read as something else. */
const ODD_MARKET = `
profiles: [{name: "no", status: live}, {name: "~", minimum_profit_eur_minor: 0}]
views: [{name: "12e3", filters: {"<<": {a: [1, -2.5, null, true, "yes"]}, "": x, brand: ["- Rolex: #1 "]}}]
configurations:
  - {profile: "~", brand: "Pâtek", reference: "5711", configuration_key: "a:b#c", label: "line\\nbreak\\t\\u2028"}
  - profile: "no"
    brand: ${"Rolex".repeat(24)}
    reference: "${"1".repeat(120)}"
alerts:
  - {name: "{x}", view: "12e3", filters: {referense: [126610LN]}, created_by: " lead"}
  - {name: dangling, strategy: price_engine, filters: {configuration_ids: [00000000-0000-4000-8000-00000000dead]}}
webhooks:
  - name: "'"
    url: "http://localhost:1/?a=b&c=%20#d"
    secret: whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=
    alerts: ["{x}", 00000000-0000-4000-8000-00000000beef]
  - {name: phone, kind: ntfy, url: "https://ntfy.sh/_0", quiet_hours: {from: "22:00", to: "07:00", time_zone: Asia/Hong_Kong}}
  - {name: closed, kind: ntfy, url: "https://ntfy.example.org/a/0123", token: "0x10"}
  - {name: chat, kind: telegram, bot_token: "123456:AAaaBBbbCCccDDddEEeeFFff", chat_id: -1001}
  - {name: mail, kind: email, to: "~x+y@example.org"}
sessions: [{gateway_name: "0x10", phone_number: "0 (12) - 345."}, {gateway_name: undeclared}]
groups: [{gateway_group_id: "1@g.us", is_ignored: true}, {gateway_group_id: "2@g.us"}]
group_presets: [{name: "null", group_ids: []}, {name: "2026-01-01", group_ids: ["1@g.us"]}]
fx_rates: [{date: 2026-11-13, currency: "NULL", per_eur: 0.10000000000000000000}]
`;

test("an export, applied to an empty store, declares the same: the demo's manifest and odd values", async (t) => {
  const [from, to] = [await borrowTestDatabase(t), await openTestDatabase(t)];
  const market = createMarket(sizeOf(500));
  const demo = toDemoManifest(market, { fromMs: NOW_MS - 30 * DAY_MS, toMs: NOW_MS });
  await applyTexts(from.pool, [JSON.stringify(demo), ODD_MARKET]);
  const { text, rowCount } = await exportManifest(from.pool, { hasSecrets: true });

  const report = await applyTexts(to.pool, text);

  const before = await dumpDeclared(from.pool);
  assert.deepEqual(await dumpDeclared(to.pool), before);
  assert.deepEqual(
    Object.entries(before).filter(([, lines]) => lines.length === 0),
    [],
  );
  const createdCount = report.kinds.reduce((sum, { created }) => sum + created.length, 0);
  assert.equal(createdCount, rowCount);
  assert.equal((await exportManifest(to.pool, { hasSecrets: true })).text, text);
});

test("an export of any declarations, applied to an empty store, declares the same", async (t) => {
  const [from, to] = [await borrowTestDatabase(t), await openTestDatabase(t)];
  const isSame = async (manifest: object) => {
    await clearDeclared(from.pool);
    await clearDeclared(to.pool);
    await applyTexts(from.pool, JSON.stringify(manifest));
    const { text } = await exportManifest(from.pool, { hasSecrets: true });

    await applyTexts(to.pool, text);

    assert.deepEqual(await dumpDeclared(to.pool), await dumpDeclared(from.pool));
    assert.equal((await exportManifest(to.pool, { hasSecrets: true })).text, text);
  };

  await fc.assert(fc.asyncProperty(anyManifest, isSame), { numRuns: ROUNDS });
});

test("an export changes nothing in its own store, not even with --prune", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await applyTexts(pool, WHOLE_MARKET);
  const { text } = await exportManifest(pool, { hasSecrets: false });

  const report = await applyTexts(pool, text, { isPruning: true });

  assert.deepEqual(Object.values(counts(report)), [
    "0/0/1/0",
    "0/0/3/0",
    "0/0/2/0",
    "0/0/6/0",
    "0/0/1/0",
    "0/0/1/0",
    "0/0/1/0",
    "0/0/1/0",
    "0/0/1/0",
  ]);
});

test("an export of an empty store has every kind, so that pruning by it empties another store", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const { text } = await exportManifest(pool, { hasSecrets: false });
  await applyTexts(pool, WHOLE_MARKET.replace(/^fx_rates:[\s\S]*/m, ""));

  await applyTexts(pool, text, { isPruning: true });

  assert.equal((await exportManifest(pool, { hasSecrets: false })).text, text);
});

test("an export has alerts that the API manages, and no system alert", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await applyTexts(pool, WHOLE_MARKET);
  await anAlert(pool, { name: "by hand", managed_by: "api", created_by: "desk" });

  const { text } = await exportManifest(pool, { hasSecrets: false });

  assert.match(text, /name: by hand\n/);
  assert.equal(text.match(/^ {4}strategy: /gm)?.length, 7);
});

test("an export has the state of each configuration's own alert; a manifest without it leaves the state alone", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const { pool: other } = await openTestDatabase(t);
  await applyTexts(pool, WHOLE_MARKET);
  await applyTexts(other, WHOLE_MARKET);
  await pool.execute(sql`update alert set is_enabled = false where is_system`);

  await applyTexts(pool, WHOLE_MARKET);
  const left = await dumpDeclared(pool);
  const { text } = await exportManifest(pool, { hasSecrets: true });
  const report = await applyTexts(other, text);

  assert.ok(left["system alert"]?.every((line) => line.endsWith("false]")));
  assert.deepEqual(await dumpDeclared(other), left);
  assert.equal(
    report.kinds.find(({ kind }) => kind === "configurations")?.changed.length,
    left["system alert"]?.length,
  );
});

test("without its secret, a stored target keeps the secret it has, and a new one is a problem", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await applyTexts(pool, WHOLE_MARKET);
  const { text: secretive } = await exportManifest(pool, { hasSecrets: false });
  const { text: open } = await exportManifest(pool, { hasSecrets: true });
  const [before] = await pool.query(sql`select secret from webhook_target`);

  await applyTexts(pool, secretive.replace("https://example.org/hook", "https://example.org/new"));
  const kept = await pool.query(sql`select secret from webhook_target where url like '%new'`);
  await clearDeclared(pool);
  const problems = await problemsOf(pool, secretive);

  assert.doesNotMatch(secretive, /whsec_/);
  assert.match(open, /secret: whsec_MDEy/);
  assert.deepEqual(kept, [before]);
  assert.equal(problems.length, 1);
  assert.match(
    problems[0] ?? "",
    /^a.yaml:\d+: webhooks\[0\]\.secret: is required for a target of the kind standard$/,
  );
});
