import assert from "node:assert/strict";
import { createHmac, randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import { takeSilenced } from "../../../src/alerts/deliveries/claim-store.ts";
import { judge } from "../../../src/alerts/deliveries/delivery.ts";
import {
  listDeliveries,
  moveDeliveries,
  retryDeliveries,
} from "../../../src/alerts/deliveries/delivery-store.ts";
import { isPublicAddress, postWebhook } from "../../../src/alerts/deliveries/post-webhook.ts";
import {
  listWebhookTargets,
  saveWebhookTargets,
} from "../../../src/alerts/deliveries/target-store.ts";
import { moveMatches } from "../../../src/alerts/match-write-store.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/base/clock.ts";
import type { Database } from "../../../src/db/database.ts";
import { sql } from "../../../src/db/sql.ts";
import type { Move } from "../../../src/matching/resource-store.ts";
import { aLiveAlert, arrive, matchAll, queueMatches } from "../../support/alerts.ts";
import { aTarget, countBy, KEY, send, startWebhookTarget } from "../../support/deliveries.ts";
import { aListingWith, insertListings, type TestListing } from "../../support/listings.ts";
import { borrowTestDatabase } from "../../support/shared-store.ts";
import { countDependants, createTestClock, NOW_MS, until } from "../../support/test-app.ts";
import { openTestDatabase } from "../../support/test-database.ts";

test("a match is sent once to each target that wants its alert, signed, with the listing", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const alert = await aLiveAlert(pool);
  const all = await startWebhookTarget(t);
  const some = await startWebhookTarget(t);
  const others = await startWebhookTarget(t);
  const allId = await aTarget(pool, all.url);
  await aTarget(pool, some.url, { alert_ids: `{${randomUUID()},${alert}}` });
  await aTarget(pool, others.url, { alert_ids: `{${randomUUID()}}` });
  const listing = aListingWith();
  await arrive(pool, [listing]);
  await matchAll(pool);

  const sender = send(t, pool);
  await until(() => all.received.length === 1 && some.received.length === 1);
  await until(async () => (await countBy(pool, "delivered")) === 2);
  await sender.stop();

  const [post] = all.received;
  assert.ok(post !== undefined);
  const body = JSON.parse(post.body);
  assert.equal(body.type, "alert.match");
  assert.equal(body.timestamp, new Date(NOW_MS).toISOString());
  assert.deepEqual(body.data.alert, { id: alert, name: "cheap Submariners" });
  assert.equal(body.data.match.resource_id, listing.id);
  assert.ok(!("seen_at_ms" in body.data.match));
  assert.equal(body.data.listing.id, listing.id);
  assert.equal(post.headers["content-type"], "application/json");
  assert.equal(post.headers["webhook-timestamp"], String(Math.floor(NOW_MS / 1000)));
  const signed = `${post.headers["webhook-id"]}.${post.headers["webhook-timestamp"]}.${post.body}`;
  const signature = createHmac("sha256", KEY).update(signed).digest("base64");
  assert.equal(post.headers["webhook-signature"], `v1,${signature}`);
  assert.deepEqual(others.received, []);
  const [row] = await pool.query(
    sql`select id, body from webhook_delivery where target_id = ${allId}`,
  );
  assert.equal(row?.["id"], post.headers["webhook-id"]);
  assert.equal(row?.["body"], null);
});

test("a fresh match is sent before the backlog of its target, and the backlog is sent too", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await aLiveAlert(pool);
  const target = await startWebhookTarget(t);
  await aTarget(pool, target.url);
  await arrive(
    pool,
    Array.from({ length: 40 }, () => aListingWith()),
  );
  await matchAll(pool);
  await pool.execute(sql`update webhook_delivery set next_attempt_at_ms = 0`);
  const fresh = aListingWith();
  await arrive(pool, [fresh]);
  await pool.execute(sql`update match_queue set is_fresh = true`);
  await matchAll(pool, 100, "fresh");

  const sender = send(t, pool);
  await until(async () => (await countBy(pool, "delivered")) === 41);
  await sender.stop();

  const sent = target.received.map(({ body }) => JSON.parse(body).data.listing.id);
  // A few are sent at the same time, and any of them may arrive first.
  assert.ok(sent.indexOf(fresh.id) < 4, `sent as number ${sent.indexOf(fresh.id)}`);
});

