import assert from "node:assert/strict";
import { test } from "node:test";
import { createLogger } from "../../src/base/log.ts";
import { listMigrations, type Migration, migrate } from "../../src/db/migrate.ts";
import { sql } from "../../src/db/sql.ts";
import { specificityOf } from "../../src/pricing/configurations/configuration.ts";
import { applyTexts, counts, problemsOf } from "../support/manifest.ts";
import {
  askOf,
  CONFIGURATION,
  CONFIGURATIONS,
  MARKET,
  processAll,
  showCells,
  systemAlert,
} from "../support/pricing.ts";
import { aConfiguration } from "../support/rows.ts";
import { borrowTestApp, borrowTestDatabase } from "../support/shared-store.ts";
import { openTestApp, type TestApp, until } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";

const NAKED = { full_set_status: ["WATCH"] };
const COMPLETE = { full_set_status: ["FULL_SET"] };
const PROFILES = "/v2/market/price-engine/profiles";
const PAPERS = MARKET.replace("{name: p,", "{name: p, sets: papers,");

/**
 * A market with a full set, an ask that says nothing and a watch without papers, which is a buy. Without it the ask that says
 * nothing would be one.
 */
async function aMixedMarket(own: TestApp) {
  await applyTexts(own.db, [MARKET, CONFIGURATION], { clock: own.clock });
  const complete = await askOf(own, 1_500_000, COMPLETE);
  const silent = await askOf(own, 1_100_000);
  const naked = await askOf(own, 700_000, NAKED);
  await processAll(own);
  const [row] = await own.db.query<{ id: string; profile_id: string }>(
    sql`select id, profile_id from price_configuration`,
  );
  return { complete, silent, naked, id: row?.id ?? "", profileId: row?.profile_id ?? "" };
}

async function memberIds({ db }: TestApp): Promise<readonly string[]> {
  const rows = await db.query<{ id: string }>(sql`select listing_id as id from listing_model`);
  return rows.map(({ id }) => id).sort();
}

/** Which sets the matcher applies, by key. */
async function savedSets({ db }: Pick<TestApp, "db">) {
  const rows = await db.query<{ key: string; sets: string | null }>(sql`
    select configuration_key as key, saved.sets
      from saved_filter as saved join price_configuration on id = owner_id order by 1`);
  return Object.fromEntries(rows.map(({ key, sets }) => [key, sets]));
}

async function versionsOf({ db }: Pick<TestApp, "db">) {
  const rows = await db.query(sql`
    select configuration.xmin::text as configuration, saved.xmin::text as saved, revision, since_sequence,
           (select count(*) from refresh_queue) as queued, (select count(*) from saved_filter_change) as logged,
           (select max(sequence) from saved_filter_change) as sequence
      from price_configuration as configuration join saved_filter as saved on owner_id = id order by id`);
  return rows.map((row) => ({ ...row }));
}

for (const by of ["the API", "a manifest"] as const) {
  test(`other sets of a profile by ${by} select the members again and fire nothing for what has arrived`, async (t) => {
    const own = await openTestApp(t);
    const market = await aMixedMarket(own);
    const { matchCount } = await systemAlert(own);
    const change = async (sets: string) => {
      own.clock.advance(1000);
      if (by === "the API") {
        const answer = await own.send("PATCH", `${PROFILES}/${market.profileId}`, { sets });
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        return;
      }
      const text = MARKET.replace("{name: p,", `{name: p, sets: ${sets},`);
      await applyTexts(own.db, text, { clock: own.clock });
    };
    // The API leaves what a manifest manages alone.
    if (by === "the API") await own.db.execute(sql`update price_profile set managed_by = 'api'`);

    await change("papers");
    const stale = await own.call("GET", `${CONFIGURATIONS}/${market.id}/cells`);
    await processAll(own);
    const underPapers = await memberIds(own);
    const cells = await showCells(own.db, market.id);
    const late = await askOf(own, 700_000, NAKED);
    await processAll(own);
    const afterPapers = await systemAlert(own);
    await change("any");
    await processAll(own);
    const afterAny = await systemAlert(own);
    await askOf(own, 700_000, COMPLETE);
    await processAll(own);

    assert.equal(stale.body.configuration.is_stale, true);
    assert.deepEqual(underPapers, [market.complete, market.silent].sort());
    assert.match(cells.join(), /1300000/);
    assert.ok((await memberIds(own)).includes(late));
    assert.deepEqual([matchCount, afterPapers.matchCount, afterAny.matchCount], [1, 1, 1]);
    assert.equal((await systemAlert(own)).matchCount, 2);
  });
}

