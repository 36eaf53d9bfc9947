import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { DatabasePool } from "../../../src/db/database.ts";
import { sql } from "../../../src/db/sql.ts";
import { aLiveAlert, arrive, matchAll } from "../../support/alerts.ts";
import { aTarget, countBy, startMailServer, startWebhookTarget } from "../../support/deliveries.ts";
import { aListingWith } from "../../support/listings.ts";
import { applyTexts } from "../../support/manifest.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, NOW_MS, openTestApp } from "../../support/test-app.ts";

const PATH = "/v2/webhook-targets";
const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const BOT_TOKEN = "123456:AAaaBBbbCCccDDddEEeeFFff";
const QUIET = { from: "22:00", to: "07:00", time_zone: "Europe/Berlin" };

test("a target of each kind is created, shown without its secret, changed, rotated and deleted", async (t) => {
  const own = await borrowTestApp(t);
  const alert = await declareAlert(own.db);
  const bodies = [
    { name: "a", url: "https://a.example.org/x", secret: SECRET, alerts: [alert] },
    { name: "b", kind: "ntfy", url: "https://ntfy.sh/topic", token: "tk_geheim" },
    { name: "c", kind: "telegram", bot_token: BOT_TOKEN, chat_id: -1001, quiet_hours: QUIET },
    { name: "d", kind: "email", to: "desk@example.org" },
  ];

  const made = [];
  for (const body of bodies) made.push(await own.send("POST", PATH, body));
  const list = await own.call("GET", PATH);

  assert.deepEqual(
    made.map(({ status }) => status),
    [201, 201, 201, 201],
  );
  const [standard, ntfy, telegram, email] = made.map(({ body }) => body);
  assert.deepEqual(list.body, { items: [standard, ntfy, telegram, email] });
  assert.deepEqual(
    [standard.kind, standard.alerts, standard.has_secret],
    ["standard", [alert], true],
  );
  assert.deepEqual([ntfy.url, ntfy.has_secret], ["https://ntfy.sh/topic", true]);
  assert.deepEqual([telegram.chat_id, telegram.quiet_hours], ["-1001", QUIET]);
  assert.deepEqual(
    [email.to, email.has_secret, email.managed_by],
    ["desk@example.org", false, "api"],
  );
  const path = `${PATH}/${telegram.id}`;
  const rotated = await own.send("PATCH", path, { bot_token: BOT_TOKEN.replaceAll("a", "b") });
  assert.equal(rotated.status, 200);
  const [row] = await own.db.query<{ secret: string; recipient: string }>(
    sql`select secret, recipient from webhook_target where id = ${telegram.id}`,
  );
  assert.deepEqual({ ...row }, { secret: BOT_TOKEN.replaceAll("a", "b"), recipient: "-1001" });
  const moved = await own.send("PATCH", path, {
    kind: "email",
    bot_token: null,
    chat_id: null,
    to: "me@example.org",
    quiet_hours: null,
  });
  assert.deepEqual(
    [moved.status, moved.body.kind, moved.body.to],
    [200, "email", "me@example.org"],
  );
  assert.ok(!("quiet_hours" in moved.body) && !moved.body.has_secret);
  const open = await own.send("PATCH", `${PATH}/${ntfy.id}`, { token: null });
  assert.equal(open.body.has_secret, false);
  const all = JSON.stringify([made, list, rotated, moved, open, await own.call("GET", path)]);
  assert.ok(!/whsec_|geheim|AAaa|AAbb/.test(all));
  assert.equal((await own.send("DELETE", path)).status, 204);
  assert.equal((await own.call("GET", path)).body.error.code, "webhook_target_not_found");
});

