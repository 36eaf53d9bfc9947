import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { HOUR_MS } from "../../../src/base/clock.ts";
import { createLogger } from "../../../src/base/log.ts";
import { sql } from "../../../src/db/sql.ts";
import type { NewRawEvent } from "../../../src/intake/raw-event-store.ts";
import { createIntake } from "../../../src/intake/receive-event.ts";
import { createRefusals, listRefusals } from "../../../src/intake/refused-events.ts";
import { startSignatureCheck } from "../../../src/intake/sender-rule.ts";
import { examineRefusals } from "../../../src/operations/examine-gateway.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { NOW_MS, openTestApp, type TestApp, until } from "../../support/test-app.ts";
import { aMessageEvent, envelope, GROUP, SESSION_A } from "../../support/waha.ts";

const KEY = "my-secret-key";

test("the signature is the HMAC-SHA512 of the raw bytes in hex, as WAHA sends it", () => {
  const body = Buffer.from('{"event":"message","session":"default","engine":"WEBJS"}');
  const signature =
    "208f8a55dde9e05519e898b10b89bf0d0b3b0fdf11fdbf09b6b90476301b98d8097c462b2b17a6ce93b6b47a136cf2e78a33a63f6752c2c1631777076153fa89";

  assert.ok(isSignedBy(KEY, body, signature));
  assert.ok(isSignedBy(KEY, body, signature.toUpperCase()));
  for (const wrong of ["", signature.slice(2), `${signature}00`, "zz", `0${signature.slice(1)}`]) {
    assert.ok(!isSignedBy(KEY, body, wrong));
  }
  for (let at = 0; at < body.length; at += 1) {
    const changed = Buffer.from(body);
    changed[at] = (changed[at] ?? 0) ^ 1;
    assert.ok(!isSignedBy(KEY, changed, signature));
  }
});

test("a signed event is stored byte for byte and answered with 202, and a repeat is stored once", async (t) => {
  const app = await openTestApp(t, { environment: { ASSAY_WAHA_HMAC_KEY: KEY } });
  const body = `  ${JSON.stringify(aMessageEvent())}\n`;

  const answers = [await post(app, body), await post(app, body)];

  assert.deepEqual(answers, [202, 202]);
  const rows = await app.db.query<{ body: Buffer }>(sql`select body from raw_event`);
  assert.equal(rows.length, 1);
  assert.equal(rows[0]?.body.toString(), body);
});

test("an event that is not signed with our key is 401, and nothing is stored", async (t) => {
  const app = await openTestApp(t, { environment: { ASSAY_WAHA_HMAC_KEY: KEY } });

  assert.equal(await post(app, "{}", { signature: "00" }), 401);
  assert.equal(await post(app, "{}", { signature: undefined }), 401);
  assert.equal((await app.db.query(sql`select id from raw_event`)).length, 0);
});

test("refused events are logged once with what to check, counted in the metrics, and reported by doctor", async (t) => {
  const lines: string[] = [];
  const log = createLogger("warn", { write: (line) => lines.push(line) });
  const app = await openTestApp(t, { environment: { ASSAY_WAHA_HMAC_KEY: KEY }, log });

  for (let count = 0; count < 50; count += 1) await post(app, "{}", { signature: "00" });
  await until(async () => (await listRefusals(app.db)).length > 0);
  const findings = await examineRefusals(app.db, NOW_MS + 60_000);
  const later = await examineRefusals(app.db, NOW_MS + 2 * HOUR_MS);
  const metrics = await app.app.inject({ url: "/metrics" });

  const warnings = lines.filter((line) => line.includes("ASSAY_WAHA_HMAC_KEY"));
  assert.equal(warnings.length, 1);
  assert.deepEqual(
    findings.map(({ isFine }) => isFine),
    [false],
  );
  assert.match(findings[0]?.text ?? "", /bad_signature.*check that ASSAY_WAHA_HMAC_KEY is/);
  assert.equal(later[0]?.isFine, true);
  assert.match(metrics.body, /assay_webhook_events_total\{result="refused"\} 50/);
});