test("sets that change while a configuration is calculated are in its next prices, and fire nothing", async (t) => {
  const own = await openTestApp(t);
  const market = await aMixedMarket(own);
  await own.db.execute(sql`update price_profile set managed_by = 'api'`);
  await askOf(own, 1_100_000);
  const saving = own.db.transaction(async (tx) => {
    await tx.execute(sql`lock table price_snapshot in exclusive mode`);
    await until(() => isWaiting(own, 1));
    const changing = own.send("PATCH", `${PROFILES}/${market.profileId}`, { sets: "papers" });
    // The change waits for the calculation, or is done before it.
    await Promise.race([changing, until(() => isWaiting(own, 2))]);
    return { changing };
  });
  await processAll(own);
  const { changing } = await saving;
  const answer = await changing;
  await processAll(own);

  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.deepEqual((await memberIds(own)).includes(market.naked), false);
  assert.match((await showCells(own.db, market.id)).join(), /available 3 1233333/);
  assert.equal((await systemAlert(own)).matchCount, 1);
});

async function isWaiting({ db }: TestApp, count: number): Promise<boolean> {
  const waiting = await db.query(sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
  return waiting.length >= count;
}

test("a manifest that does not name sets leaves them as they are, and prices nothing again", async (t) => {
  const own = await openTestApp(t);
  const file = [MARKET, CONFIGURATION];
  await aMixedMarket(own);
  await applyTexts(own.db, [PAPERS, CONFIGURATION.replace("LN}", "LN, sets: complete}")]);
  await processAll(own);
  const before = await versionsOf(own);

  const report = await applyTexts(own.db, file);

  assert.deepEqual(counts(report), {
    profiles: "0/0/1/0",
    views: "0/0/1/0",
    configurations: "0/0/1/0",
  });
  assert.deepEqual(await versionsOf(own), before);
  const [stored] = await own.db.query(sql`
    select profile.sets as profile, configuration.sets as configuration
      from price_profile as profile join price_configuration as configuration on profile_id = profile.id`);
  assert.deepEqual({ ...stored }, { profile: "papers", configuration: "complete" });
});

test("new objects compare any sets; a value of the configuration goes before that of its profile, its own filter before both", async (t) => {
  const { pool: db } = await borrowTestDatabase(t);
  const rows = (sets: string) => `
profiles: [{name: p, sets: ${sets}}, {name: plain}]
configurations:
  - {configuration_key: follows, profile: p, brand: Rolex, reference: A1}
  - {configuration_key: own, profile: p, brand: Rolex, reference: A1, sets: complete}
  - {configuration_key: open, profile: p, brand: Rolex, reference: A1, sets: any}
  - {configuration_key: asks, profile: p, brand: Rolex, reference: A1, sets: papers, filters: {full_set_options: [WATCH]}}
  - {configuration_key: asks-nothing, profile: p, brand: Rolex, reference: A1, filters: {full_set_status: []}}
  - {configuration_key: plain, profile: plain, brand: Rolex, reference: A1}`;
  const unchanging = { own: "complete", open: null, asks: null, plain: null };

  await applyTexts(db, rows("papers"));
  const first = await savedSets({ db });
  const touchedBefore = await db.query(sql`
    select configuration_key, updated_at_ms from price_configuration
     where configuration_key in ('own', 'open', 'asks', 'plain') order by 1`);
  await applyTexts(db, "profiles: [{name: p, sets: complete}]");

  assert.deepEqual(first, { ...unchanging, follows: "papers", "asks-nothing": "papers" });
  assert.deepEqual(await savedSets({ db }), {
    ...unchanging,
    follows: "complete",
    "asks-nothing": "complete",
  });
  const touchedAfter = await db.query(sql`
    select configuration_key, updated_at_ms from price_configuration
     where configuration_key in ('own', 'open', 'asks', 'plain') order by 1`);
  assert.deepEqual([...touchedAfter], [...touchedBefore]);
});

test("a configuration that moves to another profile compares the sets of that one", async (t) => {
  const { pool: db } = await borrowTestDatabase(t);
  const profiles = "profiles: [{name: p}, {name: q, sets: papers}]";
  await applyTexts(db, [profiles, CONFIGURATION]);
  const before = await savedSets({ db });

  await applyTexts(db, CONFIGURATION.replace("profile: p", "profile: q"));

  assert.deepEqual(
    [before, await savedSets({ db })],
    [{ "rolex:126610LN": null }, { "rolex:126610LN": "papers" }],
  );
});

test("sets that no profile knows are refused with those that there are", async (t) => {
  const own = await borrowTestApp(t);

  const inFile = await problemsOf(
    own.db,
    "profiles: [{name: p, sets: box}]\nconfigurations: [{profile: p, brand: R, reference: A1, sets: all}]",
  );
  const inApi = await own.send("POST", PROFILES, { name: "x", sets: "box" });

  assert.deepEqual(inFile, [
    "a.yaml:1: profiles[0].sets: must be one of any, papers, complete",
    "a.yaml:2: configurations[0].sets: must be one of any, papers, complete",
  ]);
  assert.equal(inApi.status, 400);
  assert.match(JSON.stringify(inApi.body), /any.*papers.*complete/);
});

test("the history marks changes of the sets that are compared, and not what a configuration begins with", async (t) => {
  const own = await openTestApp(t);
  const { id } = await aMixedMarket(own);
  const times: number[] = [];
  const change = async (text: string) => {
    own.clock.advance(60_000);
    times.push(own.clock.nowMs());
    await applyTexts(own.db, text, { clock: own.clock });
    await processAll(own);
  };
  await change(PAPERS);
  await change(CONFIGURATION.replace("LN}", "LN, sets: complete}"));
  await change(CONFIGURATION.replace("LN}", "LN, label: same sets}"));
  await change("configurations: [{profile: p, brand: Tudor, reference: 79360N}]");

  const url = (of: string, more = "") =>
    `${CONFIGURATIONS}/${of}/history?year=2023&condition_bucket=new${more}`;
  const { body } = await own.call("GET", url(id));
  const later = await own.call("GET", url(id, `&from_ms=${times[1]}`));
  const [tudor] = await own.db.query<{ id: string }>(
    sql`select id from price_configuration where brand = 'Tudor'`,
  );
  const fresh = await own.call("GET", url(tudor?.id ?? ""));

  const marks = [
    { at_ms: times[0], kind: "sets", from: "any", to: "papers" },
    { at_ms: times[1], kind: "sets", from: "papers", to: "complete" },
  ];
  assert.deepEqual(body.marks, marks);
  assert.ok(body.items.length > 0);
  assert.deepEqual(later.body.marks, marks.slice(1));
  assert.deepEqual(fresh.body, { items: [], total: 0, marks: [] });
});

test("a revived configuration marks other sets than it had, because its history goes on", async (t) => {
  const own = await openTestApp(t);
  const { id } = await aMixedMarket(own);
  await applyTexts(own.db, "configurations: []", { isPruning: true, clock: own.clock });
  own.clock.advance(60_000);

  await applyTexts(own.db, [PAPERS, CONFIGURATION], { clock: own.clock });

  const url = `${CONFIGURATIONS}/${id}/history?year=2023&condition_bucket=new`;
  const { body } = await own.call("GET", url);
  assert.deepEqual(body.marks, [
    { at_ms: own.clock.nowMs(), kind: "sets", from: "any", to: "papers" },
  ]);
});

test("explain shows that a listing is left out by its set, and a preview leaves it out", async (t) => {
  const own = await openTestApp(t);
  const { naked } = await aMixedMarket(own);
  await applyTexts(own.db, PAPERS, { clock: own.clock });
  await processAll(own);
  const preview = async (given: object) => {
    const body = { profile: "p", brand: "Rolex", reference: "126610LN", ...given };
    const answer = await own.send("POST", `${CONFIGURATIONS}/preview`, body);
    return answer.body.items.map((cell: { listing_count: number }) => cell.listing_count);
  };

  const explained = await own.call("GET", `/v2/market/listings/${naked}/explain`);

  const [configuration] = explained.body.configurations;
  assert.equal(configuration.is_match, false);
  assert.deepEqual(configuration.failures, [
    { member: "sets", expected: "FULL_SET or WATCH_AND_CARD, or nothing said", actual: "WATCH" },
  ]);
  assert.deepEqual(await preview({}), [2]);
  assert.deepEqual(await preview({ sets: "any" }), [3]);
  assert.deepEqual(await preview({ sets: "complete" }), [2]);
  assert.deepEqual(await preview({ filters: { full_set_status: ["WATCH"] } }), [1]);
});

test("the declaration of a configuration has its sets, and neither filters nor the objects of the contract do", async (t) => {
  const own = await openTestApp(t);
  const { id, complete } = await aMixedMarket(own);
  await applyTexts(own.db, CONFIGURATION.replace("LN}", "LN, sets: complete}"));
  await processAll(own);

  const declared = await own.call("GET", `${CONFIGURATIONS}/${id}`);
  const cells = await own.call("GET", `${CONFIGURATIONS}/${id}/cells`);
  const priced = await own.call("GET", `/v2/market/listings/${complete}/price-engine`);
  const list = await own.call("GET", CONFIGURATIONS);

  assert.equal(declared.body.sets, "complete");
  assert.deepEqual(declared.body.filters, {});
  assert.equal(priced.body.items.length, 1);
  for (const { body } of [cells, priced, list]) {
    assert.doesNotMatch(JSON.stringify(body), /"sets"|"specificity"/);
  }
});

const SPECIFICITIES: readonly (readonly [filters: object, specificity: number])[] = [
  [{}, 0],
  [{ dial_type: [], variants: null, full_set_status: "" }, 0],
  [{ condition: ["NEW"], year: { gte: 2020 }, group_names: ["a"] }, 0],
  [{ dial_type: ["white"] }, 1],
  [{ dial_type: ["white"], dial_types: ["white", "black"] }, 1],
  [{ variants: ["jubilee"], full_set_options: ["WATCH"] }, 2],
  [{ dial_types: ["white"], variant: ["jubilee"], full_set_status: ["WATCH"] }, 3],
];

test("specificity counts dial, variant and set once each, when a configuration is saved", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const rows = SPECIFICITIES.map(
    ([filters], at) =>
      `{configuration_key: "k${at}", profile: p, brand: Rolex, reference: A1, filters: ${JSON.stringify(filters)}}`,
  );

  await applyTexts(pool, `profiles: [{name: p}]\nconfigurations: [${rows.join(", ")}]`);

  const stored = await pool.query<{ specificity: number }>(
    sql`select specificity from price_configuration order by configuration_key`,
  );
  const expected = SPECIFICITIES.map(([, specificity]) => specificity);
  assert.deepEqual(
    stored.map(({ specificity }) => specificity),
    expected,
  );
});

test("stored configurations get their specificity by the migration, and are not stale because of it", async (t) => {
  const { pool } = await openTestDatabase(t, { template: "template0" });
  const log = createLogger("silent");
  const isBefore = ({ version }: Migration) => version < 47;
  await migrate(pool, log, listMigrations().filter(isBefore));
  for (const [position, [filters]] of SPECIFICITIES.entries()) {
    await aConfiguration(pool, { configuration_key: `k${position}`, filters });
  }
  const before = await pool.query(sql`select id, revision from price_configuration order by 1`);

  await migrate(pool, log);

  const stored = await pool.query<{ specificity: number; filters: Record<string, unknown> }>(
    sql`select specificity, filters from price_configuration order by configuration_key`,
  );
  assert.deepEqual(
    stored.map(({ specificity }) => specificity),
    SPECIFICITIES.map(([filters]) => specificityOf(filters as Record<string, unknown>)),
  );
  assert.deepEqual(
    [...(await pool.query(sql`select id, revision from price_configuration order by 1`))],
    [...before],
  );
});
