import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/db/sql.ts";
import { suggest } from "../../src/manifest/problem.ts";
import { applyTexts, counts, problemsOf, WHOLE_MARKET } from "../support/manifest.ts";
import { anAlert } from "../support/rows.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";

test("every problem of every file is reported at once, with file, line and member, and nothing is applied", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const files = [
    `profiles:
  - name: other
    lookback_day: 3
    hk_markup: {rate: 5, fixed_eur_minor: x}
    consumer_range: {low_quantile_bps: 8000}
  - lookback_days: 0
    implausible_below_bps: 10001
    implausible_above_bps: 9999
view:
  - name: x
`,
    `configurations:
  - profile: othre
    brand: Rolex
    reference: 116610
  - profile: other
    brand: "!!"
    reference: A1
    filters:
      year: {gte: x}
      condition: [NEW, NEWISH]
    minimum_profit_overrides:
      - {year: 2020, condition_bucket: new, amount_eur_minor: 1}
      - {year: 2020, condition_bucket: new, amount_eur_minor: 2}
---
alerts:
  - {name: a, view: nowhere, filters: {resource: messages, brand: [Rolex]}}
  - name: a
webhooks:
  - {name: w, url: "ftp://x", secret: whsec_short, alerts: [zzz]}
`,
  ];

  const problems = await problemsOf(pool, files);

  assert.deepEqual(problems, [
    'a.yaml:3: profiles[0].lookback_day: is not a member here; did you mean "lookback_days"?',
    'a.yaml:4: profiles[0].hk_markup.rate: is not a member here; did you mean "rate_bps"?',
    "a.yaml:4: profiles[0].hk_markup.fixed_eur_minor: must be integer",
    "a.yaml:5: profiles[0].consumer_range: low_quantile_bps is above high_quantile_bps",
    "a.yaml:6: profiles[1]: name is missing",
    "a.yaml:6: profiles[1].lookback_days: must be >= 1",
    "a.yaml:7: profiles[1].implausible_below_bps: must be <= 10000",
    "a.yaml:8: profiles[1].implausible_above_bps: must be >= 10000",
    'a.yaml:9: view: is not a kind that can be declared; did you mean "views"?',
    'b.yaml:2: configurations[0].profile: there is no profile "othre"; did you mean "other"?',
    "b.yaml:4: configurations[0].reference: must be text: put it in quotes",
    "b.yaml:6: configurations[1].brand: must contain a letter or a digit",
    "b.yaml:9: configurations[1].filters.year.gte: must be integer",
    "b.yaml:10: configurations[1].filters.condition[1]: must be one of NEW, LIKE_NEW, USED",
    "b.yaml:13: configurations[1].minimum_profit_overrides[1]: there is already an override for 2020 new",
    'b.yaml:16: alerts[0].view: there is no view "nowhere"',
    "b.yaml:16: alerts[0].filters.brand: does not apply to messages",
    "b.yaml:17: alerts[1].name: the same name is already declared at b.yaml:16: alerts[0]",
    "b.yaml:19: webhooks[0].url: must be an http or https address",
    "b.yaml:19: webhooks[0].secret: must be whsec_ and then 24 to 64 random bytes in base64, such as from: openssl rand -base64 32",
    'b.yaml:19: webhooks[0].alerts[0]: there is no alert "zzz"',
  ]);
  assert.equal((await pool.query(sql`select from price_profile`)).length, 0);
});

