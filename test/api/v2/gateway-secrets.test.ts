import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { readFrames } from "../../../src/backup/backup-file.ts";
import { DAY_MS } from "../../../src/base/clock.ts";
import { createLogger, type Logger } from "../../../src/base/log.ts";
import type { Database, DatabasePool } from "../../../src/db/database.ts";
import { listMigrations, type Migration, migrate } from "../../../src/db/migrate.ts";
import { rawSql, sql } from "../../../src/db/sql.ts";
import { requeueQuarantined } from "../../../src/intake/quarantine-store.ts";
import { saveRawEvents } from "../../../src/intake/raw-event-store.ts";
import { createWahaClient } from "../../../src/messages/gateways/waha-client.ts";
import { newMemory, syncOnce } from "../../../src/messages/sync/sync-gateway.ts";
import { requestReplay } from "../../../src/pipeline/replay.ts";
import { STEPS } from "../../../src/pipeline/steps.ts";
import { drain, rawEvent, stepContext } from "../../support/drain.ts";
import { backUp, digestStore } from "../../support/files.ts";
import { createTestClock, NOW_MS, openTestApp } from "../../support/test-app.ts";
import { openTestDatabase, type TestDatabase } from "../../support/test-database.ts";
import { aMessageEvent, aStatusEvent, envelope, GROUP, SESSION_A } from "../../support/waha.ts";

const KEY = "the key of our own webhook";
/** Part of every secret below, and of nothing else. */
const MARK = "CANARY";

const CONFIG = {
  metadata: { pin: `${MARK}-pin` },
  proxy: { server: `${MARK}-host:80`, username: `${MARK}-user`, password: `${MARK}-password` },
  webhooks: [
    {
      url: `https://hooks.example/${MARK}-path`,
      hmac: { key: `${MARK}-hmac` },
      customHeaders: [{ name: "x", value: `${MARK}-header` }],
    },
  ],
  noweb: { store: { enabled: true, note: `${MARK}-store` } },
};
const METADATA = { metadata: { desk: `${MARK}-desk` } };
const ME = { id: `${SESSION_A.phone}@c.us`, pushName: "Desk HK", lid: `${SESSION_A.lid}@lid` };

/** What GET /api/sessions answers. */
const SESSIONS = [
  {
    name: SESSION_A.name,
    status: "WORKING",
    config: CONFIG,
    me: { ...ME, note: `${MARK}-me` },
    engine: { engine: "GOWS", gows: { found: `${MARK}-engine` } },
    apps: [{ config: { token: `${MARK}-app` } }],
  },
];

const status = aStatusEvent({ status: "WORKING", atMs: NOW_MS - 60_000 });
const unknown = (event: string, payload: object) => ({
  ...envelope(SESSION_A, NOW_MS, event, payload),
  ...METADATA,
});

/** Bodies that are signed with our key, of every kind in which the configuration of a session could come. */
const BODIES: readonly (string | Buffer)[] = [
  ...[
    { ...status, ...METADATA },
    { ...status, config: CONFIG, payload: { ...status.payload, config: CONFIG } },
    { ...status, id: "evt_2", payload: { ...status.payload, status: CONFIG, name: CONFIG } },
    { ...status, id: "evt_3", payload: [CONFIG] },
    { ...status, session: undefined, payload: CONFIG },
    { ...status, engine: { key: `${MARK}-engine` }, me: { ...ME, pushName: CONFIG } },
    { ...aMessageEvent({ rawId: "A1" }), ...METADATA, instance: { apikey: `${MARK}-apikey` } },
    { ...aMessageEvent({ rawId: "A2", group: "447700900199@c.us" }), ...METADATA },
    unknown("session.config", { ...CONFIG, group: { id: GROUP } }),
    unknown("session.status.failed", { id: GROUP, key: `${MARK}-key` }),
    unknown("engine.event", {
      event: "creds.update",
      data: { noiseKey: `${MARK}-noise`, id: GROUP },
    }),
    unknown("server.changed", { group: { id: GROUP }, session: { name: "x", config: CONFIG } }),
    unknown("server.changed", { group: { id: GROUP }, list: [[{ API_KEY: `${MARK}-key` }]] }),
    SESSIONS,
    SESSIONS[0],
    { assay_pull: "sessions", at_ms: NOW_MS, data: { x: SESSIONS[0] }, note: `${MARK}-note` },
    { assay_pull: "groups", at_ms: NOW_MS, data: [{ id: GROUP, config: CONFIG }] },
    {
      assay_erased: true,
      assay_heard: [{ group: GROUP, config: CONFIG }],
      event: "session.status",
    },
  ].map((body) => JSON.stringify(body)),
  // A name can be written in several ways, and may come twice.
  `{"event":"session.status","session":"x","payload":{"status":"WORKING"},"\\u006detadata":{"x":"${MARK}"}}`,
  `{"event":"message","session":"x","metadata":{},"metadata":{"x":"${MARK}"},"payload":{"id":"${GROUP}"}}`,
  // Cut off, wrong bytes, no JSON.
  `{"event":"session.status","from":"${GROUP}","payload":${JSON.stringify(CONFIG)}`,
  Buffer.from(`{"event":"session.status","from":"${GROUP}","x":"\xff","k":"${MARK}"}`, "latin1"),
  `hmac=${MARK}`,
  `{"event":"session.status","from":"${GROUP}","k":"${MARK}","x":${"[".repeat(1_000)}`,
];