test("a match of a message is sent with the message", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await aLiveAlert(pool, { q: "daytona" }, "message_alert");
  const target = await startWebhookTarget(t);
  await aTarget(pool, target.url);
  const id = randomUUID();
  await pool.execute(sql`
    insert into canonical_message (id, contact_id, text, first_seen_at_ms, last_seen_at_ms, occurrence_count)
    values (${id}, ${randomUUID()}, 'a Daytona', ${NOW_MS}, ${NOW_MS}, 1)`);
  await pool.execute(
    sql`insert into match_queue (resource, resource_id, alert_ms) values ('message', ${id}, 1000)`,
  );
  await matchAll(pool);

  const sender = send(t, pool);
  await until(() => target.received.length === 1);
  await sender.stop();

  const { data } = JSON.parse(target.received[0]?.body ?? "");
  assert.equal(data.message.canonical_message_id, id);
  assert.equal(data.message.message_text, "a Daytona");
  assert.ok(!("listing" in data));
});

test("a target that fails, redirects or hangs is retried with the same id and body, until the delivery is dead", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const elsewhere = await startWebhookTarget(t);
  const failing = await startWebhookTarget(t, (response) => {
    response.statusCode = 500;
    response.end("no");
  });
  const moving = await startWebhookTarget(t, (response) => {
    response.writeHead(302, { location: elsewhere.url }).end();
  });
  const hanging = await startWebhookTarget(t, () => undefined);
  for (const target of [failing, moving, hanging]) await aTarget(pool, target.url);
  await aLiveAlert(pool);
  await arrive(pool, [aListingWith()]);
  await matchAll(pool);
  const clock = createTestClock();
  const isLeased = (aheadMs: number) => aheadMs >= 45_150 && aheadMs < 46_150;

  const sender = send(t, pool, { clock, timeoutMs: 150 });
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    await until(async () => {
      const rows = await listDeliveries(pool, { limit: 10 });
      return rows.every(
        (row) =>
          row.attempt_count === attempt &&
          (row.status === "dead" || !isLeased(row.next_attempt_at_ms - clock.nowMs())) &&
          row.last_result !== null &&
          (attempt < 10 || row.status === "dead"),
      );
    });
    clock.advance(30 * HOUR_MS);
    sender.wake();
  }
  await sender.stop();

  for (const target of [failing, moving, hanging]) {
    assert.equal(target.received.length, 10);
    assert.equal(new Set(target.received.map(({ headers }) => headers["webhook-id"])).size, 1);
    assert.equal(new Set(target.received.map(({ body }) => body)).size, 1);
    assert.equal(
      new Set(target.received.map(({ headers }) => headers["webhook-timestamp"])).size,
      10,
    );
  }
  assert.deepEqual(elsewhere.received, []);
  const rows = await listDeliveries(pool, { status: "dead", limit: 10 });
  assert.deepEqual(rows.map(({ last_result }) => last_result).sort(), [
    "302",
    "500",
    "no answer in 150 ms",
  ]);

  assert.equal(await retryDeliveries(pool, "all dead", { name: "test", nowMs: clock.nowMs() }), 3);
  const [again] = await listDeliveries(pool, { status: "pending", limit: 1 });
  assert.equal(again?.attempt_count, 0);
});

test("the attempts take three days, with growing delays, and respect Retry-After", () => {
  const failure = { kind: "answered", status: 503, retryAfterMs: 600_000 } as const;
  const delays = Array.from({ length: 9 }, (_, at) => {
    const verdict = judge({ kind: "failed", reason: "x" }, at + 1, 0);
    return verdict.kind === "retry" ? verdict.delayMs : Number.NaN;
  });

  const days = delays.reduce((sum, delay) => sum + delay, 0) / DAY_MS;
  assert.ok(days > 3 && days < 3.5, String(days));
  assert.deepEqual(
    delays,
    delays.toSorted((left, right) => left - right),
  );
  assert.deepEqual(judge(failure, 1, 0), { kind: "retry", result: "503", delayMs: 600_000 });
  assert.deepEqual(judge({ kind: "failed", reason: "x" }, 2, 1), {
    kind: "retry",
    result: "x",
    delayMs: 360_000,
  });
  assert.deepEqual(judge(failure, 10, 0), { kind: "dead", result: "503" });
});

