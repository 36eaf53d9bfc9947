import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { MINUTE_MS } from "../../src/base/clock.ts";
import type { Database } from "../../src/db/database.ts";
import { takeLock } from "../../src/db/locks.ts";
import { beginStep } from "../../src/db/queue.ts";
import { rawSql, sql } from "../../src/db/sql.ts";
import { rebuildMembers } from "../../src/matching/rebuild-members.ts";
import { groupIdOf } from "../../src/messages/message.ts";
import { queueGroupMessages } from "../../src/pipeline/steps.ts";
import { process } from "../support/drain.ts";
import { aListingWith, insertListings } from "../support/listings.ts";
import { applyTexts, counts, problemsOf, WHOLE_MARKET } from "../support/manifest.ts";
import { aGroup, aMatch, aSession } from "../support/rows.ts";
import { borrowTestApp, borrowTestDatabase } from "../support/shared-store.ts";
import { createTestClock, NOW_MS, until } from "../support/test-app.ts";
import { aMessageEvent } from "../support/waha.ts";

const TABLES = [
  "price_profile",
  "market_view",
  "price_configuration",
  "alert",
  "webhook_target",
  "messaging_session",
  "market_group",
  "group_preset",
  "fx_rate",
  "saved_filter",
  "listing_model",
  "refresh_queue",
  "message_queue",
];

/** Every row that apply writes, as text. */
async function dump(db: Database): Promise<Readonly<Record<string, readonly string[]>>> {
  const entries = await Promise.all(
    TABLES.map(async (table) => {
      const rows = await db.query<{ line: string }>(sql`
        select to_jsonb(row)::text as line from ${rawSql(table)} as row order by 1`);
      return [table, rows.map(({ line }) => line)] as const;
    }),
  );
  return Object.fromEntries(entries);
}

test("applying a manifest a second time changes nothing, not even timestamps", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const clock = createTestClock();

  const first = await applyTexts(pool, WHOLE_MARKET, { clock });
  const before = await dump(pool);
  clock.advance(MINUTE_MS);
  const second = await applyTexts(pool, WHOLE_MARKET, { clock });

  assert.deepEqual(counts(first), {
    profiles: "1/0/0/0",
    views: "3/0/0/0",
    configurations: "2/0/0/0",
    alerts: "6/0/0/0",
    webhooks: "1/0/0/0",
    sessions: "1/0/0/0",
    groups: "1/0/0/0",
    group_presets: "1/0/0/0",
    fx_rates: "1/0/0/0",
  });
  assert.deepEqual(counts(second), {
    profiles: "0/0/1/0",
    views: "0/0/3/0",
    configurations: "0/0/2/0",
    alerts: "0/0/6/0",
    webhooks: "0/0/1/0",
    sessions: "0/0/1/0",
    groups: "0/0/1/0",
    group_presets: "0/0/1/0",
    fx_rates: "0/0/1/0",
  });
  assert.deepEqual(await dump(pool), before);
});

test("a dry run reports what would change and changes nothing", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const empty = await dump(pool);

  const report = await applyTexts(pool, WHOLE_MARKET, { isDryRun: true });

  assert.equal(counts(report)["alerts"], "6/0/0/0");
  assert.equal(counts(report)["fx_rates"], "1/0/0/0");
  assert.deepEqual(await dump(pool), empty);
});

test("profiles have the defaults of price-engine.v1", async (t) => {
  const { pool } = await borrowTestDatabase(t);

  await applyTexts(pool, "profiles: [{name: plain}]");

  const [row] = await pool.query(sql`select * from price_profile`);
  const { id, ...rest } = row ?? {};
  assert.match(String(id), /^[0-9a-f-]{36}$/);
  assert.deepEqual(rest, {
    name: "plain",
    status: "shadow",
    lookback_days: 30,
    minimum_listings: 3,
    minimum_profit_eur_minor: 50_000,
    hk_markup_rate_bps: 500,
    hk_markup_fixed_eur_minor: 15_000,
    consumer_low_quantile_bps: 2_500,
    consumer_high_quantile_bps: 7_500,
    consumer_margin_bps: 1_000,
    sets: "any",
    implausible_below_bps: 5_000,
    implausible_above_bps: 30_000,
    stale_after_ms: 21_600_000,
    created_at_ms: NOW_MS,
    updated_at_ms: NOW_MS,
    managed_by: "manifest",
    created_by: "apply",
    updated_by: "apply",
    created_hash: null,
  });
});

