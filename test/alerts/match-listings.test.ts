import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { HOUR_MS } from "../../src/base/clock.ts";
import type { Database } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { deleteSavedFilters } from "../../src/filters/saved-filter-store.ts";
import {
  aLiveAlert,
  arrive,
  aSavedFilter,
  listMiscounted,
  listStoredMatches,
  matchAll,
  queueMatches,
} from "../support/alerts.ts";
import { aListingWith } from "../support/listings.ts";
import {
  aConfiguration,
  aGroup,
  aMatch,
  anAlert,
  insertRows,
  setColumns,
} from "../support/rows.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { NOW_MS } from "../support/test-app.ts";

test("a listing that arrives creates one match for each alert that it fits, with its values", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const fitting = await aLiveAlert(pool, { reference: ["126610ln"], price: { lte: 1_250_000 } });
  await aLiveAlert(pool, { reference: ["126610LN"], price: { lte: 1_249_999 } });
  await aSavedFilter(pool, "view_hk", randomUUID(), { country_codes: { include: ["44"] } });
  const listing = aListingWith({ condition: "LIKE_NEW" });
  await arrive(pool, [listing]);
  await pool.execute(
    sql`update listing set brand = 'Rolex', reference = '126610 LN' where id = ${listing.id}`,
  );

  await matchAll(pool);
  await queueMatches(pool, "watch_listing", [listing.id]);
  await matchAll(pool);

  const matches = await listStoredMatches(pool);
  assert.deepEqual(
    matches.map(({ sequence: _, ...match }) => match),
    [
      {
        alert_id: fitting,
        resource: "watch_listing",
        resource_id: listing.id,
        listing_id: listing.id,
        canonical_message_id: listing.canonical_message_id,
        matched_at_ms: NOW_MS,
        seen_at_ms: null,
        headline: null,
        match_context: {
          strategy: "market_filter",
          original_ask_eur_minor: 1_250_000,
          year: 2023,
          condition_bucket: "like_new",
          brand: "rolex",
          reference: "126610 LN",
          source_market: "HK",
        },
        is_outward: true,
      },
    ],
  );
  assert.deepEqual(await listMiscounted(pool), []);
});

test("values that a listing does not have are left out of its match", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await aLiveAlert(pool, {});
  const listing = aListingWith({
    reference: null,
    year: null,
    condition: null,
    price_amount_minor: null,
    price_currency: null,
    price_eur_minor: null,
  });

  await arrive(pool, [listing]);
  await matchAll(pool);

  const [match] = await listStoredMatches(pool);
  assert.deepEqual(match?.match_context, { strategy: "market_filter" });
});

test("late, imported and replayed listings fire nothing, but are counted for prices", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await aLiveAlert(pool, {});
  const configuration = await aConfiguration(pool);
  await aSavedFilter(pool, "configuration", configuration);
  await aSavedFilter(pool, "view_eu", randomUUID());

  await arrive(pool, [aListingWith()], null);
  await matchAll(pool);

  assert.deepEqual(await listStoredMatches(pool), []);
  assert.equal((await pool.query(sql`select from listing_model`)).length, 1);
  assert.equal((await pool.query(sql`select from refresh_queue`)).length, 1);
  assert.equal((await pool.query(sql`select from fresh_listing`)).length, 0);
});

test("a disabled alert matches nothing, and after it is enabled again only new listings", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const alert = await aLiveAlert(pool, {});
  await pool.execute(sql`update alert set is_enabled = false where id = ${alert}`);
  await deleteSavedFilters(pool, [{ owner_kind: "alert", owner_id: alert }]);
  await arrive(pool, [aListingWith()]);
  await matchAll(pool);
  assert.deepEqual(await listStoredMatches(pool), []);

  await pool.execute(sql`update alert set is_enabled = true where id = ${alert}`);
  await aSavedFilter(pool, "alert", alert);
  await matchAll(pool);
  assert.deepEqual(await listStoredMatches(pool), []);

  const later = aListingWith();
  await arrive(pool, [later]);
  await matchAll(pool);
  assert.deepEqual(
    (await listStoredMatches(pool)).map(({ resource_id }) => resource_id),
    [later.id],
  );
});

test("hidden, revoked and duplicate listings match only the alerts that ask for them", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await aLiveAlert(pool, {});
  const curious = await aLiveAlert(pool, {
    include_hidden: true,
    include_duplicates: true,
    include_revoked: true,
  });

  await arrive(pool, [
    aListingWith({ is_hidden: true }),
    aListingWith({ is_revoked: true }),
    aListingWith({ is_duplicate: true }),
  ]);
  await matchAll(pool);

  const matches = await listStoredMatches(pool);
  assert.deepEqual(new Set(matches.map(({ alert_id }) => alert_id)), new Set([curious]));
  assert.equal(matches.length, 3);
});

