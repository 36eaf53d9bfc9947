import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { DAY_MS } from "../../src/base/clock.ts";
import { parseConfig } from "../../src/base/config.ts";
import { sql } from "../../src/db/sql.ts";
import { examineGateway } from "../../src/operations/examine-gateway.ts";
import {
  examineDeliveries,
  examinePricing,
  examineSets,
  examineSuspects,
  examineWordAlerts,
} from "../../src/operations/examine-market.ts";
import { aLiveAlert } from "../support/alerts.ts";
import { process } from "../support/drain.ts";
import { anAsk, refresh } from "../support/pricing.ts";
import { aConfiguration, aListing, aMatch, anAlert, aProfile, aSnapshot } from "../support/rows.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { NOW_MS } from "../support/test-app.ts";
import { aMessageEvent } from "../support/waha.ts";

test("stale and failed prices and markets without a view are reported with what to do", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const empty = await examinePricing(pool, NOW_MS);
  const fresh = await aConfiguration(pool);
  await aSnapshot(pool, fresh);
  const withoutViews = await examinePricing(pool, NOW_MS);
  await pool.execute(sql`
    insert into market_view (id, name, filters, source_market, created_at_ms, updated_at_ms)
    values (gen_random_uuid(), 'Europe', '{}', 'EU', 0, 0)`);
  await aConfiguration(pool, { last_refresh_error: "statement timeout" });

  const findings = await examinePricing(pool, NOW_MS);

  assert.deepEqual(
    empty.map(({ isFine }) => isFine),
    [true],
  );
  assert.deepEqual(
    withoutViews.map(({ isFine }) => isFine),
    [true, false],
  );
  assert.deepEqual(
    findings.map(({ isFine }) => isFine),
    [false, false, true],
  );
  assert.match(findings[0]?.text ?? "", /1 of 2 configurations are stale.*assay refresh/);
  assert.match(
    findings[1]?.text ?? "",
    /1 configurations could not be calculated \(statement timeout\)/,
  );
  assert.match(findings[2]?.text ?? "", /none for HK/);
});

test("suspect asks are counted, and the first few are listed with their bounds and what to do", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const none = await examineSuspects(pool, NOW_MS);
  const key = "rolex:126610LN";
  const id = await aConfiguration(pool, { configuration_key: key });
  const other = await aConfiguration(pool, { configuration_key: "rolex:z" });
  const models = [id, other];
  for (const euros of [9_900, 10_000, 10_000, 10_100]) await anAsk(pool, euros, { models });
  const dear = await anAsk(pool, 78_000, { models });
  const misread = await anAsk(pool, 2_024, { models });
  await refresh(pool, models);

  const findings = await examineSuspects(pool, NOW_MS);
  const expired = await examineSuspects(pool, NOW_MS + 31 * DAY_MS);

  const range = "plausible are 5,000.00 to 30,000.00, the median is 10,000.00";
  assert.deepEqual(
    none.map(({ text }) => text),
    ["suspect asks: none"],
  );
  assert.ok(findings.every(({ isFine }) => isFine));
  assert.match(
    findings[0]?.text ?? "",
    /^suspect asks: 4 in 2 cells.*assay correct LISTING_ID price=/,
  );
  assert.deepEqual(
    findings.slice(1).map(({ text }) => text),
    [
      `suspect ask: ${misread} asks 2,024.00 EUR in ${key} 2023 new; ${range}`,
      `suspect ask: ${dear} asks 78,000.00 EUR in ${key} 2023 new; ${range}`,
    ],
  );
  assert.equal(expired.length, 1);
});

test("papers are proposed for a profile if one of its latest buys has none, with the numbers", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const profiles = [
    await aProfile(pool, { name: "open" }),
    await aProfile(pool, { name: "strict", sets: "papers" }),
  ];
  const [open, strict] = await Promise.all(
    profiles.map((profile_id) => aConfiguration(pool, { profile_id })),
  );
  const naked = await aConfiguration(pool, {
    profile_id: profiles[0],
    filters: { full_set_status: ["WATCH"] },
  });
  const alert = await anAlert(pool, { strategy: "price_engine" });
  const buyOf = async (configuration_id: string | undefined, set: string, ageDays = 1) => {
    const full_set_status = set === "" ? [] : [set];
    await aMatch(pool, {
      alert_id: alert,
      listing_id: await aListing(pool, { full_set_status }),
      matched_at_ms: NOW_MS - ageDays * DAY_MS,
      match_context: { strategy: "price_engine", configuration_id },
    });
  };
  for (const set of ["FULL_SET", "WATCH_AND_CARD", ""]) await buyOf(open, set);
  await buyOf(open, "WATCH", 31);
  await buyOf(strict, "WATCH");
  await buyOf(naked, "WATCH");
  const before = await examineSets(pool, NOW_MS);
  await buyOf(open, "WATCH");
  await buyOf(open, "WATCH_AND_BOX", 29);

  const findings = await examineSets(pool, NOW_MS);

  assert.deepEqual(before, []);
  const text =
    'sets: 2 of 5 buys of the last 30 days by the profile "open" are watches without papers; `sets: papers` would leave them out';
  assert.deepEqual(findings, [{ isFine: true, text }]);
});