test("a change of the bounds of suspect asks is stored and queues the configurations of the profile", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const declare = (belowBps: number) =>
    applyTexts(
      pool,
      `profiles: [{name: p, implausible_below_bps: ${belowBps}, implausible_above_bps: 25000}]
configurations: [{profile: p, brand: Rolex, reference: 126610LN}]`,
    );
  await declare(4_000);
  await pool.execute(sql`delete from refresh_queue`);

  const again = await declare(4_000);
  const unqueued = await pool.query(sql`select from refresh_queue`);
  const changed = await declare(0);

  const [row] = await pool.query(sql`
    select implausible_below_bps as below, implausible_above_bps as above from price_profile`);
  assert.equal(counts(again)["profiles"], "0/0/1/0");
  assert.equal(unqueued.length, 0);
  assert.equal(counts(changed)["profiles"], "0/1/0/0");
  assert.deepEqual({ ...row }, { below: 0, above: 25_000 });
  assert.equal((await pool.query(sql`select from refresh_queue`)).length, 1);
});

test("a configuration gets a readable key, normalized members, a summary, a queue entry and its own alert", async (t) => {
  const { call, db } = await borrowTestApp(t);
  await applyTexts(db, WHOLE_MARKET);

  const [row] = await db.query(sql`
    select id from price_configuration where configuration_key = 'rolex:126500LN:white'`);
  const { body } = await call("GET", `/v2/market/price-engine/configurations/${row?.["id"]}/cells`);
  const alerts = await call("GET", "/v2/alerts");
  const queued = await db.query(sql`select configuration_id from refresh_queue`);

  const { id, profile_id, ...rest } = body.configuration;
  assert.deepEqual(rest, {
    brand: "Rolex",
    brand_lower: "rolex",
    reference: "126500LN",
    reference_normalized: "126500LN",
    market_reference_normalized: "126500LN",
    filters: { dial_type: ["White"], year: { gte: 2023 } },
    filter_summary: "year from 2023, dial White",
    minimum_profit_overrides: [{ year: 2023, condition_bucket: "new", amount_eur_minor: 100_000 }],
    exclude_outliers: true,
    publish_enabled: false,
    buy_signals_enabled: true,
    available_years: [],
    cell_status: "pending",
    is_stale: true,
    updated_at_ms: NOW_MS,
    configuration_key: "rolex:126500LN:white",
    configuration_label: "Daytona white",
    image_url: "https://example.org/daytona.jpg",
  });
  const own = alerts.body.items.find((alert: { name: string }) => alert.name === "Daytona white");
  assert.deepEqual(own, {
    id: own.id,
    name: "Daytona white",
    enabled: true,
    filters: { configuration_ids: [id] },
    strategy: "price_engine",
    is_system: true,
    managed_by: "price_engine",
    created_by: "price_engine",
    updated_by: "price_engine",
    created_at_ms: NOW_MS,
    updated_at_ms: NOW_MS,
  });
  assert.equal(queued.length, 2);
});

test("the manifest manages the alerts of users, and they refer to configurations and views by id", async (t) => {
  const { call, db } = await borrowTestApp(t);
  await applyTexts(db, WHOLE_MARKET);
  const [view] = await db.query(sql`select id from market_view where name = 'mine'`);
  const [configuration] = await db.query(sql`
    select id from price_configuration where configuration_key = 'rolex:126500LN:white'`);

  const { body } = await call("GET", "/v2/alerts");

  const find = (name: string) => body.items.find((alert: { name: string }) => alert.name === name);
  const { id, ...cheap } = find("cheap");
  assert.deepEqual(cheap, {
    name: "cheap",
    enabled: true,
    filters: { brand: ["Rolex"], price: { lte: 900_000 } },
    strategy: "market_filter",
    is_system: false,
    view_id: view?.["id"],
    managed_by: "manifest",
    created_by: "apply",
    updated_by: "apply",
    created_at_ms: NOW_MS,
    updated_at_ms: NOW_MS,
  });
  assert.deepEqual(find("new buys").filters, {
    condition: ["NEW"],
    configuration_ids: [configuration?.["id"]],
  });
  assert.equal(find("new buys").created_by, "lena");
  assert.equal(find("off").enabled, false);
});