test("no secret of the gateway gets into the store, a backup, the log or the stream of events, whatever has it", async (t) => {
  const lines: string[] = [];
  const log = createLogger("trace", { write: (line) => lines.push(line) });
  const app = await openTestApp(t, { environment: { ASSAY_WAHA_HMAC_KEY: KEY }, log });
  const stream = await followStream(t, app);
  const gateway = await openGateway(t);
  const context = { ...(await stepContext(app.db)), log };
  const memory = newMemory();
  const pull = () =>
    syncOnce(
      { pool: app.db, client: gateway.client, clock: app.clock, log: log as Logger },
      memory,
    );

  const answers: number[] = [];
  for (const body of BODIES) answers.push(await post(app, body));
  await pull();
  gateway.answer = `[${JSON.stringify(SESSIONS[0]).slice(0, -1)} ${MARK}`;
  await pull().catch((error: unknown) => log.warn({ err: error }, "as the loop does"));
  const atOnce = await findMarks(app.db);
  await drain(context);
  await retryAll(app.db);
  await drain(context);
  const afterwards = await findMarks(app.db);

  assert.deepEqual([...new Set(answers)], [202, 413]);
  assert.deepEqual(answers.indexOf(413), answers.length - 1);
  assert.deepEqual(atOnce, []);
  assert.deepEqual(afterwards, []);
  assert.equal((await readBackup(t, app)).includes(MARK), false);
  assert.ok(lines.length > BODIES.length);
  assert.deepEqual(
    lines.filter((line) => line.includes(MARK)),
    [],
  );
  assert.equal(stream().includes(MARK), false);
  const [session] = await app.db.query(
    sql`select status, phone_number, engine from messaging_session where gateway_name = ${SESSION_A.name}`,
  );
  const { phone, engine } = SESSION_A;
  assert.deepEqual({ ...session }, { status: "WORKING", phone_number: phone, engine });
  await context.close();
});

test("the same bytes are stored once, also if something of them is left out, and what is new of a session is", async (t) => {
  const app = await openTestApp(t, { environment: { ASSAY_WAHA_HMAC_KEY: KEY } });
  const first = JSON.stringify({ ...status, ...METADATA });
  const second = JSON.stringify({
    ...aStatusEvent({ status: "FAILED", atMs: NOW_MS }),
    ...METADATA,
  });
  const large = JSON.stringify({ ...aMessageEvent(), ...METADATA }).replace(
    '"hasMedia"',
    '"big":12345678901234567890,"hasMedia"',
  );

  for (const body of [first, first, second, first, large, large]) await post(app, body);
  const rows = await app.db.query<{ body: Buffer; isKey: boolean }>(sql`
    select body, sha256 = sha256(body) as "isKey" from raw_event order by id`);

  const bodies = rows.map(({ body }) => JSON.parse(body.toString()));
  assert.deepEqual(
    bodies.map(({ event, payload }) => [event, payload.status]),
    [
      ["session.status", "WORKING"],
      ["session.status", "FAILED"],
      ["message.any", undefined],
    ],
  );
  assert.ok(rows.every(({ isKey }) => isKey));
  assert.match(rows[2]?.body.toString() ?? "", /"big":12345678901234567890,/);
});