test("a target that responds 410 gets nothing more until it is declared again or a delivery is retried", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  let status = 410;
  const target = await startWebhookTarget(t, (response) => {
    response.statusCode = status;
    response.end();
  });
  const id = await aTarget(pool, target.url);
  await aLiveAlert(pool);
  await arrive(pool, [aListingWith()]);
  await matchAll(pool);
  const sender = send(t, pool);
  await until(async () => (await countBy(pool, "dead")) === 1);

  await arrive(pool, [aListingWith()]);
  await matchAll(pool);
  assert.equal((await listDeliveries(pool, { limit: 10 })).length, 1);

  status = 204;
  await retryDeliveries(pool, "all dead", { name: "test", nowMs: NOW_MS });
  await until(async () => (await countBy(pool, "delivered")) === 1);
  await pool.execute(sql`update webhook_target set gone_at_ms = 1`);
  await pool.execute(sql`update webhook_target set url = ${`${target.url}2`} where id = ${id}`);
  await arrive(pool, [aListingWith()]);
  await matchAll(pool);
  await until(async () => (await countBy(pool, "delivered")) === 2);
  await sender.stop();
});

test("a retry that is under way when its target gets another address is not sent there as well", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const clock = createTestClock();
  const held: ServerResponse[] = [];
  const former = await startWebhookTarget(t, (response) => {
    if (former.received.length > 1) held.push(response);
    else response.writeHead(500).end();
  });
  const next = await startWebhookTarget(t);
  const id = await aTarget(pool, former.url);
  await aLiveAlert(pool);
  await arrive(pool, [aListingWith()]);
  await matchAll(pool);
  const sender = send(t, pool, { clock });
  await until(async () => (await listDeliveries(pool, { limit: 1 }))[0]?.last_result === "500");
  clock.advance(10_000);
  sender.wake();
  await until(() => held.length === 1);

  const [target] = await listWebhookTargets(pool);
  assert.ok(target?.id === id);
  const stamp = { nowMs: clock.nowMs(), by: "test" };
  await pool.transaction((tx) => saveWebhookTargets(tx, [{ ...target, url: next.url }], stamp));
  const later = aListingWith();
  await arrive(pool, [later]);
  await matchAll(pool);
  sender.wake();
  await until(() => next.received.some(({ body }) => body.includes(later.id)));
  held[0]?.end();
  await until(async () => (await countBy(pool, "delivered")) === 2);
  await sender.stop();

  assert.deepEqual([former.received.length, next.received.length], [2, 1]);
});

test("a target that hangs does not delay the others, and an aborted attempt is repeated later", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const hanging = await startWebhookTarget(t, () => undefined);
  const quick = await startWebhookTarget(t);
  await aTarget(pool, hanging.url);
  await aTarget(pool, quick.url);
  await aLiveAlert(pool);
  const listings = Array.from({ length: 60 }, () => aListingWith());
  await arrive(pool, listings);
  await matchAll(pool);

  const sender = send(t, pool);
  await until(async () => (await countBy(pool, "delivered")) === 60);
  assert.ok(hanging.received.length <= 4, `${hanging.received.length} under way at once`);
  await sender.stop();

  const [left] = await pool.query<{ count: number }>(sql`
    select count(*) as count from webhook_delivery
     where status = 'pending' and attempt_count = 0 and next_attempt_at_ms = ${NOW_MS}`);
  assert.equal(left?.count, 60);
});

test("at most four attempts for one target run at once, also after some of them have ended", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const slow = await startWebhookTarget(t, (response, at) => {
    if (at === 1) response.end();
  });
  const quick = await startWebhookTarget(t);
  const slowId = await aTarget(pool, slow.url);
  await aTarget(pool, quick.url);
  await aLiveAlert(pool);
  const listings = Array.from({ length: 60 }, () => aListingWith());
  await arrive(pool, listings);
  await matchAll(pool);

  const sender = send(t, pool);
  await until(async () => (await countBy(pool, "delivered")) === 61 && slow.received.length >= 5);
  const [underWay] = await pool.query<{ count: number }>(sql`
    select count(*) as count from webhook_delivery
     where target_id = ${slowId} and status = 'pending' and attempt_count > 0`);
  await sender.stop();

  assert.equal(underWay?.count, 4);
});

