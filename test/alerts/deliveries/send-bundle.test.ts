import assert from "node:assert/strict";
import { test } from "node:test";
import { listDeliveries } from "../../../src/alerts/deliveries/delivery-store.ts";
import { HOUR_MS } from "../../../src/base/clock.ts";
import { createLogger } from "../../../src/base/log.ts";
import type { DatabasePool } from "../../../src/db/database.ts";
import { sql } from "../../../src/db/sql.ts";
import { aLiveAlert, arrive, matchAll } from "../../support/alerts.ts";
import {
  aTarget,
  countBy,
  LEASE,
  send,
  startMailServer,
  startWebhookTarget,
} from "../../support/deliveries.ts";
import { aListingWith, type TestListing } from "../../support/listings.ts";
import { borrowTestDatabase } from "../../support/shared-store.ts";
import { createTestClock, NOW_MS, until } from "../../support/test-app.ts";

const BOT_TOKEN = "123456:AAaaBBbbCCccDDddEEeeFFff";
const TELEGRAM = { kind: "telegram", secret: BOT_TOKEN, recipient: "-1001" };
/** How long a bundle is claimed by default. */
const PUBLIC_URL = "https://assay.example.org";

test("each kind gets the payload that its documentation asks for, and all matches of the bundle are delivered", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const ntfy = await startWebhookTarget(t);
  const telegram = await startWebhookTarget(t);
  const mail = await startMailServer(t);
  const telegramUrl = new URL(telegram.url).origin;
  await aTarget(pool, `${new URL(ntfy.url).origin}/my-topic`, { kind: "ntfy", secret: "tk_1" });
  await aTarget(pool, null, TELEGRAM);
  await aTarget(pool, null, { kind: "email", secret: null, recipient: "desk@example.org" });
  const listings = await makeMatches(pool, 7);
  await pool.execute(sql`update listing set brand = 'Rolex', reference = '126610LN'`);

  const options = { publicUrl: PUBLIC_URL, telegramUrl, isPrivateAllowed: true };
  const sender = send(t, pool, { ...options, smtpUrl: mail.url, smtpFrom: "assay@example.org" });
  await until(async () => (await countBy(pool, "delivered")) === 21);
  await sender.stop();

  assert.deepEqual(
    [ntfy, telegram, mail].map(({ received }) => received.length),
    [1, 1, 1],
  );
  const [published] = ntfy.received;
  assert.equal(published?.path, "/");
  assert.equal(published?.headers.authorization, "Bearer tk_1");
  const publication = JSON.parse(published?.body ?? "");
  assert.deepEqual(Object.keys(publication), ["topic", "title", "message", "click"]);
  assert.equal(publication.topic, "my-topic");
  assert.equal(publication.title, "7 matches");
  assert.equal(publication.click, `${PUBLIC_URL}/`);
  assert.match(publication.message, /^Rolex 126610LN, 2023, new\nAsk 12,500 EUR\n/);
  assert.match(publication.message, /\n\nand 2 more\n/);
  const links = publication.message.match(/listings\/\S+/g).map((link: string) => link.slice(9));
  assert.ok(links.every((id: string) => listings.some((listing) => listing.id === id)));

  const [sent] = telegram.received;
  assert.equal(sent?.path, `/bot${BOT_TOKEN}/sendMessage`);
  const message = JSON.parse(sent?.body ?? "");
  assert.deepEqual(Object.keys(message), ["chat_id", "text", "link_preview_options"]);
  assert.equal(message.chat_id, "-1001");
  assert.match(message.text, /^7 matches\n\nRolex /);
  assert.deepEqual(message.link_preview_options, { is_disabled: true });

  const [letter] = mail.received;
  assert.deepEqual([letter?.from, letter?.to], ["assay@example.org", ["desk@example.org"]]);
  assert.match(letter?.raw ?? "", /^Subject: 7 matches\r$/m);
  assert.match(letter?.raw ?? "", /^Auto-Submitted: auto-generated\r$/m);
  assert.match(letter?.raw ?? "", /Content-Type: text\/plain/);
});