/** Manifests with one problem each, and the expected message. */
const WRONG: readonly (readonly [string, RegExp])[] = [
  ["alerts: {name: a}", /^a.yaml:1: alerts: must be a list$/],
  ["alerts: [7]", /alerts\[0\]: must be an object$/],
  ["[1]", /^a.yaml:1: must be an object with profiles, views/],
  ["", /declares nothing/],
  ["# nothing\n", /declares nothing/],
  ["alerts: [{name: a, id: x}]", /alerts\[0\].id: must be a UUID/],
  ["alerts: [{name: ' '}]", /alerts\[0\].name: must not be blank/],
  [`alerts: [{name: ${"x".repeat(121)}}]`, /alerts\[0\].name: must not have more than 120/],
  ["alerts: [{name: a, is_system: true}]", /is_system: is not a member here/],
  ["alerts: [{name: a, filters: [1]}]", /alerts\[0\].filters: must be object/],
  ["alerts: [{name: a, filters: {q: 7}}]", /alerts\[0\].filters.q: must be string/],
  [
    "alerts: [{name: a, filters: {resource: mails}}]",
    /resource: must be one of watch_listings, messages/,
  ],
  [
    "alerts: [{name: a, strategy: price_engine, filters: {resource: messages}}]",
    /filters.resource: must be watch_listings for a price_engine/,
  ],
  [
    "alerts: [{name: a, configurations: [x]}]",
    /alerts\[0\].configurations: works only with the strategy/,
  ],
  [
    "alerts: [{name: a, filters: {configuration_ids: []}}]",
    /configuration_ids: works only with the strategy/,
  ],
  [
    "alerts: [{name: a, strategy: price_engine, configurations: [rolex]}]",
    /configurations\[0\]: there is no configuration "rolex"/,
  ],
  [
    "alerts: [{name: a, strategy: price_engine, filters: {configuration_ids: [7]}}]",
    /filters.configuration_ids\[0\]: there is no configuration with this id/,
  ],
  [
    "alerts: [{name: a, view_id: 00000000-0000-4000-8000-000000000001}]",
    /view_id: there is no view with this id/,
  ],
  [
    "views: [{name: v, filters: {brand: [x]}}]\nalerts: [{name: a, view: v, filters: {resource: messages}}]",
    /^a.yaml:2: alerts\[0\].view: the view uses brand/,
  ],
  ["views: [{name: v}]", /views\[0\]: filters is missing/],
  ["views: [{name: v, filters: {}, source_market: US}]", /source_market: must be one of EU, HK/],
  ["views: [{name: v, filters: {}}, {name: v, filters: {}}]", /views\[1\].name: the same name/],
  [
    "configurations: [{profile: p, brand: Rolex, reference: A1}, {profile: p, brand: ROLEX, reference: a-1}]\nprofiles: [{name: p}]",
    /configurations\[1\].configuration_key: the same configuration_key is already declared at a.yaml:1: configurations\[0\]/,
  ],
  [
    "profiles: [{name: p}]\nconfigurations: [{profile: p, brand: a, reference: b, image_url: 'javascript:1'}]",
    /image_url: must be an http/,
  ],
  [
    "profiles: [{name: p}]\nconfigurations: [{profile: p, brand: a, reference: b, configuration_key: a b}]",
    /configuration_key: must be 1 to 200 characters without spaces/,
  ],
  [
    "sessions: [{gateway_name: s, id: 00000000-0000-4000-8000-000000000001}]",
    /which is derived from the name; leave the id out/,
  ],
  ["sessions: [{gateway_name: s, role: both}]", /role: must be one of receiving, sending/],
  ["sessions: [{gateway_name: s, phone_number: 31612345678}]", /must be a phone number in quotes/],
  [
    "groups: [{gateway_group_id: g, default_currency: eur}]",
    /must be a currency in capital letters/,
  ],
  [
    "group_presets: [{name: p, group_ids: [somewhere]}]",
    /group_ids\[0\]: must be the UUID of a group/,
  ],
  ["fx_rates: [{date: 2026-02-30, currency: USD, per_eur: 1}]", /date: must be a date such as/],
  ["fx_rates: [{date: 2026-02-03, currency: EUR, per_eur: 1}]", /currency: must not be EUR/],
  [
    "fx_rates: [{date: 2026-02-03, currency: USD, per_eur: 1e3}]",
    /per_eur: must be a decimal number above 0/,
  ],
  [
    "fx_rates: [{date: 2026-02-03, currency: USD, per_eur: 0.0}]",
    /per_eur: must be a decimal number above 0/,
  ],
  [
    "fx_rates: [{date: 2026-02-03, currency: USD, per_eur: -1}]",
    /per_eur: must be a decimal number above 0/,
  ],
  ['alerts: [{name: "a\\0"}]', /alerts\[0\].name: must not contain U\+0000/],
  ["alerts: [{name: a, filters: {x: .inf}}]", /filters.x: is not a finite number/],
  ["alerts: [{name: a, name: b}]", /Map keys must be unique/],
  ["alerts: [{name: *nowhere}]", /^a.yaml:1: /],
  ["alerts: [{name: !secret a}]", /Unresolved tag/],
  ["alerts: [{[a]: b}]", /the name of a member must be plain text/],
  ["alerts:\n  - name: a\n b: c", /^a.yaml:3: /],
  ["alerts: [", /^a.yaml:1: /],
];

test("each problem has a clear message at its place", async (t) => {
  const { pool } = await borrowTestDatabase(t);

  for (const [text, expected] of WRONG) {
    const problems = await problemsOf(pool, text);
    assert.ok(
      problems.some((problem) => expected.test(problem)),
      `${text}\n${problems.join("\n")}`,
    );
  }

  assert.equal((await pool.query(sql`select from alert`)).length, 0);
});