test("alerts whose words are in lines of other watches are named, with what they lose", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const list = (at: number) => `126500LN €${24_000 + at}\n79030N €2.900 kurious`;
  await process(
    pool,
    [0, 1, 2].map((at) => aMessageEvent({ rawId: `A${at}`, text: list(at) })),
  );
  const ids = await pool.query<{ id: string; canonical_message_id: string; reference: string }>(
    sql`select id, canonical_message_id, reference from listing order by reference, id`,
  );
  const matchAll = async (alert_id: string, columns: object = {}) => {
    for (const { id, canonical_message_id } of ids)
      await aMatch(pool, {
        alert_id,
        resource_id: id,
        listing_id: id,
        canonical_message_id,
        ...columns,
      });
  };
  const kurious = await aLiveAlert(pool, { q: "kurious" });
  await matchAll(kurious);
  // Both words, an edited message, an older match, a disabled alert and one without words.
  await matchAll(await aLiveAlert(pool, { text_search: { query: "900 24", mode: "broad" } }));
  await matchAll(await aLiveAlert(pool, { q: "sprite" }));
  await matchAll(await aLiveAlert(pool, { q: "kurious" }), { matched_at_ms: NOW_MS - 31 * DAY_MS });
  await matchAll(await anAlert(pool, { filters: { q: "kurious" }, is_enabled: false }));
  await matchAll(await aLiveAlert(pool));
  await pool.execute(sql`update alert set name = 'strange' where id = ${kurious}`);

  const findings = await examineWordAlerts(pool, NOW_MS);

  assert.deepEqual(
    findings.map(({ isFine, text }) => [isFine, text.split(";")[0]]),
    [
      [
        true,
        'words: 3 of 6 matches of the last 30 days of the alert "strange" have its words in lines of other watches only, and match no more',
      ],
    ],
  );
  assert.match(findings[0]?.text ?? "", /mode `all`.*resource: messages/);
});

test("no more than five suspect asks are listed", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const id = await aConfiguration(pool);
  for (let at = 0; at < 9; at += 1) await anAsk(pool, 10_000, { models: [id] });
  for (let at = 0; at < 7; at += 1) await anAsk(pool, 2_020 + at, { models: [id] });
  await refresh(pool, [id]);

  const findings = await examineSuspects(pool, NOW_MS);

  assert.match(findings[0]?.text ?? "", /^suspect asks: 7 in 1 cells/);
  assert.equal(findings.length, 6);
});

test("deliveries that fail are reported from the first attempt on, with the setting that helps", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const alert = await anAlert(pool);
  await pool.execute(sql`
    with target as (
      insert into webhook_target (id, name, url, secret, created_at_ms, updated_at_ms)
      values (gen_random_uuid(), 'desk', 'http://10.0.0.1', 'whsec_AAAA', 0, 0) returning id
    )
    insert into webhook_delivery
           (id, target_id, alert_id, resource, resource_id, attempt_count, next_attempt_at_ms, last_result, created_at_ms)
    select gen_random_uuid(), id, ${alert}, 'message', gen_random_uuid(), 1, 0, result, 0
      from target, unnest(array['plain HTTP refused', '500', null]) as result`);

  const findings = await examineDeliveries(pool);

  const texts = findings.filter(({ isFine }) => !isFine).map(({ text }) => text);
  assert.equal(texts.length, 2);
  assert.ok(texts.some((text) => /"desk" fail \(500\).*check the target/.test(text)));
  assert.ok(texts.some((text) => /HTTP refused\).*ASSAY_WEBHOOK_ALLOW_PRIVATE=true/.test(text)));
});

test("a target that is gone is reported until it is declared anew, also without a delivery", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await pool.execute(sql`
    insert into webhook_target (id, name, url, secret, gone_at_ms, created_at_ms, updated_at_ms)
    values (gen_random_uuid(), 'desk', 'https://example.org/a', 'whsec_AAAA', ${NOW_MS}, 0, 0)`);

  const gone = await examineDeliveries(pool);
  await pool.execute(sql`update webhook_target set url = 'https://example.org/b'`);
  const back = await examineDeliveries(pool);

  assert.deepEqual(
    gone.map(({ isFine }) => isFine),
    [false, true],
  );
  assert.match(gone[0]?.text ?? "", /"desk" said at 2026-11-15T12:00:00.000Z that it is gone/);
  assert.deepEqual(
    back.map(({ isFine }) => isFine),
    [true],
  );
});

test("a gateway that answers is fine, and one that does not is reported", async () => {
  const server = createServer((_request, response) => response.end("[{},{}]"));
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const answering = await examineGateway(parseConfig({ ASSAY_WAHA_URL: url }));
  await new Promise((settle) => server.close(settle));
  const silent = await examineGateway(parseConfig({ ASSAY_WAHA_URL: url }));

  assert.deepEqual(answering, [{ isFine: true, text: "gateway: answers, with 2 sessions" }]);
  assert.equal(silent[0]?.isFine, false);
  assert.match(silent[0]?.text ?? "", /does not answer.*ASSAY_WAHA_URL/);
});