test("a target gets one message in ten seconds, and what came meanwhile is in the next one", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const ntfy = await startWebhookTarget(t);
  await aTarget(pool, ntfy.url, { kind: "ntfy", secret: null });
  const clock = createTestClock();
  const [first] = await makeMatches(pool, 1);
  const sender = send(t, pool, { clock });
  await until(async () => (await countBy(pool, "delivered")) === 1);

  clock.advance(4_000);
  const second = aListingWith();
  await arrive(pool, [second]);
  await matchAll(pool);
  clock.advance(5_999);
  sender.wake();
  await until(async () => (await countBy(pool, "pending")) === 1);
  const third = aListingWith();
  await arrive(pool, [third]);
  await matchAll(pool);
  assert.equal(ntfy.received.length, 1);
  clock.advance(1);
  sender.wake();
  await until(async () => (await countBy(pool, "delivered")) === 3);
  await sender.stop();

  assert.ok(first !== undefined);
  assert.equal(ntfy.received.length, 2);
  assert.equal(JSON.parse(ntfy.received[1]?.body ?? "").title, "2 matches");
});

test("two senders never send to one target at the same time, and send each match once", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const open = { now: 0, most: 0 };
  const ntfy = await startWebhookTarget(t, (response) => {
    open.now += 1;
    open.most = Math.max(open.most, open.now);
    setTimeout(() => {
      open.now -= 1;
      response.end();
    }, 30);
  });
  await aTarget(pool, ntfy.url, { kind: "ntfy", secret: null });
  const clock = createTestClock();
  await aLiveAlert(pool);
  const senders = [send(t, pool, { clock }), send(t, pool, { clock })];

  for (let round = 1; round <= 4; round += 1) {
    await arrive(pool, [aListingWith(), aListingWith(), aListingWith()]);
    await matchAll(pool);
    for (const sender of senders) sender.wake();
    await until(async () => (await countBy(pool, "delivered")) === round * 3);
    clock.advance(10_000);
  }
  for (const sender of senders) await sender.stop();

  assert.equal(open.most, 1);
  const titles = ntfy.received.map(({ body }) => JSON.parse(body).title);
  assert.deepEqual(titles, ["3 matches", "3 matches", "3 matches", "3 matches"]);
});

test("a bundle whose process died is sent again when its lease expires, together with what came meanwhile", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const ntfy = await startWebhookTarget(t);
  await aTarget(pool, ntfy.url, { kind: "ntfy", secret: null });
  await makeMatches(pool, 2);
  await pool.execute(sql`update webhook_target set next_send_at_ms = ${NOW_MS + LEASE.leastMs}`);
  await pool.execute(
    sql`update webhook_delivery set attempt_count = 1, next_attempt_at_ms = ${NOW_MS + LEASE.leastMs}`,
  );
  await arrive(pool, [aListingWith()]);
  await matchAll(pool);
  const clock = createTestClock();
  const sender = send(t, pool, { clock });

  clock.advance(59_999);
  sender.wake();
  await new Promise((settle) => setTimeout(settle, 50));
  assert.equal(ntfy.received.length, 0);
  clock.advance(1);
  sender.wake();
  await until(async () => (await countBy(pool, "delivered")) === 3);
  await sender.stop();

  assert.deepEqual(
    ntfy.received.map(({ body }) => JSON.parse(body).title),
    ["3 matches"],
  );
});

test("Telegram's 429 delays the whole target as long as it says, and new matches too", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const telegram = await startWebhookTarget(t, (response, at) => {
    if (at > 1) return response.end('{"ok":true}');
    response.statusCode = 429;
    return response.end(
      '{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 42","parameters":{"retry_after":42}}',
    );
  });
  const telegramUrl = new URL(telegram.url).origin;
  await aTarget(pool, null, TELEGRAM);
  await makeMatches(pool, 1);
  const clock = createTestClock();
  const sender = send(t, pool, { clock, telegramUrl });
  await until(async () => (await resultsOf(pool))[0] === "429 too many messages");

  clock.advance(41_999);
  await arrive(pool, [aListingWith()]);
  await matchAll(pool);
  sender.wake();
  await new Promise((settle) => setTimeout(settle, 50));
  assert.equal(telegram.received.length, 1);
  clock.advance(1);
  sender.wake();
  await until(async () => (await countBy(pool, "delivered")) === 2);
  await sender.stop();

  assert.equal(telegram.received.length, 2);
});

test("a target that always asks for a second is obeyed three times, then retried over days like any other", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const ntfy = await startWebhookTarget(t, (response) => {
    response.statusCode = 429;
    response.setHeader("retry-after", "1");
    response.end();
  });
  await aTarget(pool, `${new URL(ntfy.url).origin}/my-topic`, { kind: "ntfy", secret: null });
  await makeMatches(pool, 1);
  const clock = createTestClock();
  const sender = send(t, pool, { clock });
  const delaysMs: number[] = [];
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    sender.wake();
    await until(async () => (await attemptOf(pool)).count === attempt);
    const { nextAtMs, isEnded } = await attemptOf(pool);
    if (isEnded) break;
    delaysMs.push(nextAtMs - clock.nowMs());
    clock.set(Math.max(nextAtMs, clock.nowMs() + 10_000));
  }
  await sender.stop();

  assert.deepEqual(delaysMs.slice(0, 3), [1_000, 1_000, 1_000]);
  assert.equal(delaysMs.length, 9);
  assert.ok(delaysMs.slice(3).every((delayMs) => delayMs >= 2 * HOUR_MS));
});