test("ids that belong to another item are rejected", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await applyTexts(pool, WHOLE_MARKET);
  const foreign = await anAlert(pool, { managed_by: "price_engine" });
  const [known] = await pool.query(sql`
    select id from price_configuration where configuration_key = 'rolex:126610LN'`);
  const other = "00000000-0000-4000-8000-000000000001";

  const [ofAlert] = await problemsOf(pool, `alerts: [{name: a, id: ${foreign}}]`);
  const [ofKey] = await problemsOf(
    pool,
    `configurations: [{id: ${known?.["id"]}, profile: default, brand: Omega, reference: A311}]`,
  );
  const [ofName] = await problemsOf(pool, `profiles: [{id: ${other}, name: default}]`);

  assert.match(ofAlert ?? "", /alerts\[0\].id: belongs to an alert that cannot be declared/);
  assert.match(
    ofKey ?? "",
    /configurations\[0\].id: belongs to the configuration_key "rolex:126610LN"/,
  );
  assert.match(ofName ?? "", /profiles\[0\].id: this name is already stored with another id/);
});

test("alerts of two configurations with the same label are distinguished by key", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const hook = (alert: string) => `
profiles: [{name: p}]
configurations:
  - {profile: p, brand: a, reference: A1, label: same}
  - {profile: p, brand: a, reference: A2, label: same}
webhooks:
  - {name: w, url: "http://x", secret: whsec_${Buffer.alloc(24, 1).toString("base64")}, alerts: ["${alert}"]}`;

  const [ambiguous] = await problemsOf(pool, hook("same"));

  assert.match(
    ambiguous ?? "",
    /a.yaml:7: webhooks\[0\].alerts\[0\]: 2 alerts have the name "same"/,
  );
  assert.deepEqual(await problemsOf(pool, hook("a:A2")), []);
});

test("a view that a stored alert on messages uses may have only members that apply to messages", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await applyTexts(
    pool,
    "views: [{name: v, filters: {}}]\nalerts: [{name: a, view: v, filters: {resource: messages}}]",
  );

  const problems = await problemsOf(pool, "views: [{name: v, filters: {brand: [Rolex]}}]");

  assert.deepEqual(problems, [
    "a.yaml:1: views[0].filters.brand: does not apply to messages, and an alert on messages uses this view",
  ]);
});

test("a member that no filter uses is stored, with a note that suggests the right name", async (t) => {
  const { pool } = await borrowTestDatabase(t);

  const report = await applyTexts(pool, "alerts:\n  - {name: a, filters: {refrence: [x]}}");

  const [row] = await pool.query(sql`select filters from alert`);
  assert.deepEqual(row?.["filters"], { refrence: ["x"] });
  assert.deepEqual(
    report.notes.map(({ line, text, hint }) => [line, `${text}${hint?.() ?? ""}`]),
    [[2, 'no filter uses this member, so it has no effect; did you mean "reference"?']],
  );
});

test("JSON is read with correct line numbers", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const good = { views: [{ name: "a \u{1F600} / b", filters: { q: "x" } }] };

  const report = await applyTexts(pool, JSON.stringify(good, undefined, "\t"));
  const problems = await problemsOf(
    pool,
    '{\n\t"views": [\n\t\t{"name": 7, "filters": {}}\n\t]\n}',
  );

  assert.deepEqual(counts(report), { views: "1/0/0/0" });
  assert.deepEqual(problems, ["a.yaml:3: views[0].name: must be text: put it in quotes"]);
});

test("aliases are resolved with correct line numbers, and aliases that multiply are rejected quickly", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const shared = `views:
  - name: one
    filters: &common
      brand: [Rolex]
      year: {gte: x}
  - {name: two, filters: *common}
  - {name: three, filters: {year: {lte: 1}}}`;
  const levels = Array.from({ length: 30 }, (_, at) => `&l${at} [${`*l${at - 1}, `.repeat(9)}1]`);
  const bomb = `views:\n  - name: x\n    filters:\n      a: &l-1 [1]\n${levels
    .map((level, at) => `      m${at}: ${level}\n`)
    .join("")}`;

  const problems = await problemsOf(pool, shared);
  const refused = await problemsOf(pool, bomb);
  const deep = await problemsOf(pool, `views: ${"[".repeat(50_000)}`);
  const nested = await problemsOf(pool, `views: ${"[".repeat(200)}${"]".repeat(200)}`);

  assert.deepEqual(problems, [
    "a.yaml:5: views[0].filters.year.gte: must be integer",
    "a.yaml:5: views[1].filters.year.gte: must be integer",
  ]);
  assert.match(refused.join("\n"), /more than 5000000 parts with its aliases expanded/);
  assert.notDeepEqual(deep, []);
  assert.match(nested.join("\n"), /nested too deeply/);
});

test("the most similar known word is suggested, and none if no word is similar", () => {
  const known = ["brand", "reference", "lookback_days"];

  assert.equal(suggest("Refrence", known), '; did you mean "reference"?');
  assert.equal(suggest("lookback", known), '; did you mean "lookback_days"?');
  assert.equal(suggest("price", known), "");
  assert.equal(suggest("x".repeat(10_000), known), "");
});