test("saved filters exist for configurations, source views and enabled alerts, including the view of an alert", async (t) => {
  const { pool } = await borrowTestDatabase(t);

  await applyTexts(pool, WHOLE_MARKET);

  const rows = await pool.query(sql`
    select owner_kind, coalesce(alert.name, view.name, configuration_key) collate "C" as name, saved.filters, reads_duplicates
      from saved_filter as saved
      left join alert on alert.id = owner_id
      left join market_view as view on view.id = owner_id
      left join price_configuration as configuration on configuration.id = owner_id
     order by 1, 2`);
  const [configuration] = await pool.query(sql`
    select id from price_configuration where configuration_key = 'rolex:126500LN:white'`);
  assert.deepEqual(
    rows.map((row) => [row["owner_kind"], row["name"], row["filters"], row["reads_duplicates"]]),
    [
      [
        "alert",
        "cheap",
        [{ brand: ["Rolex"], price: { lte: 900_000 } }, { group_names: ["EU Dealers"] }],
        false,
      ],
      [
        "configuration",
        "rolex:126500LN:white",
        [
          { side: ["for_sale"], brand: ["Rolex"], reference: ["126500 LN"] },
          { dial_type: ["White"], year: { gte: 2023 } },
        ],
        true,
      ],
      [
        "configuration",
        "rolex:126610LN",
        [{ side: ["for_sale"], brand: ["Rolex"], reference: ["126610LN"] }, {}],
        true,
      ],
      ["message_alert", "wanted", [{ resource: "messages", q: "wtb" }], false],
      [
        "price_alert",
        "new buys",
        [{ condition: ["NEW"], configuration_ids: [configuration?.["id"]] }],
        false,
      ],
      ["view_eu", "EU", [{ country_codes: { exclude: ["852"] } }], true],
      ["view_hk", "HK", [{ country_codes: { include: ["852"] } }], true],
    ],
  );
});

test("a changed view changes the alerts that use it, including those that the file does not declare", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await applyTexts(pool, WHOLE_MARKET);

  await applyTexts(pool, "views: [{name: mine, filters: {group_names: [HK Trade]}}]");
  const [changed] = await pool.query<{ filters: object[] }>(
    sql`select filters from saved_filter where owner_kind = 'alert'`,
  );
  await applyTexts(pool, "alerts: [{name: cheap, view: mine, enabled: false}]");
  const disabled = await pool.query(
    sql`select filters from saved_filter where owner_kind = 'alert'`,
  );
  await applyTexts(pool, "alerts: [{name: cheap, filters: {resource: messages, q: sold}}]");
  const onMessages = await pool.query(sql`
    select owner_kind from saved_filter join alert on alert.id = owner_id where name = 'cheap'`);

  assert.deepEqual(changed?.filters[1], { group_names: ["HK Trade"] });
  assert.equal(disabled.length, 0);
  assert.deepEqual(
    onMessages.map((row) => row["owner_kind"]),
    ["message_alert"],
  );
});