test("two senders send each delivery once", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const target = await startWebhookTarget(t);
  await aTarget(pool, target.url);
  await aLiveAlert(pool);
  await arrive(
    pool,
    Array.from({ length: 40 }, () => aListingWith()),
  );
  await matchAll(pool);

  const senders = [send(t, pool), send(t, pool)];
  await until(async () => (await countBy(pool, "delivered")) === 40);
  for (const sender of senders) await sender.stop();

  assert.equal(target.received.length, 40);
});

test("an attempt whose process died is repeated when its lease expires", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const target = await startWebhookTarget(t);
  await aTarget(pool, target.url);
  await aLiveAlert(pool);
  await arrive(pool, [aListingWith()]);
  await matchAll(pool);
  await pool.execute(
    sql`update webhook_delivery set attempt_count = 1, next_attempt_at_ms = ${NOW_MS + MINUTE_MS}`,
  );
  const clock = createTestClock();

  const sender = send(t, pool, { clock });
  clock.advance(59_000);
  await new Promise((settle) => setTimeout(settle, 50));
  assert.equal(target.received.length, 0);
  clock.advance(1_000);
  sender.wake();
  await until(() => target.received.length === 1);
  await sender.stop();
});

test("a delivery that was postponed while the clock was 31 days ahead is sent when it is right again", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const target = await startWebhookTarget(t);
  await aTarget(pool, target.url);
  await aLiveAlert(pool);
  await arrive(pool, [aListingWith()]);
  await matchAll(pool);
  await pool.execute(
    sql`update webhook_delivery set attempt_count = 1, next_attempt_at_ms = ${NOW_MS + 31 * DAY_MS}`,
  );

  const sender = send(t, pool);
  await until(() => target.received.length === 1);
  await sender.stop();
});

test("an attempt leaves nothing behind at the signal of the service", async (t) => {
  const target = await startWebhookTarget(t);
  const { signal } = new AbortController();
  const post = { url: target.url, headers: {}, body: "{}", isPrivateAllowed: true, signal };

  for (let at = 0; at < 3; at += 1) await postWebhook({ ...post, timeoutMs: 10_000 });

  assert.equal(target.received.length, 3);
  assert.equal(countDependants(signal), 0);
});

test("many attempts at once are no warning of a leak", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const held: ServerResponse[] = [];
  const target = await startWebhookTarget(t, (response) => held.push(response));
  for (let at = 0; at < 12; at += 1) await aTarget(pool, target.url);
  await aLiveAlert(pool);
  await arrive(pool, [aListingWith()]);
  await matchAll(pool);
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on("warning", note);
  t.after(() => process.off("warning", note));

  const sender = send(t, pool);
  await until(() => held.length === 12);
  for (const response of held) response.end();
  await until(async () => (await countBy(pool, "delivered")) === 12);
  await sender.stop();

  assert.deepEqual(warnings, []);
});

test("private addresses and unencrypted HTTP are rejected, by name and by address", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const target = await startWebhookTarget(t);
  const port = new URL(target.url).port;
  const urls = [
    target.url,
    `https://127.0.0.1:${port}/`,
    `https://[::1]:${port}/`,
    `https://localhost:${port}/`,
    `https://0x7f.1:${port}/`,
    "https://169.254.169.254/",
    "ftp://example.com/",
    "nowhere",
  ];
  for (const url of urls) await aTarget(pool, url);
  await aTarget(pool, target.url, { secret: "plain" });
  await aLiveAlert(pool);
  await arrive(pool, [aListingWith()]);
  await matchAll(pool);

  const sender = send(t, pool, { isPrivateAllowed: false });
  await until(async () => {
    const rows = await listDeliveries(pool, { limit: 20 });
    return rows.every(({ last_result }) => last_result !== null);
  });
  await sender.stop();

  const rows = await listDeliveries(pool, { limit: 20 });
  const results = rows.map(({ last_result }) => last_result).sort();
  assert.deepEqual(results, [
    "not a URL",
    "not an HTTPS URL",
    "plain HTTP refused",
    ...Array.from({ length: 5 }, () => "private address refused"),
    "the secret is not whsec_…",
  ]);
  assert.deepEqual(target.received, []);
});