test("where matches are sent is closed to the market, and of an address the desk sees the server only", async (t) => {
  const own = await borrowTestApp(t);
  const [desk, market] = await Promise.all(
    (["desk", "market"] as const).map(async (role) => ({
      authorization: `Bearer ${await addToken(own.db, { role })}`,
    })),
  );
  const bodies = [
    { name: "a", url: "https://hooks.example.org/services/T0/geheim?key=geheim", secret: SECRET },
    { name: "b", kind: "ntfy", url: "https://ntfy.sh/geheim" },
    { name: "c", kind: "email", to: "desk@example.org" },
    { name: "d", url: "https://a.example.org", secret: SECRET },
  ];

  const made = [];
  for (const body of bodies) made.push(await own.send("POST", PATH, body, desk));
  const paths = [PATH, ...made.map(({ body }) => `${PATH}/${body.id}`)];
  const ofDesk = [...made, await own.call("GET", "/v2/manifest", desk)];
  for (const path of paths) ofDesk.push(await own.call("GET", path, desk));
  ofDesk.push(await own.send("PATCH", paths[1] ?? "", { quiet_hours: QUIET }, desk));

  const { items } = (await own.call("GET", PATH, desk)).body;
  assert.deepEqual(
    items.map(({ url, to }: { url?: string; to?: string }) => url ?? to),
    ["https://hooks.example.org/…", "https://ntfy.sh/…", "desk@example.org", bodies[3]?.url],
  );
  assert.ok(ofDesk.every(({ status, text }) => status < 300 && !text.includes("geheim")));
  const all = (await own.call("GET", PATH)).body.items;
  assert.deepEqual(
    all.map(({ url }: { url?: string }) => url),
    bodies.map(({ url }) => url),
  );
  assert.match((await own.call("GET", "/v2/manifest")).text, /ntfy\.sh\/geheim/);
  for (const path of [...paths, `${paths[1]}/deliveries`]) {
    assert.equal((await own.call("GET", path, market)).status, 403, path);
  }
});

test("a cut address that is sent back keeps what is stored, and none is stored cut", async (t) => {
  const own = await openTestApp(t);
  const desk = { authorization: `Bearer ${await addToken(own.db, { role: "desk" })}` };
  const url = "https://ntfy.sh/geheim";
  const body = { name: "phone", kind: "ntfy", url, token: "tk_1" };
  const path = `${PATH}/${(await own.send("POST", PATH, body)).body.id}`;
  const stored = async () =>
    (await own.db.query<object>(sql`select name, url, secret from webhook_target`)).map((row) => ({
      ...row,
    }));
  const shown = await own.call("GET", path, desk);
  const tag = { ...desk, "if-match": String(shown.headers["etag"]) };

  own.clock.advance(1);
  const same = await own.send("PATCH", path, { url: shown.body.url }, tag);
  const named = await own.send("PATCH", path, { name: "mine", url: shown.body.url }, tag);
  const stale = await own.send("PATCH", path, { name: "other" }, tag);
  const refused = [
    await own.send("PATCH", path, { url: "https://ntfy.example.org/…", token: "tk_2" }, desk),
    await own.send("PATCH", path, { url: "https://ntfy.sh/%E2%80%A6" }),
    await own.send("POST", PATH, { ...body, name: "new", url: shown.body.url }, desk),
  ];

  assert.equal(shown.body.url, "https://ntfy.sh/…");
  assert.deepEqual([same.status, named.status, stale.status], [200, 200, 412]);
  assert.equal(same.body.updated_at_ms, shown.body.updated_at_ms);
  assert.deepEqual([named.body.name, named.body.url], ["mine", shown.body.url]);
  assert.deepEqual(await stored(), [{ name: "mine", url, secret: "tk_1" }]);
  for (const { status, body: answer } of refused) {
    assert.equal(status, 400);
    assert.match(answer.error.message, /^url: is only the part that is shown of another address/);
  }
  const moved = await own.send("PATCH", path, { url: "https://ntfy.sh/other" }, desk);
  assert.equal(moved.status, 200);
  assert.deepEqual(await stored(), [
    { name: "mine", url: "https://ntfy.sh/other", secret: "tk_1" },
  ]);
});

test("a change of address sends a stored token to no other server", async (t) => {
  const old = await startWebhookTarget(t);
  const other = await startWebhookTarget(t);
  const own = await openTestApp(t, { environment: { ASSAY_WEBHOOK_ALLOW_PRIVATE: "true" } });
  const [home, away] = [old, other].map(({ url }) => new URL(url).origin);
  const made = await own.send("POST", PATH, {
    name: "phone",
    kind: "ntfy",
    url: `${home}/topic`,
    token: "tk_geheim",
  });
  const path = `${PATH}/${made.body.id}`;
  const sentTo = async ({ received }: typeof old) => {
    await own.send("POST", `${path}/test`);
    return received.at(-1)?.headers["authorization"];
  };

  const refused = await own.send("PATCH", path, { url: `${away}/topic`, name: "mine" });
  const wrong = await own.send("PATCH", path, { url: `${away}/` });
  const topic = await own.send("PATCH", path, { url: `${home}/another` });
  const kept = await sentTo(old);
  const removed = await own.send("PATCH", path, { url: `${away}/topic`, token: null });
  const without = await sentTo(other);
  const given = await own.send("PATCH", path, { url: `${home}/topic`, token: "tk_new" });
  const anew = await sentTo(old);

  assert.deepEqual([refused.status, refused.body.error.code], [400, "invalid_payload"]);
  assert.equal(
    refused.body.error.message,
    "token: must be sent again, because url names another server; null removes it",
  );
  assert.match(wrong.body.error.message, /^url: must be the address of a topic/);
  assert.deepEqual([topic.status, removed.status, given.status], [200, 200, 200]);
  assert.deepEqual([kept, without, anew], ["Bearer tk_geheim", undefined, "Bearer tk_new"]);
  assert.equal(other.received.length, 1);
});