test("an event with more parts than any group has is refused with its reason, and one of a large group is stored", async (t) => {
  const lines: string[] = [];
  const log = createLogger("warn", { write: (line) => lines.push(line) });
  const app = await openTestApp(t, { environment: { ASSAY_WAHA_HMAC_KEY: KEY }, log });
  const joined = (count: number) => {
    const participants = Array.from({ length: count }, (_, at) => ({
      ...{ JID: `${199_000_000_000 + at}@lid`, LID: `${199_000_000_000 + at}@lid` },
      ...{ PhoneNumber: `${49_171_000_000 + at}@s.whatsapp.net`, DisplayName: "", Error: 0 },
      ...{ IsAdmin: false, IsSuperAdmin: false, AddRequest: null },
    }));
    return JSON.stringify(
      envelope(SESSION_A, NOW_MS, "group.v2.join", { group: { JID: GROUP, participants } }),
    );
  };
  const hostile = [
    joined(30_000),
    `{"a":${'{"b":'.repeat(1_000)}1${"}".repeat(1_001)}`,
    `{${Array.from({ length: 100_001 }, (_, at) => `"k${at}":1`).join(",")}}`,
    `{"event":"message","payload":[${"{},".repeat(100_001)}1]}`,
  ];

  const answers: number[] = [];
  for (const body of hostile) answers.push(await post(app, body));
  const stored = await app.db.query(sql`select id from raw_event`);
  const ofLarge = await post(app, joined(5_000));
  await until(async () => (await listRefusals(app.db)).length > 0);
  const [finding] = await examineRefusals(app.db, NOW_MS + 60_000);
  const metrics = await app.app.inject({ url: "/metrics" });

  assert.deepEqual(answers, [413, 413, 413, 413]);
  assert.deepEqual(stored, []);
  assert.equal(ofLarge, 202);
  assert.match(finding?.text ?? "", /too_many_parts/);
  assert.match(lines.join(), /too_many_parts/);
  assert.match(metrics.body, /assay_webhook_events_total\{result="refused"\} 4/);
});

test("refusals that follow the first are counted together", async (t) => {
  const { db, clock } = await borrowTestApp(t);
  const refusals = createRefusals({ db, clock, log: createLogger("silent"), intervalMs: 20 });

  for (let count = 0; count < 50; count += 1) refusals.note("bad_signature");

  await until(async () => (await listRefusals(db))[0]?.refused_count === 50);
});

test("without a key, events are refused unless that is allowed, and always beyond loopback", async (t) => {
  const statusWith = async (environment: Readonly<Record<string, string>>): Promise<number> =>
    post(await openTestApp(t, { environment }), "{}", { signature: undefined });

  assert.equal(await statusWith({}), 401);
  assert.equal(await statusWith({ ASSAY_WAHA_UNSIGNED: "true" }), 202);
  assert.equal(await statusWith({ ASSAY_DEMO: "true" }), 202);
  assert.equal(await statusWith({ ASSAY_WAHA_UNSIGNED: "true", HOST: "0.0.0.0" }), 401);
  assert.equal(await statusWith({ ASSAY_DEMO: "true", HOST: "0.0.0.0" }), 401);
});

test("a refused event names the setting that is missing", async (t) => {
  const { app } = await borrowTestApp(t);

  const answer = await app.inject({ method: "POST", url: "/v2/webhooks/waha", payload: "{}" });

  assert.equal(answer.statusCode, 401);
  assert.match(answer.json().error.message, /ASSAY_WAHA_HMAC_KEY.*ASSAY_WAHA_UNSIGNED/);
});

test("an unsigned event that a web page or a proxy sent is refused, and a signed one is not", async (t) => {
  const unsigned = await openTestApp(t, { environment: { ASSAY_WAHA_UNSIGNED: "true" } });
  const signed = await openTestApp(t, { environment: { ASSAY_WAHA_HMAC_KEY: KEY } });
  const foreign = {
    origin: "https://evil.example",
    "sec-fetch-site": "cross-site",
    forwarded: "for=192.0.2.1",
    "x-forwarded-for": "192.0.2.1",
    "x-forwarded-host": "assay.example",
    via: "1.1 proxy",
  };

  for (const [name, value] of Object.entries(foreign)) {
    const headers = { "content-type": "text/plain", [name]: value };
    assert.equal(await post(unsigned, "{}", { signature: undefined, headers }), 401, name);
    assert.equal(await post(signed, "{}", { signature: "right", headers }), 202, name);
  }
  // Node's own fetch sends this one.
  const headers = { "sec-fetch-mode": "cors" };
  assert.equal(await post(unsigned, "{}", { signature: undefined, headers }), 202);
});

test("any body is stored and acknowledged", async (t) => {
  const app = await openTestApp(t, { environment: { ASSAY_WAHA_HMAC_KEY: KEY } });
  const bodies = [
    "",
    "not json",
    Buffer.from([0xff, 0xfe, 0x00]),
    '{"x":"\\u0000"}',
    '{"x":"\\ud800"}',
    "[".repeat(400),
    '{"__proto__":{"polluted":true}}',
  ];

  for (const body of bodies) assert.equal(await post(app, body), 202);

  assert.equal((await app.db.query(sql`select id from raw_event`)).length, bodies.length);
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});