test("only addresses of the public internet are public", () => {
  const kept = ["8.8.8.8", "1.1.1.1", "172.32.0.1", "2606:4700::1111", "2a00:1450::1"];
  const refused = [
    ...["0.0.0.0", "10.1.2.3", "100.64.0.1", "127.9.9.9", "169.254.169.254", "172.16.0.1"],
    ...["192.168.1.1", "198.18.0.1", "224.0.0.1", "255.255.255.255", "192.0.2.7"],
    ...["::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "ff02::1"],
    ...["::ffff:127.0.0.1", "::ffff:8.8.8.8", "64:ff9b::7f00:1", "2002:7f00:1::", "2001::1"],
    ...["2001:db8::1", "localhost", ""],
  ];

  assert.deepEqual(
    kept.filter((address) => !isPublicAddress(address)),
    [],
  );
  assert.deepEqual(refused.filter(isPublicAddress), []);
});

test("a pending delivery follows a merged listing and is not sent twice", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const target = await startWebhookTarget(t);
  await aTarget(pool, target.url);
  await aLiveAlert(pool);
  const [old, current] = [aListingWith(), aListingWith()];
  await arrive(pool, [old, current]);
  await matchAll(pool);
  await pool.execute(sql`delete from listing where id = ${old.id}`);
  await pool.execute(
    sql`insert into listing_alias (old_id, listing_id) values (${old.id}, ${current.id})`,
  );
  await pool.execute(
    sql`insert into match_queue (resource, resource_id) values ('watch_listing', ${old.id})`,
  );
  await matchAll(pool);

  const sender = send(t, pool);
  await until(async () => (await countBy(pool, "pending")) === 0);
  await sender.stop();

  assert.equal(target.received.length, 1);
  assert.equal(JSON.parse(target.received[0]?.body ?? "").data.listing.id, current.id);
});

test("a target that was told of a listing is not told of the listing that it was merged into", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const target = await startWebhookTarget(t);
  await aTarget(pool, target.url);
  await aLiveAlert(pool);
  const [old, current] = [aListingWith(), aListingWith()];
  await arrive(pool, [old, current]);
  await matchAll(pool);
  await pool.execute(sql`
    update webhook_delivery set status = 'delivered', finished_at_ms = ${NOW_MS}, attempt_count = 1
     where resource_id = ${old.id}`);
  await pool.execute(sql`delete from listing where id = ${old.id}`);
  await pool.execute(
    sql`insert into listing_alias (old_id, listing_id) values (${old.id}, ${current.id})`,
  );
  await queueMatches(pool, "watch_listing", [old.id], null);

  await matchAll(pool);

  assert.equal(await countBy(pool, "pending"), 0);
  assert.equal(await countBy(pool, "delivered"), 1);
});

test("when a listing is merged, deliveries keep their status and attempts", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const [done, waiting] = [await startWebhookTarget(t), await startWebhookTarget(t)];
  const [doneId, waitingId] = [await aTarget(pool, done.url), await aTarget(pool, waiting.url)];
  await aLiveAlert(pool);
  const [old, current] = [aListingWith(), aListingWith()];
  await arrive(pool, [old]);
  await matchAll(pool);
  await pool.execute(sql`
    update webhook_delivery set status = 'delivered', finished_at_ms = ${NOW_MS}, attempt_count = 1
     where target_id = ${doneId}`);
  await pool.execute(sql`
    update webhook_delivery set attempt_count = 3, next_attempt_at_ms = ${NOW_MS + 1_000}, body = '{"a":1}'
     where target_id = ${waitingId}`);
  const before = await listDeliveries(pool, { limit: 10 });
  await insertListings(pool, [current]);
  await pool.execute(sql`delete from listing where id = ${old.id}`);
  await pool.execute(
    sql`insert into listing_alias (old_id, listing_id) values (${old.id}, ${current.id})`,
  );
  // The listing that replaced it is fresh too, so that it would fire if the match had not been moved.
  await queueMatches(pool, "watch_listing", [old.id, current.id]);
  await matchAll(pool);

  const after = await listDeliveries(pool, { limit: 10 });
  const clock = createTestClock();
  clock.advance(1_000);
  const sender = send(t, pool, { clock });
  await until(async () => (await countBy(pool, "pending")) === 0);
  await sender.stop();

  assert.deepEqual(
    [...after],
    before.map((row) => (row.status === "pending" ? { ...row, resource_id: current.id } : row)),
  );
  assert.deepEqual(done.received, []);
  assert.deepEqual(
    waiting.received.map(({ body }) => body),
    ['{"a":1}'],
  );
});