test("a list of sessions of which only the configuration changed is not stored again", async (t) => {
  const { pool } = await openTestDatabase(t);
  const gateway = await openGateway(t);
  const memory = newMemory();
  const options = {
    pool,
    client: gateway.client,
    clock: createTestClock(),
    log: createLogger("silent"),
  };

  await syncOnce(options, memory);
  gateway.answer = JSON.stringify([{ ...SESSIONS[0], config: {}, timestamps: { activity: 1 } }]);
  await syncOnce(options, memory);

  const rows = await pool.query<{ body: Buffer }>(
    sql`select body from raw_event where convert_from(body, 'UTF8') like '%"assay_pull":"sessions"%'`,
  );
  assert.deepEqual(
    rows.map(({ body }) => JSON.parse(body.toString()).data),
    [[{ name: SESSION_A.name, status: "WORKING", engine: { engine: "GOWS" }, me: ME }]],
  );
});

test("an update takes the secrets of the gateway out of what is stored, and a replay reads the same", async (t) => {
  const store = await openTestDatabase(t, { template: "template0" });
  const { pool } = store;
  const log = createLogger("silent");
  const isBefore = ({ version }: Migration) => version < 65;
  await migrate(pool, log, listMigrations().filter(isBefore));
  const pulled = { assay_pull: "sessions", at_ms: NOW_MS - DAY_MS, data: SESSIONS };
  const bodies = [JSON.stringify(pulled), ...BODIES.slice(0, -1)];
  await saveOld(pool, bodies);
  const clock = createTestClock();
  const context = await stepContext(pool, clock);
  await drain(context, { steps: STEPS.filter(({ name }) => name === "canonicalize events") });
  assert.ok((await findMarks(pool)).length > 0, "the test must begin with secrets");
  const before = await derivedOf(pool);
  const raw = await pool.query(sql`select id, received_at_ms from raw_event order by id`);

  await migrate(pool, log);
  await drain(context, { steps: STEPS.filter(({ name }) => name === "search secrets") });
  const after = await derivedOf(pool, Object.keys(before));

  assert.deepEqual(await findMarks(pool), []);
  assert.equal((await readBackup(t, store)).includes(MARK), false);
  assert.deepEqual(after, before);
  assert.deepEqual(
    await pool.query(sql`select id, received_at_ms from raw_event order by id`),
    raw,
  );
  const sessions = await listSessionRows(pool);
  await requestReplay(pool, { alerting: "never" });
  await drain(context);
  assert.deepEqual(await listSessionRows(pool), sessions);
  // A process of the version before may have gone on for a while.
  await saveOld(pool, [JSON.stringify({ ...pulled, at_ms: NOW_MS })]);
  await drain(context);
  assert.ok((await findMarks(pool)).length > 0);
  clock.advance(30 * DAY_MS);
  await drain(context);
  assert.deepEqual(await findMarks(pool), []);
  assert.deepEqual(await pool.query(sql`select due_at_ms from secret_search`), []);
  await context.close();
});

test("an event that was stored by an earlier version is still a repeat after the update", async (t) => {
  const { pool } = await openTestDatabase(t);
  const old = JSON.stringify({ ...status, ...METADATA });
  await saveOld(pool, [old]);
  await pool.execute(sql`insert into secret_search (due_at_ms, after_raw_event_id) values (0, 0)`);
  const context = await stepContext(pool);
  await drain(context);
  const rowsOf = () => pool.query(sql`select id, sha256, body from raw_event`);
  const before = await rowsOf();

  const app = await openTestApp(t, { environment: { ASSAY_WAHA_HMAC_KEY: KEY } });
  await post(app, old);

  const [fresh] = await app.db.query<{ sha256: Buffer }>(sql`select sha256 from raw_event`);
  assert.deepEqual(fresh?.sha256, before[0]?.["sha256"]);
  await context.close();
});

