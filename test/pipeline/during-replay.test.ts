import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { claimDeliveries } from "../../src/alerts/deliveries/claim-store.ts";
import { pruneDeliveries } from "../../src/alerts/deliveries/delivery-store.ts";
import { createMatchTail } from "../../src/api/stream/match-tail.ts";
import { describeListings } from "../../src/api/v2/market/listing-body.ts";
import { DAY_MS, dayStartOf, HOUR_MS } from "../../src/base/clock.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { changeContactNote } from "../../src/messages/contacts/contact-note-store.ts";
import { raiseFloor } from "../../src/messages/privacy/retention-store.ts";
import { changeShippedRates } from "../../src/pipeline/change-rates.ts";
import { runPass } from "../../src/pipeline/finish-queued.ts";
import { requestReplay } from "../../src/pipeline/replay.ts";
import { STEPS } from "../../src/pipeline/steps.ts";
import { removeBatch } from "../../src/privacy/remove-old-messages.ts";
import { aLiveAlert } from "../support/alerts.ts";
import { aTarget, countBy, send, startWebhookTarget } from "../support/deliveries.ts";
import { process, rawEvent, stepContext } from "../support/drain.ts";
import { aPull, findTraces, LENA, MARC, OWN_TEXT, SHARED_TEXT, WORDS } from "../support/erasure.ts";
import { correct } from "../support/listings.ts";
import { callAssay } from "../support/run-assay.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { createTestClock, NOW_MS, until } from "../support/test-app.ts";
import type { TestDatabase } from "../support/test-database.ts";
import { type Addressing, aMessageEvent } from "../support/waha.ts";

const AT_S = NOW_MS / 1000 - 60;

test("deliveries that are due during a replay wait for their watch; new ones are sent", async (t) => {
  const { pool, hook } = await openMarket(t);
  const ntfy = await startWebhookTarget(t);
  await aTarget(pool, ntfy.url.replace("/hook", "/desk-x7Qp2"), { kind: "ntfy", secret: null });
  await post(pool, { rawId: "X1", sender: LENA, text: OWN_TEXT });
  await requestReplay(pool, { alerting: "never" });
  const sender = send(t, pool);

  // It arrives during the replay and is processed before the backlog.
  await saveRawEvents(pool, [anEvent({ rawId: "X2", sender: MARC, text: SHARED_TEXT })], "window");
  const context = await stepContext(pool);
  for (const step of STEPS.filter(({ hasLanes }) => hasLanes)) {
    await step.run(context, { batchMax: step.batchMax, lane: "fresh" });
  }
  await context.close();
  await until(async () => (await countBy(pool, "delivered")) === 2);
  const during = [...hook.received, ...ntfy.received].map(({ body }) => body.includes(WORDS));
  const waiting = await countBy(pool, "pending");
  await process(pool, []);
  const clock = createTestClock();
  await sender.stop();
  clock.advance(HOUR_MS);
  send(t, pool, { clock });
  await until(async () => (await countBy(pool, "delivered")) === 4);

  assert.deepEqual(during, [false, false]);
  assert.equal(waiting, 2);
  const bodies = [...hook.received, ...ntfy.received].map(({ body }) => body);
  assert.equal(bodies.length, 4);
  assert.equal(bodies.filter((body) => body.includes("5711/1A-010")).length, 2);
  assert.equal(bodies.filter((body) => body.includes("126610LN")).length, 2);
});