/** Merges a listing into another. Returns the moves that follow. */
async function merge(
  db: Database,
  old: TestListing,
  current: TestListing,
): Promise<readonly Move[]> {
  await db.execute(sql`delete from listing where id = ${old.id}`);
  await db.execute(
    sql`insert into listing_alias (old_id, listing_id) values (${old.id}, ${current.id})`,
  );
  const { id: to, canonical_message_id } = current;
  return [{ resource: "watch_listing", from: old.id, to, canonical_message_id }];
}

test("a delivery whose match moves while it is under way is sent by any channel", async (t) => {
  const { pool } = await openTestDatabase(t);
  const [hook, ntfy] = [await startWebhookTarget(t), await startWebhookTarget(t)];
  await aTarget(pool, hook.url);
  await aTarget(pool, ntfy.url, { kind: "ntfy", secret: null });
  await aLiveAlert(pool);
  const [old, current] = [aListingWith(), aListingWith()];
  await arrive(pool, [old]);
  await matchAll(pool);
  await insertListings(pool, [current]);
  const clock = createTestClock();

  let sender: ReturnType<typeof send> | undefined;
  await pool.transaction(async (tx) => {
    await tx.execute(sql`lock table alert_match in access exclusive mode`);
    sender = send(t, pool, { clock });
    await until(async () => {
      const rows = await listDeliveries(pool, { limit: 2 });
      return rows.every(({ attempt_count }) => attempt_count === 1);
    });
    const moves = await merge(tx, old, current);
    await moveMatches(tx, moves);
    await moveDeliveries(tx, moves);
  });
  await until(async () => {
    // A claim that was released can be made again when the pace of its target allows it.
    clock.advance(11_000);
    sender?.wake();
    return (await countBy(pool, "pending")) === 0;
  });
  await sender?.stop();

  assert.equal(await countBy(pool, "delivered"), 2);
  assert.deepEqual([hook.received.length, ntfy.received.length], [1, 1]);
});

test("a dead delivery follows a merged listing, so that it can be sent again, and is dropped if the target was told", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const [failed, told] = [await startWebhookTarget(t), await startWebhookTarget(t)];
  const [, toldId] = [await aTarget(pool, failed.url), await aTarget(pool, told.url)];
  await aLiveAlert(pool);
  const [old, current] = [aListingWith(), aListingWith()];
  await arrive(pool, [old, current]);
  await matchAll(pool);
  await pool.execute(sql`
    update webhook_delivery set status = 'dead', finished_at_ms = ${NOW_MS}, attempt_count = 10
     where resource_id = ${old.id}`);
  await pool.execute(
    sql`delete from webhook_delivery where resource_id = ${current.id} and target_id <> ${toldId}`,
  );
  await pool.execute(sql`
    update webhook_delivery set status = 'delivered', finished_at_ms = ${NOW_MS} where resource_id = ${current.id}`);

  await merge(pool, old, current);
  await queueMatches(pool, "watch_listing", [old.id], null);
  await matchAll(pool);
  const retried = await retryDeliveries(pool, "all dead", { name: "test", nowMs: NOW_MS });
  const sender = send(t, pool);
  await until(async () => (await countBy(pool, "pending")) === 0);
  await sender.stop();

  assert.equal(retried, 1);
  assert.deepEqual(
    failed.received.map(({ body }) => JSON.parse(body).data.listing.id),
    [current.id],
  );
  assert.deepEqual(told.received, []);
});

