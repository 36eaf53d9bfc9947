import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { HOUR_MS } from "../../../src/base/clock.ts";
import { sql } from "../../../src/db/sql.ts";
import { saveRawEvents } from "../../../src/intake/raw-event-store.ts";
import { requestReplay } from "../../../src/pipeline/replay.ts";
import { queueAllRefreshes } from "../../../src/pricing/cells/schedule-store.ts";
import { aLiveAlert } from "../../support/alerts.ts";
import { rawEvent } from "../../support/drain.ts";
import { applyTexts } from "../../support/manifest.ts";
import { processAll } from "../../support/pricing.ts";
import {
  aCell,
  aConfiguration,
  aListing,
  aModel,
  aProfile,
  aSnapshot,
  insertRows,
} from "../../support/rows.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { hearAll, NOW_MS, openTestApp, type TestApp } from "../../support/test-app.ts";
import { aMessageEvent, post } from "../../support/waha.ts";

const MATCHES = "/v2/market/price-engine/matches";

const MARKET = `
profiles:
  - {name: p, status: live, minimum_listings: 2, minimum_profit_eur_minor: 30000, sets: papers}
views:
  - {name: EU, source_market: EU, filters: {country_codes: {include: ["44"]}}}
  - {name: HK, source_market: HK, filters: {country_codes: {include: ["852"]}}}
configurations:
  - {profile: p, brand: Rolex, reference: 126610LN}
  - {profile: p, brand: Rolex, reference: 126610LN, configuration_key: "10", filters: {full_set_status: [FULL_SET]}}
  - {profile: p, brand: Rolex, reference: 126610LN, configuration_key: "9", filters: {full_set_status: [FULL_SET]}}
  - {profile: p, brand: Rolex, reference: 126610LN, configuration_key: w, buy_signals_enabled: false, filters: {full_set_status: [WATCH]}}
`;

const anyPost = fc.record({
  sender: fc
    .constantFrom("44770090012", "85291234567", "97150123456")
    .chain((start) => fc.nat({ max: 4 }).map((end) => `${start.slice(0, -1)}${end}`)),
  ask: fc.constantFrom("EUR 10,000", "EUR 10,600", "HKD 92,000", "USD 12,500", "EGP 400,000", ""),
  rest: fc.constantFrom("2024 new full set", "2024 new", "2024 new watch only", "2023 used", "new"),
  hoursAgo: fc.nat({ max: 40 }),
});

interface Row {
  readonly id: string;
  readonly members: object;
}

/** What a response says of each listing. The members of a price are the same everywhere. */
function toRow(id: string, given: Readonly<Record<string, unknown>>): Row {
  const { headline, price, other_prices, offer_state, post_count, reason, no_buy_reason } = given;
  const said = { headline, price, other_prices, offer_state, post_count, reason, no_buy_reason };
  return { id, members: JSON.parse(JSON.stringify(said)) };
}

async function readAll(app: TestApp) {
  await hearAll(app);
  const all = (await post(app, "/v2/market/listings/search", { include: ["price"], limit: 100 }))
    .body;
  const ids: string[] = all.items.map(({ id }: { id: string }) => id);
  const many = (await post(app, MATCHES, { listing_ids: ids })).body.items;
  const feed = (await post(app, "/v2/market/live-feed/search", { limit: 200 })).body.items;
  const watches = (await app.call("GET", "/v2/alerts/matches?limit=200")).body.items;
  return {
    ids,
    many,
    feed,
    rows: {
      search: all.prices.map((one: { listing_id: string }) => toRow(one.listing_id, { ...one })),
      matches: many.map((one: { listing_id: string }) => toRow(one.listing_id, { ...one })),
      feed: feed.map((one: { listing: { id: string } }) => toRow(one.listing.id, { ...one })),
      watches: watches.map((one: { resource_id: string }) => toRow(one.resource_id, { ...one })),
    } satisfies Record<string, readonly Row[]> as Record<string, readonly Row[]>,
  };
}