test("a repeated POST returns the target, a manifest's target is managed elsewhere, a stale tag is 412", async (t) => {
  const own = await openTestApp(t);
  await applyTexts(own.db, "webhooks: [{name: declared, kind: email, to: a@example.org}]");
  const [declared] = (await own.call("GET", PATH)).body.items;
  const body = { id: randomUUID(), name: "mine", kind: "email", to: "a@example.org" };

  const first = await own.send("POST", PATH, body);
  const again = await own.send("POST", PATH, body);
  const other = await own.send("POST", PATH, { ...body, to: "b@example.org" });
  const taken = await own.send("POST", PATH, { ...body, id: randomUUID(), name: "declared" });
  const foreign = await own.send("PATCH", `${PATH}/${declared.id}`, { to: "b@example.org" });
  const kept = await own.send("DELETE", `${PATH}/${declared.id}`);
  own.clock.advance(1);
  const tag = { "if-match": String(first.headers["etag"]) };
  const changed = await own.send("PATCH", `${PATH}/${body.id}`, { name: "ours" }, tag);
  const stale = await own.send("PATCH", `${PATH}/${body.id}`, { name: "theirs" }, tag);

  assert.deepEqual([first.status, again.status], [201, 200]);
  assert.deepEqual(again.body, first.body);
  for (const refused of [other, taken]) {
    assert.deepEqual([refused.status, refused.body.error.code], [409, "already_exists"]);
  }
  for (const refused of [foreign, kept]) {
    assert.deepEqual([refused.status, refused.body.error.code], [409, "managed_elsewhere"]);
  }
  assert.deepEqual([changed.status, stale.status], [200, 412]);
});

test("bad targets are refused with the member and without the secret, and nothing changes", async (t) => {
  const own = await borrowTestApp(t);
  const readOnly = { authorization: `Bearer ${await addToken(own.db, { isReadOnly: true })}` };
  const email = { name: "x", kind: "email", to: "a@example.org" };
  const refusals: readonly [object, RegExp][] = [
    [{ name: "x" }, /url: is required for a target of the kind standard/],
    [{ ...email, kind: "pigeon" }, /kind/],
    [{ ...email, extra: 1 }, /extra/],
    [{ ...email, url: "https://a.example.org" }, /url: does not belong/],
    [{ ...email, to: "a@example.org, b@example.org" }, /to: must be one e-mail address/],
    [{ ...email, to: "a@example.org\r\nBcc: b@example.org" }, /to: must be one e-mail address/],
    [{ name: "x", kind: "telegram", bot_token: "geheim/../x", chat_id: 1 }, /bot_token: must be/],
    [{ name: "x", kind: "telegram", bot_token: BOT_TOKEN, chat_id: "no chat" }, /chat_id: must be/],
    [{ name: "x", kind: "ntfy", url: "https://ntfy.sh/" }, /url: must be the address of a topic/],
    [
      { name: "x", kind: "ntfy", url: "https://u:p@ntfy.sh/t" },
      /url: must (be the address|not have a user name)/,
    ],
    [
      { name: "x", kind: "ntfy", url: "https://ntfy.sh/t", token: "geheim\r\nx: y" },
      /token: must be/,
    ],
    [{ name: "x", url: "ftp://a.example.org", secret: SECRET }, /url: must be an http/],
    [{ name: "x", url: "https://a.example.org", secret: "geheim" }, /secret: must be whsec_/],
    [{ ...email, quiet_hours: { ...QUIET, from: "25:00" } }, /quiet_hours\.from/],
    [{ ...email, quiet_hours: { ...QUIET, time_zone: "Nowhere/X" } }, /quiet_hours\.time_zone/],
    [{ ...email, quiet_hours: { from: "1:00" } }, /time_zone/],
    [{ ...email, alerts: ["no such alert"] }, /alerts\[0\]: there is no alert/],
    [{ ...email, alerts: [] }, /alerts/],
    [{ ...email, alerts: Array.from({ length: 1_001 }, () => "a") }, /alerts/],
  ];

  for (const [body, message] of refusals) {
    const answer = await own.send("POST", PATH, body);
    assert.deepEqual([answer.status, answer.body.error.code], [400, "invalid_payload"]);
    assert.match(answer.body.error.message, message);
    assert.ok(!/geheim|AAaa/.test(answer.text), answer.text);
  }
  assert.equal((await own.send("POST", PATH, email, readOnly)).status, 403);
  assert.deepEqual((await own.call("GET", PATH)).body, { items: [] });
  const id = randomUUID();
  const calls = [
    await own.call("GET", `${PATH}/${id}`),
    await own.send("PATCH", `${PATH}/${id}`, { name: "y" }),
    await own.send("DELETE", `${PATH}/${id}`),
    await own.send("POST", `${PATH}/${id}/test`),
    await own.call("GET", `${PATH}/${id}/deliveries`),
  ];
  for (const { status, body } of calls) {
    assert.deepEqual([status, body.error.code], [404, "webhook_target_not_found"]);
  }
  const missing = await own.send("POST", `/v2/deliveries/${id}/retry`);
  assert.deepEqual([missing.status, missing.body.error.code], [404, "delivery_not_found"]);
  for (const path of [`${PATH}/7`, `${PATH}/7/deliveries`, `${PATH}?limit=0`, `${PATH}?cursor=x`]) {
    assert.equal((await own.call("GET", path)).status, 400, path);
  }
  assert.equal((await own.send("POST", "/v2/deliveries/7/retry")).status, 400);
});