test("a body over 16 MiB is 413, and a smaller one is accepted", async (t) => {
  const app = await openTestApp(t, { environment: { ASSAY_WAHA_HMAC_KEY: KEY } });

  assert.equal(await post(app, Buffer.alloc(16 * 1024 * 1024 + 1, "x")), 413);
  assert.equal(await post(app, Buffer.alloc(1024 * 1024, "x")), 202);
});

test("while the store is down, an event gets 503 with Retry-After and is never lost silently", async (t) => {
  const app = await openTestApp(t, { environment: { ASSAY_WAHA_UNSIGNED: "true" } });
  await app.db.end();

  const response = await app.app.inject({
    method: "POST",
    url: "/v2/webhooks/waha",
    headers: { "content-type": "application/json" },
    payload: "{}",
  });
  const metrics = await app.app.inject({ url: "/metrics" });

  assert.equal(response.statusCode, 503);
  assert.equal(response.headers["retry-after"], "1");
  assert.match(metrics.body, /assay_webhook_events_total\{result="failed"\} 1/);
  assert.match(metrics.body, /assay_webhook_events_total\{result="stored"\} 0/);
});

test("an event that the store does not accept in time is refused, and later events are accepted", async (t) => {
  const { db } = await borrowTestApp(t);
  const intake = createIntake(db, { deadlineMs: 100 });
  const event = (body: string): NewRawEvent => ({
    gateway: "waha",
    origin: "webhook",
    body: Buffer.from(body),
    receivedAtMs: 1,
  });
  const late = { code: "store_unavailable" };

  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table raw_event in access exclusive mode`);
    // Two batches are in progress at once, so the third event does not reach the store.
    const first = assert.rejects(intake.receive(event("1")), late);
    await new Promise((settle) => setImmediate(settle));
    const second = assert.rejects(intake.receive(event("2")), late);
    await new Promise((settle) => setImmediate(settle));
    const third = assert.rejects(intake.receive(event("3")), late);
    await Promise.all([first, second, third]);
    assert.equal(intake.isStoring(), false, "readiness follows");
  });
  await intake.receive(event("4"));
  assert.equal(intake.isStoring(), true);

  const rows = await db.query(
    sql`select convert_from(body, 'UTF8') as body from raw_event order by id`,
  );
  assert.ok(rows.some((row) => row["body"] === "4"));
  assert.ok(rows.every((row) => row["body"] !== "3"));
});

test("the intake is busy once two hundred events came in within a second", async (t) => {
  const { db } = await borrowTestApp(t);
  const intake = createIntake(db);
  const receive = (at: number) =>
    intake.receive({
      gateway: "waha",
      origin: "webhook",
      body: Buffer.from(String(at)),
      receivedAtMs: 1,
    });

  await receive(0);
  const isBusyAfterOne = intake.isBusy();
  // Half of them may fall into the next second.
  const received = Array.from({ length: 400 }, (_, at) => receive(at));
  const isBusy = intake.isBusy();
  await Promise.all(received);

  assert.deepEqual([isBusyAfterOne, isBusy], [false, true]);
});

test("a hundred events at once share commits, and each is stored", async (t) => {
  const app = await openTestApp(t, { environment: { ASSAY_WAHA_HMAC_KEY: KEY } });
  const bodies = Array.from({ length: 100 }, (_, at) => JSON.stringify({ at }));

  const statuses = await Promise.all(bodies.map((body) => post(app, body)));

  assert.ok(statuses.every((status) => status === 202));
  const [row] = await app.db.query(sql`
    select count(*) as count, count(distinct xmin::text) as commits from raw_event`);
  assert.equal(row?.["count"], 100);
  assert.ok(Number(row?.["commits"]) < 50);
});

function isSignedBy(key: string, body: Buffer, signature: string): boolean {
  const check = startSignatureCheck(key);
  // In two parts, as a body may arrive.
  check.add(body.subarray(0, 10));
  check.add(body.subarray(10));
  return check.isSignedBy(signature);
}

async function post(
  { app }: TestApp,
  body: string | Buffer,
  options: {
    readonly signature?: string | undefined;
    readonly headers?: Readonly<Record<string, string>>;
  } = { signature: "right" },
): Promise<number> {
  const right = createHmac("sha512", KEY).update(body).digest("hex");
  const signature = options.signature === "right" ? right : options.signature;
  const response = await app.inject({
    method: "POST",
    url: "/v2/webhooks/waha",
    headers: {
      "content-type": "application/json",
      ...(signature === undefined ? {} : { "x-webhook-hmac": signature }),
      ...options.headers,
    },
    payload: body,
  });
  return response.statusCode;
}