test("a retry waits during a replay too: then no one knows whether its dealer is blocked", async (t) => {
  const market = await openMarket(t, 500);
  const { pool, hook, state } = market;
  await post(pool, { rawId: "X1", sender: LENA, text: OWN_TEXT });
  await failOnce(t, market);
  const [lena] = await pool.query<{ id: string }>(sql`select contact_id as id from listing`);
  const author = { name: "Anna", nowMs: NOW_MS };
  await pool.transaction((tx) =>
    changeContactNote(tx, lena?.id ?? "", { isBlocked: true, author }),
  );
  await requestReplay(pool, { alerting: "never" });
  state.status = 200;
  const clock = createTestClock();
  clock.advance(DAY_MS);

  const claimed = await claimDeliveries(pool, {
    nowMs: clock.nowMs(),
    leaseMs: 1,
    batchMax: 10,
    perTargetMax: 10,
    inProgress: [],
    awake: [],
  });
  await process(pool, []);
  send(t, pool, { clock });
  await until(async () => (await pool.query(sql`select from webhook_delivery`)).length === 0);

  assert.deepEqual([...claimed], []);
  assert.equal(hook.received.length, 1, "only the attempt from before the block");
});

test("a delivery between the merge of contacts and the matching of its listing has the listing", async (t) => {
  const { pool, hook } = await openMarket(t);
  await post(pool, { rawId: "X1", sender: LENA, text: OWN_TEXT, addressing: "lid" });
  await mergeLena(pool);

  send(t, pool);
  await until(() => hook.received.length === 1);

  assert.match(hook.received[0]?.body ?? "", /"listing":\{.*5711\/1A-010/);
});

test("a person who is erased during a replay is in no delivery, and nothing is sent afterwards", async (t) => {
  const market = await openMarket(t, 500);
  const { pool, hook } = market;
  await post(pool, { rawId: "X1", sender: LENA, text: OWN_TEXT });
  await failOnce(t, market);

  await requestReplay(pool, { alerting: "never" });
  const erased = await erase(market.store, "--remember");
  const traces = await findTraces(pool);
  await process(pool, []);
  market.state.status = 200;
  const clock = createTestClock();
  clock.advance(HOUR_MS);
  await post(pool, { rawId: "X2", sender: MARC, text: SHARED_TEXT });
  send(t, pool, { clock });
  await until(() => hook.received.length === 2);

  assert.equal(erased.code, 0);
  assert.deepEqual([traces, await findTraces(pool)], [[], []]);
  assert.ok(!hook.received[1]?.body.includes(LENA.phone));
});

test("a person who is erased between the merge of contacts and the match step is in no match and no delivery", async (t) => {
  const market = await openMarket(t, 500);
  const { pool } = market;
  await post(pool, { rawId: "X1", sender: LENA, text: OWN_TEXT, addressing: "lid" });
  await failOnce(t, market);
  await mergeLena(pool);

  await erase(market.store);
  await process(pool, []);

  assert.deepEqual(await findTraces(pool), []);
  assert.equal((await pool.query(sql`select from alert_match`)).length, 0);
});

test("a dead delivery is deleted after its time, and before that with the person, even if the message has left", async (t) => {
  const market = await openMarket(t, 500);
  const { pool } = market;
  await post(pool, { rawId: "X1", sender: LENA, text: OWN_TEXT });
  await post(pool, { rawId: "X2", sender: MARC, text: SHARED_TEXT });
  await failOnce(t, market, 2);
  await pool.execute(
    sql`update webhook_delivery set status = 'dead', finished_at_ms = ${NOW_MS + DAY_MS}`,
  );
  await raiseFloor(pool, {
    floorMs: dayStartOf(NOW_MS) + 5 * DAY_MS,
    nowMs: NOW_MS + 100 * DAY_MS,
  });
  while ((await removeBatch(pool)) > 0);
  await process(pool, []);

  await erase(market.store);
  const left = await countBy(pool, "dead");
  await pruneDeliveries(pool, NOW_MS);
  const kept = await countBy(pool, "dead");
  await pruneDeliveries(pool, NOW_MS + 2 * DAY_MS);

  assert.deepEqual(await findTraces(pool), []);
  assert.deepEqual([left, kept, await countBy(pool, "dead")], [1, 1, 0]);
});

test("an erasure in the middle of a replay keeps the corrections that other dealers' posts need, and no others", async (t) => {
  const { pool, store } = await openMarket(t);
  await post(pool, { rawId: "L1", sender: LENA, text: SHARED_TEXT });
  await post(pool, { rawId: "L2", sender: LENA, text: OWN_TEXT });
  await post(pool, { rawId: "M1", sender: MARC, text: SHARED_TEXT });
  const listings = await pool.query<{ id: string }>(sql`select id from listing order by id`);
  for (const { id } of listings) {
    await correct(pool, id, { price: { amount_minor: 777_700, currency: "EUR" } });
  }
  await process(pool, []);
  await requestReplay(pool, { alerting: "never" });
  const context = await stepContext(pool);
  await runPass(context, { steps: STEPS.slice(0, 1), batchMax: 1 });
  await context.close();

  await erase(store, "--remember");
  await process(pool, []);

  const prices = await pool.query(sql`select price_amount_minor as price from listing`);
  assert.deepEqual([...prices], [{ price: 777_700 }]);
  assert.equal((await pool.query(sql`select from correction`)).length, 1);
  assert.equal((await pool.query(sql`select from erased_text`)).length, 0);
});

test("a stream that comes back gets nothing from memory that was erased", async (t) => {
  const { pool, store } = await openMarket(t);
  const tail = createMatchTail({ db: pool, clock: createTestClock(), describeListings }, 0);
  await post(pool, { rawId: "X1", sender: LENA, text: OWN_TEXT });
  await post(pool, { rawId: "X2", sender: MARC, text: SHARED_TEXT });
  await tail.advance();
  const before = await tail.readAfter(0);

  await erase(store);

  const after = await tail.readAfter(0);
  assert.deepEqual([before.length, after.length], [2, 1]);
  assert.ok(!JSON.stringify(after).includes(LENA.phone));
});

async function openMarket(t: TestContext, status = 200) {
  const store = await borrowTestDatabase(t);
  const { pool } = store;
  const state = { status };
  const hook = await startWebhookTarget(t, (response) => {
    response.statusCode = state.status;
    response.end();
  });
  await aTarget(pool, hook.url);
  await aLiveAlert(pool, { brand: ["Patek Philippe", "Rolex"] });
  await changeShippedRates(pool);
  return { store, pool, hook, state };
}

interface Post {
  readonly rawId: string;
  readonly sender: typeof LENA;
  readonly text: string;
  readonly addressing?: Addressing;
}

function anEvent(message: Post) {
  return rawEvent(aMessageEvent({ ...message, atS: AT_S }));
}

async function post(pool: DatabasePool, message: Post): Promise<void> {
  await saveRawEvents(pool, [anEvent(message)], "window");
  await process(pool, []);
}

/** Lets the first attempts fail, so that their bodies are stored. */
async function failOnce(
  t: TestContext,
  { pool, hook }: Awaited<ReturnType<typeof openMarket>>,
  count = 1,
): Promise<void> {
  const sender = send(t, pool);
  await until(() => hook.received.length === count);
  await until(async () => {
    const rows = await pool.query(sql`select from webhook_delivery where last_result is not null`);
    return rows.length === count;
  });
  await sender.stop();
}

/** Says that her LID and her number are one, and runs the steps before the matching step. */
async function mergeLena(pool: DatabasePool): Promise<void> {
  const pair = aPull("lids", [{ lid: `${LENA.lid}@lid`, pn: `${LENA.phone}@c.us` }]);
  await saveRawEvents(pool, [rawEvent(pair, { origin: "pull" })], "never");
  const context = await stepContext(pool);
  const steps = STEPS.filter(({ track }) => track === "messages" || track === "listings");
  while ((await runPass(context, { steps })) > 0);
  await context.close();
}

function erase(store: TestDatabase, ...flags: readonly string[]) {
  return callAssay(["erase", "--phone", LENA.phone, ...flags], {
    DATABASE_URL: store.url,
    ASSAY_ALLOW_UNSAFE_STORE: "true",
  });
}