test("listings belong to newly declared configurations at once, through the right source view", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const eu = aListingWith({ phone_number: "31612345678", is_duplicate: true });
  const hk = aListingWith({ phone_number: "85291234567" });
  const hidden = aListingWith({ is_hidden: true });
  const wanted = aListingWith({ side: "want_to_buy" });
  await insertListings(pool, [eu, hk, hidden, wanted]);
  const members = async () => {
    const rows = await pool.query(sql`
      select listing_id, source_market from listing_model join price_configuration on id = configuration_id
       where configuration_key = 'rolex:126610LN' order by source_market`);
    return rows.map((row) => [row["listing_id"], row["source_market"]]);
  };

  await applyTexts(pool, WHOLE_MARKET);
  const both = await members();
  await pool.execute(sql`delete from refresh_queue`);
  await applyTexts(pool, "views: [{name: HK, filters: {country_codes: {include: ['852']}}}]");
  const onlyEu = await members();
  const queuedByView = await pool.query(sql`select from refresh_queue`);
  await applyTexts(
    pool,
    "configurations: [{profile: default, brand: Rolex, reference: 126610LN, filters: {years: [1999]}}]",
  );

  assert.deepEqual(both, [
    [eu.id, "EU"],
    [hk.id, "HK"],
  ]);
  assert.deepEqual(onlyEu, [[eu.id, "EU"]]);
  assert.equal(queuedByView.length, 2);
  assert.deepEqual(await members(), []);
});

test("renaming a group moves its listings between markets", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const group = (name: string) => `groups: [{gateway_group_id: 120363@g.us, name: ${name}}]`;
  await insertListings(pool, [aListingWith({ group_ids: [groupIdOf("120363@g.us")] })]);
  await applyTexts(pool, [
    group("Kowloon"),
    "views: [{name: HK, source_market: HK, filters: {group_names: [HK Trade]}}]",
    "profiles: [{name: p}]\nconfigurations: [{profile: p, brand: Rolex, reference: 126610LN}]",
  ]);
  const before = await pool.query(sql`select source_market from listing_model`);

  await applyTexts(pool, group("HK trade"));

  assert.equal(before.length, 0);
  const after = await pool.query(sql`select source_market from listing_model`);
  assert.deepEqual(
    after.map((row) => row["source_market"]),
    ["HK"],
  );
});

test("changing a rule of a profile marks its configurations as stale and queues them; renaming it does not", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const clock = createTestClock();
  const id = "00000000-0000-4000-8000-000000000001";
  await applyTexts(pool, [
    `profiles: [{name: p, id: ${id}}, {name: q}]`,
    "configurations: [{profile: p, brand: a, reference: A1}, {profile: q, brand: b, reference: B1}]",
  ]);
  const touched = async () => {
    const rows = await pool.query(sql`
      select configuration_key from price_configuration
       where updated_at_ms > ${NOW_MS} and id in (select configuration_id from refresh_queue)`);
    return rows.map((row) => row["configuration_key"]);
  };
  await pool.execute(sql`delete from refresh_queue`);
  clock.advance(1000);

  await applyTexts(pool, `profiles: [{name: renamed, id: ${id}}]`, { clock });
  const byName = await touched();
  await applyTexts(pool, `profiles: [{name: renamed, id: ${id}, lookback_days: 7}]`, { clock });

  assert.deepEqual(byName, []);
  assert.deepEqual(await touched(), ["a:A1"]);
});

test("pruning deletes undeclared items of the kinds in the files, and keeps items that are in use", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await aGroup(pool, { gateway_name: "not declared" });
  await aSession(pool, { label: "not declared" });
  await applyTexts(pool, WHOLE_MARKET);

  const nothing = await applyTexts(pool, "webhooks: []");
  const report = await applyTexts(
    pool,
    `profiles: []
views: [{name: EU, source_market: EU, filters: {}}]
configurations: [{profile: default, brand: Rolex, reference: 126610LN}]
webhooks: []
alerts: [{name: wanted, filters: {resource: messages, q: wtb}}]
sessions:
groups: []
group_presets: []
fx_rates: []`,
    { isPruning: true },
  );

  assert.deepEqual(counts(nothing), { webhooks: "0/0/0/0" });
  assert.deepEqual(counts(report), {
    profiles: "0/0/0/0",
    views: "0/1/0/2",
    configurations: "0/0/1/1",
    alerts: "0/0/1/5",
    webhooks: "0/0/0/1",
    sessions: "0/0/0/1",
    groups: "0/0/0/1",
    group_presets: "0/0/0/1",
    fx_rates: "0/0/0/0",
  });
  const rows = await dump(pool);
  const lengths = Object.fromEntries(TABLES.map((table) => [table, rows[table]?.length]));
  assert.deepEqual(lengths, {
    price_profile: 1,
    market_view: 1,
    // With the deleted one, which keeps its history, and its system alert, which keeps its matches.
    price_configuration: 2,
    alert: 3,
    webhook_target: 0,
    messaging_session: 2,
    market_group: 2,
    group_preset: 0,
    fx_rate: 1,
    saved_filter: 3,
    listing_model: 0,
    refresh_queue: 1,
    message_queue: 0,
  });
  const [group] = await pool.query(sql`
    select declared_name, default_currency from market_group where gateway_group_id = '120363@g.us'`);
  assert.deepEqual({ ...group }, { declared_name: null, default_currency: null });
});