test("a test message is really sent, also in quiet hours, and the response says what happened", async (t) => {
  const hook = await startWebhookTarget(t, (response) => {
    response.statusCode = hook.received.at(-1)?.path.startsWith("/bot") ? 403 : 200;
    response.end();
  });
  const mail = await startMailServer(t);
  const origin = new URL(hook.url).origin;
  const own = await openTestApp(t, {
    environment: {
      ASSAY_WEBHOOK_ALLOW_PRIVATE: "true",
      ASSAY_TELEGRAM_URL: origin,
      ASSAY_SMTP_URL: mail.url,
      ASSAY_SMTP_FROM: "assay@example.org",
      ASSAY_PUBLIC_URL: "https://assay.example.org",
    },
  });
  const always = { from: "00:00", to: "23:59", time_zone: "UTC" };
  const standard = await aTarget(own.db, hook.url, { quiet_hours: always, gone_at_ms: 1 });
  const ntfy = await aTarget(own.db, `${origin}/topic`, { kind: "ntfy", secret: null });
  const telegram = await aTarget(own.db, null, {
    kind: "telegram",
    secret: BOT_TOKEN,
    recipient: "1",
  });
  const email = await aTarget(own.db, null, {
    kind: "email",
    secret: null,
    recipient: "desk@example.org",
  });

  const results = [];
  for (const id of [standard, ntfy, telegram, email]) {
    results.push((await own.send("POST", `${PATH}/${id}/test`)).body);
  }

  assert.deepEqual(results, [
    { is_delivered: true, result: "200" },
    { is_delivered: true, result: "200" },
    {
      is_delivered: false,
      result: "403 refused by the chat",
      help: "unblock the bot or add it to the chat, then retry a delivery",
    },
    { is_delivered: true, result: "250" },
  ]);
  const [signed, published] = hook.received.map(({ body }) => JSON.parse(body));
  assert.deepEqual(signed, {
    type: "target.test",
    timestamp: new Date(NOW_MS).toISOString(),
    data: { target: { id: standard, name: standard } },
  });
  assert.match(String(hook.received[0]?.headers["webhook-signature"]), /^v1,/);
  assert.equal(published.title, "Test message from Assay");
  assert.match(mail.received[0]?.raw ?? "", /^Subject: Test message from Assay\r$/m);
  const gone = await own.db.query(sql`select from webhook_target where gone_at_ms is not null`);
  assert.equal(gone.length, 0);
});

test("a target is tested six times a minute, then 429; a read-only token tests nothing", async (t) => {
  const own = await openTestApp(t);
  const id = await aTarget(own.db, "https://127.0.0.1:9/");
  const readOnly = { authorization: `Bearer ${await addToken(own.db, { isReadOnly: true })}` };

  const statuses = [];
  for (let at = 0; at < 7; at += 1) {
    statuses.push(await own.send("POST", `${PATH}/${id}/test`));
  }
  const forbidden = await own.send("POST", `${PATH}/${id}/test`, undefined, readOnly);

  assert.deepEqual(
    statuses.map(({ status }) => status),
    [200, 200, 200, 200, 200, 200, 429],
  );
  assert.deepEqual(statuses[0]?.body, {
    is_delivered: false,
    result: "private address refused",
    help: "to allow private addresses and plain HTTP, set ASSAY_WEBHOOK_ALLOW_PRIVATE=true",
  });
  assert.equal(statuses[6]?.headers["retry-after"], "10");
  assert.equal(forbidden.status, 403);
});