test("a listing is a member of the configurations that it fits, EU before HK, and leaves them again", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const [both, other] = [await aConfiguration(pool), await aConfiguration(pool)];
  await aSavedFilter(pool, "configuration", both, { brand: ["Rolex"] });
  await aSavedFilter(pool, "configuration", other, { brand: ["Omega"] });
  await aSavedFilter(pool, "view_eu", randomUUID(), { phone_number: "447700900123" });
  await aSavedFilter(pool, "view_hk", randomUUID());
  const listing = aListingWith({ is_duplicate: true });
  await arrive(pool, [listing]);
  await matchAll(pool);
  assert.deepEqual(await models(pool), [{ configuration_id: both, source_market: "EU" }]);
  assert.deepEqual(await takeRefreshes(pool), [both]);

  await change(pool, listing.id, { phone_number: "85200000000" });
  assert.deepEqual(await models(pool), [{ configuration_id: both, source_market: "HK" }]);
  assert.deepEqual(await takeRefreshes(pool), [both]);

  await change(pool, listing.id, { price_eur_minor: 5 });
  assert.deepEqual(await takeRefreshes(pool), [both]);

  await change(pool, listing.id, { brand_folded: "omega" });
  assert.deepEqual(await models(pool), [{ configuration_id: other, source_market: "HK" }]);
  assert.deepEqual(await takeRefreshes(pool), [both, other].sort());

  await pool.execute(sql`delete from listing where id = ${listing.id}`);
  await queueMatches(pool, "watch_listing", [listing.id], null);
  await matchAll(pool);
  assert.deepEqual(await models(pool), []);
  assert.deepEqual(await takeRefreshes(pool), [other]);
});

test("a listing that matches no source view is a member of no configuration", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await aSavedFilter(pool, "configuration", await aConfiguration(pool));

  await arrive(pool, [aListingWith()]);
  await matchAll(pool);

  assert.deepEqual(await models(pool), []);
  assert.deepEqual(await takeRefreshes(pool), []);
});

test("a listing is fresh for what is left of the alert window, the longest time counts, and expired rows are deleted", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const listing = aListingWith();
  await pool.execute(
    sql`insert into fresh_listing (listing_id, until_ms) values (${randomUUID()}, ${NOW_MS - 1})`,
  );
  await arrive(pool, [listing], 5 * HOUR_MS);
  await matchAll(pool);
  await queueMatches(pool, "watch_listing", [listing.id], HOUR_MS);
  await matchAll(pool);

  assert.deepEqual(
    [...(await pool.query(sql`select listing_id, until_ms from fresh_listing`))],
    [{ listing_id: listing.id, until_ms: NOW_MS + 5 * HOUR_MS }],
  );
});

test("message alerts match messages by text, sender, group and time, and no listing", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const group = await aGroup(pool, { name: "EU Dealers" });
  const contact = randomUUID();
  await pool.execute(
    sql`insert into contact (id, key, phone_number) values (${contact}, 'phone:49', '4915112345678')`,
  );
  const wanted = [
    await aLiveAlert(pool, { q: "daytona" }, "message_alert"),
    await aLiveAlert(pool, { country_codes: { include: ["49"] } }, "message_alert"),
    await aLiveAlert(pool, { group_names: ["eu-dealers"] }, "message_alert"),
    await aLiveAlert(pool, { contact_id: contact, from_ms: NOW_MS }, "message_alert"),
  ];
  await aLiveAlert(pool, { q: "nautilus" }, "message_alert");
  await aLiveAlert(pool, {}, "alert");
  const message = await aStoredMessage(pool, { contact_id: contact, group_ids: `{${group}}` });
  const own = await aStoredMessage(pool, { is_own: true });
  const late = await aStoredMessage(pool);
  await arrive(pool, [], null);
  await queueMatches(pool, "message", [message, own]);
  await queueMatches(pool, "message", [late], null);

  await matchAll(pool);

  const matches = await listStoredMatches(pool);
  assert.deepEqual(matches.map(({ alert_id }) => alert_id).sort(), wanted.toSorted());
  const [first] = matches;
  assert.deepEqual(
    { ...first, alert_id: "", sequence: 0 },
    {
      alert_id: "",
      resource: "message",
      resource_id: message,
      listing_id: null,
      canonical_message_id: message,
      matched_at_ms: NOW_MS,
      headline: null,
      seen_at_ms: null,
      match_context: { strategy: "market_filter" },
      is_outward: true,
      sequence: 0,
    },
  );
});