test("what is told again of a passed watch that is back is kept by a merge, although its match was told before", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const target = await startWebhookTarget(t);
  await aTarget(pool, target.url);
  await aLiveAlert(pool);
  const [old, current] = [aListingWith(), aListingWith()];
  await arrive(pool, [old]);
  await matchAll(pool);
  await pool.execute(sql`
    update webhook_delivery set status = 'delivered', finished_at_ms = ${NOW_MS}, created_at_ms = ${NOW_MS - 60_000}`);
  await pool.execute(sql`update alert_match set returned_at_ms = ${NOW_MS}`);
  await pool.execute(sql`
    insert into webhook_delivery (id, target_id, alert_id, resource, resource_id, next_attempt_at_ms, created_at_ms)
    select gen_random_uuid(), target_id, alert_id, resource, resource_id, 0, ${NOW_MS} from webhook_delivery`);

  await insertListings(pool, [current]);
  const moves = await merge(pool, old, current);
  await pool.transaction(async (tx) => {
    await moveMatches(tx, moves);
    await moveDeliveries(tx, moves);
  });
  const sender = send(t, pool);
  await until(async () => (await countBy(pool, "delivered")) === 2);
  await sender.stop();

  assert.deepEqual(
    target.received.map(({ body }) => JSON.parse(body).data.listing.id),
    [current.id],
  );
});

test("a delivery that someone else deleted after it was claimed is not sent", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const target = await startWebhookTarget(t);
  await aTarget(pool, target.url);
  await aLiveAlert(pool);
  await arrive(pool, [aListingWith()]);
  await matchAll(pool);
  const [delivery] = await listDeliveries(pool, { limit: 2 });
  assert.ok(delivery !== undefined);

  await pool.execute(sql`delete from webhook_delivery`);

  assert.deepEqual([...(await takeSilenced(pool, [delivery]))], [delivery.id]);
});

test("a target that is narrowed to other alerts gets nothing that waited of the others, whatever its new address is", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const [former, next] = [await startWebhookTarget(t), await startWebhookTarget(t)];
  const id = await aTarget(pool, former.url);
  const kept = await aLiveAlert(pool);
  await aLiveAlert(pool);
  await arrive(pool, [aListingWith()]);
  await matchAll(pool);
  const waiting = await countBy(pool, "pending");

  const [target] = await listWebhookTargets(pool);
  assert.ok(target?.id === id);
  await pool.transaction((tx) =>
    saveWebhookTargets(tx, [{ ...target, url: next.url, alert_ids: [kept] }], {
      nowMs: NOW_MS,
      by: "test",
    }),
  );
  const left = await listDeliveries(pool, { limit: 10 });
  // As if a step that knew the target as it was had committed after it.
  await pool.execute(sql`
    insert into webhook_delivery (id, target_id, alert_id, resource, resource_id, next_attempt_at_ms, created_at_ms)
    select gen_random_uuid(), ${id}, alert_id, resource, resource_id, 0, 0 from alert_match where alert_id <> ${kept}`);
  const sender = send(t, pool);
  await until(async () => (await countBy(pool, "pending")) === 0);
  await sender.stop();

  assert.equal(waiting, 2);
  assert.deepEqual(
    left.map(({ alert_id }) => alert_id),
    [kept],
  );
  assert.deepEqual(former.received, []);
  assert.deepEqual(
    next.received.map(({ body }) => JSON.parse(body).data.alert.id),
    [kept],
  );
});

test("the end of a delivery that met a deadlock is saved, and it is not sent again", async (t) => {
  const { pool } = await openTestDatabase(t);
  const target = await startWebhookTarget(t);
  await aTarget(pool, target.url);
  await aLiveAlert(pool);
  await arrive(pool, [aListingWith()]);
  await matchAll(pool);
  await pool.script(`
    create sequence tries;
    create function refuse() returns trigger language plpgsql as $$ begin
      if nextval('tries') = 1 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
      return new;
    end $$;
    create trigger refuses before update on webhook_delivery for each row
      when (new.status = 'delivered') execute function refuse()`);

  const sender = send(t, pool);
  await until(async () => (await countBy(pool, "delivered")) === 1);
  await sender.stop();

  assert.equal(target.received.length, 1);
});