test("a changed alert keeps its id and matches, and deleting an alert deletes its matches", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await applyTexts(pool, "alerts: [{name: cheap, filters: {brand: [Rolex]}}]");
  const [alert] = await pool.query(sql`select id from alert`);
  await aMatch(pool, { alert_id: alert?.["id"] });

  await applyTexts(pool, "alerts: [{name: cheap, filters: {brand: [Omega]}, enabled: false}]");
  const kept = await pool.query(sql`select from alert_match where alert_id = ${alert?.["id"]}`);
  await applyTexts(pool, "alerts: []", { isPruning: true });

  assert.equal(kept.length, 1);
  assert.equal((await pool.query(sql`select from alert_match`)).length, 0);
});

test("items can declare ids, be renamed by id, and exchange names", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const [one, two] = [1, 2].map((at) => `00000000-0000-4000-8000-00000000000${at}`);
  const views = (names: readonly string[]) =>
    `views: [{id: ${one}, name: ${names[0]}, filters: {}}, {id: ${two}, name: ${names[1]}, filters: {}}]`;
  await applyTexts(pool, views(["left", "right"]));

  const report = await applyTexts(pool, views(["right", "left"]));

  const rows = await pool.query(sql`select id, name from market_view order by id`);
  assert.deepEqual(
    rows.map((row) => [row["id"], row["name"]]),
    [
      [one, "right"],
      [two, "left"],
    ],
  );
  assert.deepEqual(counts(report), { views: "0/2/0/0" });
  // Without an id, the name decides which item is meant.
  const again = await applyTexts(pool, "views: [{name: left, filters: {}}]");
  assert.deepEqual(counts(again), { views: "0/0/1/0" });
});

test("declarations of sessions and groups take precedence, and do not overwrite what the gateway reports", async (t) => {
  const { call, db } = await borrowTestApp(t);
  await process(db, [aMessageEvent({})]);
  const before = (await call("GET", "/v2/sessions")).body.items;
  const name = before[0].gateway_name;

  await applyTexts(
    db,
    `sessions: [{gateway_name: ${name}, role: sending, label: Desk, phone_number: "+31 612345678"}]`,
  );
  const declared = (await call("GET", "/v2/sessions?role=sending")).body.items;
  await applyTexts(db, "sessions: []", { isPruning: true });

  assert.equal(declared[0].label, "Desk");
  assert.equal(declared[0].phone_number, "31612345678");
  assert.deepEqual((await call("GET", "/v2/sessions")).body.items, before);
});

test("changing the name or default currency of a group extracts its messages again, without alerts", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [aMessageEvent({})]);
  const [group] = await pool.query(sql`select gateway_group_id from market_group`);
  const [message] = await pool.query(sql`select id from canonical_message`);
  const declare = async (rest: string) => {
    await applyTexts(pool, `groups: [{gateway_group_id: ${group?.["gateway_group_id"]}, ${rest}}]`);
    await queueGroupMessages(pool, { batchMax: 10 });
    const queued = await pool.query(sql`select canonical_message_id, alert_ms from message_queue`);
    await process(pool, []);
    return queued.map((row) => [row["canonical_message_id"], row["alert_ms"]]);
  };

  const renamed = await declare("name: Somewhere");
  const repriced = await declare("name: Somewhere, default_currency: HKD");
  const repeated = await declare("name: Somewhere, default_currency: HKD");

  assert.deepEqual(renamed, [[message?.["id"], null]]);
  assert.deepEqual(repriced, [[message?.["id"], null]]);
  assert.deepEqual(repeated, []);
});