/** How many attempts are finished, and when the next one is due. */
async function attemptOf(pool: DatabasePool) {
  const [row] = await pool.query<{ count: number; nextAtMs: number; isEnded: boolean }>(sql`
    select case when delivery.last_result is null or target.next_send_at_ms = delivery.next_attempt_at_ms
                then 0 else attempt_count end as count,
           next_attempt_at_ms as "nextAtMs", status <> 'pending' as "isEnded"
      from webhook_delivery as delivery
      join webhook_target as target on target.id = delivery.target_id`);
  return row ?? { count: 0, nextAtMs: 0, isEnded: false };
}

test("a chat that refuses the bot is gone; a wrong token or chat is retried, and no secret is logged or stored", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const statuses: Readonly<Record<string, number>> = { "1": 403, "2": 401, "3": 400 };
  const telegram = await startWebhookTarget(t, (response) => {
    const chat = JSON.parse(telegram.received.at(-1)?.body ?? "").chat_id;
    response.statusCode = statuses[chat] ?? 200;
    response.end(`{"ok":false,"description":"Bad Request: chat not found ${BOT_TOKEN}"}`);
  });
  const telegramUrl = new URL(telegram.url).origin;
  for (const recipient of ["1", "2", "3"]) await aTarget(pool, null, { ...TELEGRAM, recipient });
  await makeMatches(pool, 1);
  const lines: string[] = [];
  const log = createLogger("trace", { write: (line) => lines.push(line) });

  const sender = send(t, pool, { telegramUrl, log });
  await until(async () => (await resultsOf(pool)).every((result) => result !== null));
  await sender.stop();

  assert.deepEqual((await resultsOf(pool)).toSorted(), [
    "400 chat not found",
    "401 wrong bot token",
    "403 refused by the chat",
  ]);
  const gone = await pool.query<{ recipient: string }>(
    sql`select recipient from webhook_target where gone_at_ms is not null`,
  );
  assert.deepEqual(
    gone.map(({ recipient }) => recipient),
    ["1"],
  );
  assert.equal(await countBy(pool, "dead"), 1);
  assert.ok(lines.length >= 3);
  const stored = JSON.stringify(
    await pool.query(sql`select last_result, body from webhook_delivery`),
  );
  assert.ok(!`${lines.join("")}${stored}`.includes("AAaaBB"));
});

test("mail that the server refuses, or for which there is no server, is retried until it is dead", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const mail = await startMailServer(t, { refusal: 451 });
  await aTarget(pool, null, { kind: "email", secret: null, recipient: "desk@example.org" });
  await makeMatches(pool, 1);
  const clock = createTestClock();
  const first = send(t, pool, { clock });
  await until(async () => (await resultsOf(pool))[0] === "no mail server");
  await first.stop();
  clock.advance(HOUR_MS);

  const sender = send(t, pool, { clock, smtpUrl: mail.url, smtpFrom: "assay@example.org" });
  for (let attempt = 2; attempt <= 10; attempt += 1) {
    await until(async () => {
      const [row] = await listDeliveries(pool, { limit: 1 });
      const waitMs = (row?.next_attempt_at_ms ?? 0) - clock.nowMs();
      const isUnderWay = waitMs >= LEASE.leastMs && waitMs <= LEASE.mostMs;
      return row?.attempt_count === attempt && !(isUnderWay && row.status === "pending");
    });
    clock.advance(30 * HOUR_MS);
    sender.wake();
  }
  await until(async () => (await countBy(pool, "dead")) === 1);
  await sender.stop();

  assert.deepEqual(mail.received, []);
  const [row] = await listDeliveries(pool, { limit: 1 });
  assert.equal(row?.last_result, "451");
});