test("a listing has one headline, the same in every response, after every refresh and replay", async (t) => {
  const app = await openTestApp(t);
  await applyTexts(app.db, MARKET);
  await aLiveAlert(app.db, { brand: ["Rolex"] });
  const [posts = []] = fc.sample(fc.array(anyPost, { minLength: 40, maxLength: 40 }), 1);
  const events = posts.map(({ sender, ask, rest, hoursAgo }, at) =>
    rawEvent(
      aMessageEvent({
        rawId: `P${at}`,
        text: `126610LN ${rest} ${ask}`,
        atS: (NOW_MS - hoursAgo * HOUR_MS) / 1000,
        sender: { phone: sender, lid: `1999${sender}`, name: sender },
      }),
      { receivedAtMs: NOW_MS },
    ),
  );
  await saveRawEvents(app.db, events, "window");
  await processAll(app);

  const first = await readAll(app);

  const told = JSON.stringify(posts);
  const said = new Map(first.rows["search"]?.map(({ id, members }) => [id, members]));
  assert.ok((first.rows["watches"]?.length ?? 0) > 5, told);
  for (const [name, rows] of Object.entries(first.rows)) {
    for (const { id, members } of rows) assert.deepEqual(members, said.get(id), `${name} ${told}`);
  }
  for (const { listing_id, items, prices, headline, price, other_prices = [] } of first.many) {
    const one = await app.call("GET", `/v2/market/listings/${listing_id}/price-engine`);
    assert.deepEqual(one.body.items, items, told);
    const headlines = prices.filter((own: { is_headline: boolean }) => own.is_headline);
    assert.deepEqual(headlines, price === undefined ? [] : [price]);
    if (headline !== undefined) {
      assert.deepEqual(items[0], headline);
      assert.equal(
        headline.profit_opportunity_eur_minor,
        headline.market_average_eur_minor - price.landed_eur_minor,
      );
    }
    assert.deepEqual([...headlines, ...other_prices], prices);
  }
  for (const { price_engine, headline } of first.feed) assert.deepEqual(price_engine, headline);

  await queueAllRefreshes(app.db, NOW_MS);
  await processAll(app);
  const refreshed = await readAll(app);
  await requestReplay(app.db, { alerting: "never" });
  await processAll(app);
  const replayed = await readAll(app);

  const byId = (rows: readonly Row[] = []) => rows.toSorted((l, r) => (l.id < r.id ? -1 : 1));
  for (const again of [refreshed, replayed]) {
    assert.deepEqual(byId(again.rows["search"]), byId(first.rows["search"]), told);
  }
});

async function describe(app: TestApp, id: string) {
  const { status, body } = await post(app, MATCHES, { listing_ids: [id] });
  assert.equal(status, 200);
  return body.items[0];
}

test("each reason without a price is told, the first that holds", async (t) => {
  const app = await openTestApp(t);
  const ofNew = "{profile: p, brand: Rolex, reference: 116500LN, filters: {condition: [NEW]}}";
  await applyTexts(app.db, `${MARKET}  - ${ofNew}\n`);
  const say = async (text: string, phone = "447700900123") => {
    const event = aMessageEvent({
      rawId: randomUUID(),
      text,
      atS: (NOW_MS - HOUR_MS) / 1000,
      sender: { phone, lid: `1999${phone}`, name: phone },
    });
    await saveRawEvents(app.db, [rawEvent(event)], "window");
    await processAll(app);
    const [row] = await app.db.query<{ id: string }>(
      sql`select id from listing order by sequence desc limit 1`,
    );
    const { reason, no_buy_reason, headline } = await describe(app, row?.id ?? "");
    assert.equal(no_buy_reason, reason, text);
    assert.equal(headline, undefined, text);
    return reason;
  };

  assert.equal(await say("126610LN 2024 new EUR 10,000"), "too_few_asks");
  assert.equal(await say("126500LN 2024 new EUR 27,000"), "no_price_rule");
  assert.equal(await say("126610LN 2024 new EUR 10,000", "971501234567"), "not_a_source_market");
  assert.equal(await say("116500LN 2020 used EUR 24,000", "971501234567"), "no_price_rule");
  assert.equal(await say("126610LN new EUR 10,000"), "no_year");
  assert.equal(await say("126610LN 2024 EUR 10,100"), "no_condition");
  assert.equal(await say("126610LN 2022 new watch and box EUR 9,000"), "set_left_out");
  // Without a rate there is nothing to price.
  assert.equal(await say("126610LN 2024 new EGP 400,000"), undefined);
  assert.equal(await say("WTB 126610LN 2024 new EUR 9,000"), undefined);
});