test("a rate is stored exactly as written, and can be corrected", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const rate = (perEur: string) =>
    `fx_rates: [{date: 2026-11-13, currency: HKD, per_eur: ${perEur}}]`;

  await applyTexts(pool, rate("8.4321000000000000001"));
  const [written] = await pool.query(sql`select per_eur::text from fx_rate`);
  const report = await applyTexts(pool, rate('"8.5"'));

  assert.equal(written?.["per_eur"], "8.4321000000000000001");
  assert.deepEqual(counts(report), { fx_rates: "0/1/0/0" });
});

test("apply waits for the step in progress", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const order: string[] = [];

  const applied = await pool.transaction(async (tx) => {
    await beginStep(tx);
    const applying = applyTexts(pool, WHOLE_MARKET).then(() => order.push("apply"));
    await until(async () => {
      const waiting = await tx.query(sql`select from pg_locks join pg_database on oid = database
         where locktype = 'advisory' and not granted and datname = current_database()`);
      return waiting.length > 0;
    });
    order.push("step");
    // Wrapped in an object, because a returned promise would be awaited, and this one waits for us.
    return { applying };
  });
  await applied.applying;

  assert.deepEqual(order, ["step", "apply"]);
});

test("files can be applied while messages are processed, and every listing ends in the right configuration", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const events = Array.from({ length: 120 }, (_, at) =>
    aMessageEvent({
      rawId: `RAW${at}`,
      text: `WTS Rolex 126610LN new ${2019 + (at % 6)}, ${9000 + at} EUR`,
    }),
  );
  const market = (year: number) =>
    `profiles: [{name: p}]
views: [{name: EU, source_market: EU, filters: {years: [${year}, 2020]}}]
configurations: [{profile: p, brand: Rolex, reference: 126610LN, filters: {year: {lte: ${year}}}}]`;
  const members = async () =>
    (await pool.query(sql`select listing_id from listing_model order by 1`)).map(
      (row) => row["listing_id"],
    );

  await Promise.all([
    process(pool, events, { batchMax: 5 }),
    ...[2019, 2020, 2021, 2022, 2023].map((year) => applyTexts(pool, market(year))),
  ]);
  await process(pool, []);

  const [messages] = await pool.query(
    sql`select count(*)::integer as count from canonical_message`,
  );
  assert.equal(messages?.["count"], 120);
  const matched = await members();
  await pool.transaction((tx) => rebuildMembers(tx, "all"));
  assert.deepEqual(await members(), matched);
});

test("the example in the documentation can be applied unchanged", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const page = readFileSync("docs/manifest.md", "utf8");
  const [, example = ""] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];

  assert.deepEqual(await problemsOf(pool, example), []);
  const report = await applyTexts(pool, example);

  assert.equal(Object.keys(counts(report)).length, 9);
});

test("a manifest that changes one alert and deletes another can be applied while the first is being muted", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await applyTexts(
    pool,
    "alerts: [{name: A, filters: {brand: [Rolex]}}, {name: B, filters: {brand: [Omega]}}]",
  );

  let applying: Promise<unknown> | undefined;
  await pool.transaction(async (tx) => {
    // As a mute does it: first the lock of matches, then the row of the alert.
    await takeLock(tx, "matches");
    applying = applyTexts(pool, "alerts: [{name: A, filters: {brand: [Tudor]}}]", {
      isPruning: true,
    });
    await until(async () => {
      const rows = await pool.query(sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
      return rows.length > 0;
    });
    await tx.execute(sql`update alert set muted_until_ms = 5 where name = 'A'`);
  });
  await applying;

  const rows = await pool.query<{ name: string; until: number | null; brand: string[] }>(sql`
    select name, muted_until_ms as until, filters -> 'brand' as brand from alert`);
  assert.deepEqual([...rows], [{ name: "A", until: 5, brand: ["Tudor"] }]);
});