test("in its quiet hours a target of any kind gets nothing, and everything when they end", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const ntfy = await startWebhookTarget(t);
  const standard = await startWebhookTarget(t);
  // It is 13:00 in Berlin.
  const quiet_hours = { from: "12:30", to: "14:00", time_zone: "Europe/Berlin" };
  await aTarget(pool, ntfy.url, { kind: "ntfy", secret: null, quiet_hours });
  await aTarget(pool, standard.url, { quiet_hours });
  await makeMatches(pool, 2);
  const clock = createTestClock();
  const sender = send(t, pool, { clock });

  await until(async () => {
    const rows = await pool.query<{ at: number }>(
      sql`select next_send_at_ms as at from webhook_target`,
    );
    return rows.every(({ at }) => at === NOW_MS + HOUR_MS);
  });
  clock.advance(HOUR_MS - 1);
  sender.wake();
  await new Promise((settle) => setTimeout(settle, 50));
  assert.deepEqual([ntfy.received.length, standard.received.length], [0, 0]);
  clock.advance(1);
  sender.wake();
  await until(async () => (await countBy(pool, "delivered")) === 4);
  await sender.stop();

  assert.equal(ntfy.received.length, 1);
  assert.equal(standard.received.length, 2);
});

test("of any number of quiet targets none is sent to, however the deliveries were committed", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const quiet = await startWebhookTarget(t);
  const other = await startWebhookTarget(t);
  const quiet_hours = { from: "12:30", to: "14:00", time_zone: "Europe/Berlin" };
  // More than a sender postpones in one pass.
  for (let count = 0; count < 101; count += 1) await aTarget(pool, quiet.url, { quiet_hours });
  await aTarget(pool, other.url, { quiet_hours: { ...quiet_hours, to: "12:40" } });
  await aTarget(pool, other.url);
  await makeMatches(pool, 1);

  const sender = send(t, pool);
  await until(async () => (await countBy(pool, "delivered")) >= 2);
  await sender.stop();

  assert.deepEqual([quiet.received.length, other.received.length], [0, 2]);
});

test("when quiet hours are changed, or the clock was wrong, the target is sent to again", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const ntfy = await startWebhookTarget(t);
  const other = await startWebhookTarget(t);
  const quiet_hours = { from: "00:00", to: "23:59", time_zone: "UTC" };
  const id = await aTarget(pool, ntfy.url, { kind: "ntfy", secret: null, quiet_hours });
  await aTarget(pool, other.url, {
    kind: "ntfy",
    secret: null,
    next_send_at_ms: NOW_MS + 1_000 * HOUR_MS,
  });
  await makeMatches(pool, 1);
  const sender = send(t, pool);

  await until(() => other.received.length === 1);
  assert.equal(ntfy.received.length, 0);
  await pool.execute(sql`update webhook_target set quiet_hours = null where id = ${id}`);
  sender.wake();
  await until(async () => (await countBy(pool, "delivered")) === 2);
  await sender.stop();
});

test("private addresses are refused for ntfy, matches that were deleted are not sent, and a stop leaves no trace", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const ntfy = await startWebhookTarget(t, () => undefined);
  await aTarget(pool, ntfy.url, { kind: "ntfy", secret: null });
  await makeMatches(pool, 2);
  const refusing = send(t, pool, { isPrivateAllowed: false });
  await until(async () =>
    (await resultsOf(pool)).every((result) => result === "plain HTTP refused"),
  );
  await refusing.stop();
  await pool.execute(sql`update webhook_delivery set attempt_count = 0, next_attempt_at_ms = 0`);
  await pool.execute(sql`update webhook_target set next_send_at_ms = 0`);
  await pool.execute(sql`
    delete from alert_match where resource_id in (select resource_id from webhook_delivery order by id limit 1)`);

  const sender = send(t, pool);
  await until(() => ntfy.received.length === 1);
  await sender.stop();

  const rows = await listDeliveries(pool, { limit: 10 });
  const ends = rows.map(({ status, attempt_count, last_result }) => [
    status,
    attempt_count,
    last_result,
  ]);
  assert.deepEqual(ends.toSorted(), [
    ["dead", 1, "the match was deleted"],
    ["pending", 0, "plain HTTP refused"],
  ]);
  const [target] = await pool.query<{ at: number }>(
    sql`select next_send_at_ms as at from webhook_target`,
  );
  assert.equal(target?.at, NOW_MS);
});

/** Matches of one alert, each with its listing. */
async function makeMatches(pool: DatabasePool, count: number): Promise<readonly TestListing[]> {
  await aLiveAlert(pool);
  const listings = Array.from({ length: count }, () => aListingWith());
  await arrive(pool, listings);
  await matchAll(pool);
  return listings;
}

async function resultsOf(pool: DatabasePool): Promise<readonly (string | null)[]> {
  const rows = await listDeliveries(pool, { limit: 100 });
  return rows.map(({ last_result }) => last_result);
}