test("the matches of a merged listing move with it: of two the earlier stays, seen if either was", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const [alone, rival, later] = [await anAlert(pool), await anAlert(pool), await anAlert(pool)];
  const [old, older, current] = [randomUUID(), randomUUID(), aListingWith()];
  await arrive(pool, [current], null);
  await aMatch(pool, { alert_id: alone, resource_id: old, matched_at_ms: 7 });
  await aMatch(pool, { alert_id: rival, resource_id: old, matched_at_ms: 5, seen_at_ms: 100 });
  await aMatch(pool, { alert_id: rival, resource_id: older, matched_at_ms: 4, seen_at_ms: 90 });
  await aMatch(pool, { alert_id: rival, resource_id: current.id, matched_at_ms: 6 });
  await aMatch(pool, { alert_id: later, resource_id: old, matched_at_ms: 9, seen_at_ms: 80 });
  await aMatch(pool, { alert_id: later, resource_id: current.id, matched_at_ms: 8 });
  for (const id of [old, older]) {
    await pool.execute(
      sql`insert into listing_alias (old_id, listing_id) values (${id}, ${current.id})`,
    );
  }
  await queueMatches(pool, "watch_listing", [old, older], null);

  await matchAll(pool);
  await queueMatches(pool, "watch_listing", [old, older], null);
  await matchAll(pool);

  const matches = await listStoredMatches(pool);
  assert.deepEqual(
    new Map(matches.map((match) => [match.alert_id, [match.matched_at_ms, match.seen_at_ms]])),
    new Map([
      [alone, [7, null]],
      [rival, [4, 90]],
      [later, [8, 80]],
    ]),
  );
  for (const match of matches) {
    assert.equal(match.resource_id, current.id);
    assert.equal(match.listing_id, current.id);
    assert.equal(match.canonical_message_id, current.canonical_message_id);
  }
  assert.deepEqual(await listMiscounted(pool), []);
});

test("the matches of a merged message move with it", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const alert = await anAlert(pool);
  const [old, current] = [randomUUID(), await aStoredMessage(pool)];
  await aMatch(pool, { alert_id: alert, resource: "message", resource_id: old, listing_id: null });
  await pool.execute(
    sql`insert into message_alias (old_id, canonical_message_id) values (${old}, ${current})`,
  );

  await matchAll(pool);

  const [match] = await listStoredMatches(pool);
  assert.equal(match?.resource_id, current);
  assert.equal(match?.canonical_message_id, current);
});

test("a listing that was merged before it was matched fires under its new id", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const alert = await aLiveAlert(pool);
  const [old, current] = [randomUUID(), aListingWith()];
  await arrive(pool, [current], null);
  await matchAll(pool);
  await pool.execute(
    sql`insert into listing_alias (old_id, listing_id) values (${old}, ${current.id})`,
  );
  await pool.execute(
    sql`insert into fresh_listing (listing_id, until_ms) values (${old}, ${NOW_MS + 9 * HOUR_MS})`,
  );
  await queueMatches(pool, "watch_listing", [old], HOUR_MS);

  await matchAll(pool);

  assert.deepEqual(
    (await listStoredMatches(pool)).map((match) => [match.alert_id, match.resource_id]),
    [[alert, current.id]],
  );
  assert.deepEqual(
    [...(await pool.query(sql`select listing_id, until_ms from fresh_listing`))],
    [{ listing_id: current.id, until_ms: NOW_MS + 9 * HOUR_MS }],
  );
});

test("matches of a listing that was deleted before its replacement arrived move when that arrives", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const alert = await anAlert(pool);
  const [old, current] = [randomUUID(), aListingWith()];
  await aMatch(pool, { alert_id: alert, resource_id: old });
  await pool.execute(
    sql`insert into listing_alias (old_id, listing_id) values (${old}, ${current.id})`,
  );
  await queueMatches(pool, "watch_listing", [old], null);
  await matchAll(pool);

  await arrive(pool, [current], null);
  await matchAll(pool);

  assert.deepEqual(
    (await listStoredMatches(pool)).map(({ resource_id }) => resource_id),
    [current.id],
  );
});

test("a stored filter that cannot be read does not stop the others", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await aLiveAlert(pool, { brand: 7 });
  const right = await aLiveAlert(pool);

  await arrive(pool, [aListingWith()]);
  await matchAll(pool);

  assert.deepEqual(
    (await listStoredMatches(pool)).map(({ alert_id }) => alert_id),
    [right],
  );
});

async function change(
  db: Parameters<typeof matchAll>[0],
  id: string,
  columns: Readonly<Record<string, string | number>>,
): Promise<void> {
  await db.execute(sql`update listing set ${setColumns("listing", columns)} where id = ${id}`);
  await queueMatches(db, "watch_listing", [id], null);
  await matchAll(db);
}

async function models(db: Database): Promise<readonly object[]> {
  return [
    ...(await db.query(
      sql`select configuration_id, source_market from listing_model order by configuration_id`,
    )),
  ];
}

async function takeRefreshes(db: Database): Promise<readonly string[]> {
  const rows = await db.query<{ configuration_id: string }>(sql`
    delete from refresh_queue returning configuration_id`);
  return rows.map(({ configuration_id }) => configuration_id).sort();
}

async function aStoredMessage(
  db: Database,
  columns: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const row = {
    id: randomUUID(),
    contact_id: randomUUID(),
    text: "Looking at a Daytona",
    first_seen_at_ms: NOW_MS,
    last_seen_at_ms: NOW_MS,
    occurrence_count: 1,
    ...columns,
  };
  await db.execute(insertRows("canonical_message", [row]));
  return row.id;
}