test("each reason why a watch with a price is no buy is told, and nothing is offered for it", async (t) => {
  const app = await borrowTestApp(t);
  const { db } = app;
  const profile_id = await aProfile(db);
  const priced = async (
    given: { readonly listing?: object; readonly rule?: object; readonly cell?: object } = {},
  ) => {
    const configuration_id = await aConfiguration(db, { profile_id, ...given.rule });
    await aSnapshot(db, configuration_id);
    await aCell(db, {
      configuration_id,
      plausible_min_eur_minor: 520_000,
      plausible_max_eur_minor: 3_120_000,
      ask_median_eur_minor: 1_040_000,
      ...given.cell,
    });
    const listing_id = await aListing(db, { ...given.listing });
    await aModel(db, { listing_id, configuration_id, source_market: "EU" });
    return listing_id;
  };
  const tell = async (given: Parameters<typeof priced>[0]) => {
    const { price, no_buy_reason, reason } = await describe(app, await priced(given));
    return [price?.is_buy, no_buy_reason, price?.offer_up_to?.shown_minor, reason];
  };
  const asks = (minor: number) => ({
    listing: { price_amount_minor: minor, price_eur_minor: minor },
  });

  assert.deepEqual(await tell({}), [true, undefined, 982_000, undefined]);
  assert.deepEqual(await tell(asks(982_001)), [false, "above_maximum", 982_000, undefined]);
  assert.deepEqual(await tell(asks(400_000)), [false, "suspect", undefined, "suspect"]);
  assert.deepEqual(await tell(asks(4_000_000)), [false, "suspect", undefined, "suspect"]);
  assert.deepEqual(await tell({ rule: { buy_signals_enabled: false } }), [
    false,
    "signals_off",
    982_000,
    undefined,
  ]);
  const stale = { last_success_at_ms: NOW_MS - 7 * HOUR_MS };
  const old = await priced();
  await db.execute(sql`
    update price_configuration set last_success_at_ms = ${stale.last_success_at_ms}
     where id = (select configuration_id from listing_model where listing_id = ${old})`);
  assert.equal((await describe(app, old)).no_buy_reason, "stale");
  const worthless = { maximum_buy_eur_minor: 0, maximum_hk_ask_eur_minor: 0 };
  assert.deepEqual(await tell({ cell: worthless }), [false, "above_maximum", undefined, undefined]);
  const replaced = {
    ask_key: randomUUID(),
    first_seen_at_ms: NOW_MS - HOUR_MS,
    last_seen_at_ms: NOW_MS - HOUR_MS,
  };
  await aListing(db, { ...replaced, last_seen_at_ms: NOW_MS, price_amount_minor: 950_000 });
  assert.deepEqual(await tell({ listing: replaced }), [false, "replaced", undefined, undefined]);
  const gone = await describe(app, await priced({ listing: { is_hidden: true } }));
  assert.deepEqual(
    [gone.items, gone.prices, gone.offer_state, gone.no_buy_reason, gone.reason],
    [[], [], "gone", "gone", undefined],
  );
});

test("a price of an older version has no evidence, and a currency without a rate nothing to offer", async (t) => {
  const app = await borrowTestApp(t);
  const configuration_id = await aConfiguration(app.db);
  await aSnapshot(app.db, configuration_id);
  await aCell(app.db, { configuration_id });
  const listing_id = await aListing(app.db, {
    price_currency: "EGP",
    price_amount_minor: 40_000_000,
    price_eur_minor: 900_000,
  });
  await aModel(app.db, { listing_id, configuration_id, source_market: "EU" });

  const { price, reason } = await describe(app, listing_id);

  assert.deepEqual(price, {
    configuration_id,
    is_headline: true,
    is_buy: true,
    landed_eur_minor: 900_000,
  });
  assert.equal(reason, undefined);
  assert.deepEqual(await describe(app, randomUUID()).then(({ items }) => items), []);
});

test("an id from before contacts merged has the price, or the reason, of its listing", async (t) => {
  const app = await borrowTestApp(t);
  const listing_id = await aListing(app.db);
  const old_id = randomUUID();
  await app.db.execute(insertRows("listing_alias", [{ old_id, listing_id }]));

  const { offer_state, reason } = await describe(app, old_id);

  assert.deepEqual([offer_state, reason], ["today", "no_price_rule"]);
});