test("pages visit every delivery of the target once, newest first, and a cursor fits its target only", async (t) => {
  const own = await borrowTestApp(t);
  const [id, other] = [
    await aTarget(own.db, "https://a.example.org/"),
    await aTarget(own.db, "x:"),
  ];
  await aLiveAlert(own.db);
  await arrive(
    own.db,
    Array.from({ length: 5 }, () => aListingWith()),
  );
  await matchAll(own.db);

  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await own.call(
      "GET",
      `${PATH}/${id}/deliveries?limit=2${cursor === undefined ? "" : `&cursor=${cursor}`}`,
    );
    for (const item of page.body.items) seen.push(item.id);
    cursor = page.body.next_cursor ?? undefined;
    if (cursor !== undefined) {
      const wrong = await own.call("GET", `${PATH}/${other}/deliveries?cursor=${cursor}`);
      assert.equal(wrong.status, 400);
    }
  } while (cursor !== undefined);

  assert.equal(new Set(seen).size, 5);
  assert.equal(seen.length, 5);
  const empty = await own.call("GET", `${PATH}/${await aTarget(own.db, "y:")}/deliveries`);
  assert.deepEqual(empty.body, { items: [] });
});

test("a dead delivery is retried with all attempts and its target is not gone any more; a delivered one stays", async (t) => {
  const own = await borrowTestApp(t);
  const target = await aTarget(own.db, "https://a.example.org/");
  const readOnly = { authorization: `Bearer ${await addToken(own.db, { isReadOnly: true })}` };
  await aLiveAlert(own.db);
  await arrive(own.db, [aListingWith(), aListingWith()]);
  await matchAll(own.db);
  const [dead, done] = (await own.call("GET", `${PATH}/${target}/deliveries`)).body.items;
  await own.db.execute(sql`
    update webhook_delivery
       set status = case when id = ${dead.id} then 'dead' else 'delivered' end, finished_at_ms = 1,
           attempt_count = 10, last_result = '410'`);
  await own.db.execute(sql`update webhook_target set gone_at_ms = 1`);

  const refused = await own.send("POST", `/v2/deliveries/${dead.id}/retry`, undefined, readOnly);
  const retried = await own.send("POST", `/v2/deliveries/${dead.id}/retry`);
  const kept = await own.send("POST", `/v2/deliveries/${done.id}/retry`);

  assert.equal(refused.status, 403);
  assert.deepEqual(retried.body, {
    id: dead.id,
    target_id: target,
    alert_id: dead.alert_id,
    alert_name: "cheap Submariners",
    resource: "watch_listing",
    resource_id: dead.resource_id,
    status: "pending",
    attempt_count: 0,
    last_result: "410",
    next_attempt_at_ms: NOW_MS,
    created_at_ms: NOW_MS,
  });
  assert.deepEqual([kept.status, kept.body.status], [200, "delivered"]);
  assert.equal(await countBy(own.db, "delivered"), 1);
  assert.ok(!("gone_at_ms" in (await own.call("GET", `${PATH}/${target}`)).body));
});

test("a target keeps system alerts by id, and can be changed after one of its alerts was deleted", async (t) => {
  const own = await borrowTestApp(t);
  await applyTexts(
    own.db,
    "profiles: [{name: p}]\nconfigurations: [{configuration_key: k, profile: p, brand: Rolex, reference: '116610'}]",
  );
  const alert = await declareAlert(own.db);
  const made = await own.send("POST", PATH, {
    name: "x",
    kind: "email",
    to: "a@example.org",
    alerts: ["k", alert],
  });

  const again = await own.send("PATCH", `${PATH}/${made.body.id}`, { name: "y" });
  await own.db.execute(sql`delete from alert where id = ${alert}`);
  const left = await own.send("PATCH", `${PATH}/${made.body.id}`, { name: "z" });

  assert.equal(made.status, 201);
  assert.equal(made.body.alerts.length, 2);
  assert.deepEqual(again.body.alerts, made.body.alerts);
  const systemIds = made.body.alerts.filter((id: string) => id !== alert);
  assert.deepEqual([left.status, left.body.name, left.body.alerts], [200, "z", systemIds]);
});

async function declareAlert(db: DatabasePool): Promise<string> {
  await applyTexts(db, "alerts: [{name: cheap, filters: {brand: [Rolex]}}]");
  const [alert] = await db.query<{ id: string }>(sql`select id from alert where name = 'cheap'`);
  return alert?.id ?? "";
}