function saveOld(pool: DatabasePool, bodies: readonly (string | Buffer)[]): Promise<number> {
  const events = bodies.map((body) => ({ ...rawEvent(""), body: Buffer.from(body) }));
  return saveRawEvents(pool, events, "window");
}

async function listSessionRows(pool: DatabasePool) {
  return pool.query(sql`select * from messaging_session order by gateway_name`);
}

/** All that is not the events themselves. An update adds tables and indexes. */
async function derivedOf(
  pool: DatabasePool,
  names?: readonly string[],
): Promise<Record<string, string>> {
  const isDerived = (name: string) => name !== "raw_event" && !name.startsWith("index ");
  return Object.fromEntries(
    Object.entries(await digestStore(pool)).filter(
      ([name]) => isDerived(name) && (names?.includes(name) ?? true),
    ),
  );
}

interface TestGateway {
  readonly client: ReturnType<typeof createWahaClient>;
  answer: string;
}

/** A gateway with sessions and nothing else. */
async function openGateway(t: TestContext): Promise<TestGateway> {
  const server = createServer((request, response) => {
    response.end(request.url?.startsWith("/api/sessions") === true ? gateway.answer : "[]");
  });
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const gateway: TestGateway = {
    client: createWahaClient({ url, retryDelayMs: 1 }),
    answer: JSON.stringify(SESSIONS),
  };
  return gateway;
}

type OpenApp = Awaited<ReturnType<typeof openTestApp>>;

async function post({ app }: OpenApp, body: string | Buffer): Promise<number> {
  const answer = await app.inject({
    method: "POST",
    url: "/v2/webhooks/waha",
    headers: {
      "content-type": "application/json",
      "x-webhook-hmac": createHmac("sha512", KEY).update(body).digest("hex"),
    },
    payload: body,
  });
  return answer.statusCode;
}

async function retryAll(db: DatabasePool): Promise<void> {
  const rows = await db.query<{ id: number }>(
    sql`select raw_event_id as id from quarantined_event`,
  );
  await db.transaction((tx) =>
    requeueQuarantined(
      tx,
      rows.map(({ id }) => id),
      "never",
    ),
  );
}

/** Collects what the stream of events sends. */
async function followStream(t: TestContext, { app, token }: OpenApp): Promise<() => string> {
  const base = await app.listen({ port: 0, host: "127.0.0.1" });
  const stop = new AbortController();
  t.after(() => stop.abort());
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${base}/v2/events`, { headers, signal: stop.signal });
  let text = "";
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk as Uint8Array);
  })().catch(() => undefined);
  return () => text;
}

/** Searches every column of every table; the server decompresses what it has compressed. */
async function findMarks(db: Database): Promise<readonly string[]> {
  const columns = await db.query<{ table: string; column: string; type: string }>(sql`
    select table_name::text as "table", column_name::text as "column", data_type::text as type
      from information_schema.columns where table_schema = 'public' order by 1, 2`);
  assert.ok(columns.length > 300);
  const found: string[] = [];
  for (const { table, column, type } of columns) {
    const value = rawSql(`"${column}"`);
    const text = type === "bytea" ? sql`encode(${value}, 'escape')` : sql`${value}::text`;
    const rows = await db.query(
      sql`select from ${rawSql(`"${table}"`)} where position(${MARK} in ${text}) > 0 limit 1`,
      { isStatic: false },
    );
    if (rows.length > 0) found.push(`${table}.${column}`);
  }
  return found;
}

async function readBackup(
  t: TestContext,
  store: Pick<OpenApp, "db" | "url"> | TestDatabase,
): Promise<string> {
  const pool = "pool" in store ? store.pool : store.db;
  const path = await backUp(t, { pool: pool as DatabasePool, url: store.url });
  let text = "";
  for await (const { content } of readFrames(createReadStream(path))) {
    // COPY writes a bytea in hexadecimal.
    text += content.toString("latin1");
  }
  const decoded = text.replace(/\\\\x[0-9a-f]+/g, (hex) =>
    Buffer.from(hex.slice(3), "hex").toString("latin1"),
  );
  assert.ok(decoded.includes("messaging_session") && decoded.includes("assay_pull"));
  return decoded;
}
