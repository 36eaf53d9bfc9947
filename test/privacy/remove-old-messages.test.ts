import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DAY_MS, dayStartOf, HOUR_MS } from "../../src/base/clock.ts";
import { parseConfig } from "../../src/base/config.ts";
import { createLogger } from "../../src/base/log.ts";
import { createMetrics } from "../../src/base/metrics.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { findRetention } from "../../src/messages/privacy/retention-store.ts";
import { examineRetention } from "../../src/operations/examine-pipeline.ts";
import {
  raiseRetentionFloor,
  removeBatch,
  startRemover,
} from "../../src/privacy/remove-old-messages.ts";
import { describeMinimum, findRetentionMinimum } from "../../src/privacy/retention-days.ts";
import { aLiveAlert } from "../support/alerts.ts";
import { process as processEvents, rawEvent } from "../support/drain.ts";
import { aProfile } from "../support/rows.ts";
import { aFolder, runAssay } from "../support/run-assay.ts";
import { borrowTestApp, borrowTestDatabase } from "../support/shared-store.ts";
import { createTestClock, NOW_MS, openTestApp, until } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";
import { aGroupEvent, aMessageEvent, anEditEvent, aRevokeEvent } from "../support/waha.ts";

const DAYS = 90;
const FLOOR_MS = dayStartOf(NOW_MS) - DAYS * DAY_MS;
/** In the last second that leaves, and in the first that stays. */
const OLD_S = FLOOR_MS / 1000 - 1;
const KEPT_S = FLOOR_MS / 1000;

test("fewer days than prices read are an error that names the minimum and why, and nothing leaves", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await aMessageOf(pool, NOW_MS);
  const lines: string[] = [];
  const log = createLogger("error", { write: (line) => void lines.push(line) });
  const remover = startRemover({
    pool,
    clock: createTestClock(),
    log,
    metrics: createMetrics(),
    days: 89,
  });
  t.after(() => remover.stop());

  await until(async () => lines.length > 0);
  assert.match(
    lines.join(),
    /no more days leave: ASSAY_RETENTION_DAYS is 89, but at least 90 days must be kept: 30 days in which a repeated ask is a duplicate, and twice the longest look-back \(30 days, a profile by default\)\. Set it to 90 or more, or unset it/,
  );
  assert.equal(await findRetention(pool), undefined);
  await aProfile(pool, { name: "vintage", lookback_days: 180 });
  const minimum = await findRetentionMinimum(pool);
  assert.equal(minimum.days, 390);
  assert.match(describeMinimum(389, minimum), /at least 390 .*180 days, profile "vintage"/);
  assert.throws(() => parseConfig({ ASSAY_RETENTION_DAYS: "31" }), /ASSAY_RETENTION_DAYS.*32/);
});

test("the floor only rises, and stays while a profile looks back too far for the setting", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const clock = createTestClock();
  const raise = (days: number | undefined) =>
    raiseRetentionFloor({ pool, clock, log: createLogger("silent"), days });
  const floor = async () => (await findRetention(pool))?.floor_ms;
  const doctor = async (days?: number) =>
    (await examineRetention(pool, days === undefined ? {} : { retentionDays: days }, clock.nowMs()))
      .map(({ isFine, text }) => `${isFine} ${text}`)
      .join("\n");

  assert.equal(await doctor(), "");
  assert.match(await doctor(DAYS), /^true retention: 90 days are kept; there are no messages yet/);
  await raise(DAYS);
  assert.equal(await floor(), undefined);
  await aMessageOf(pool, NOW_MS);
  assert.match(await doctor(DAYS), /^false retention: not begun.*start `assay serve`/);
  await raise(DAYS);
  assert.equal(await floor(), FLOOR_MS);
  assert.equal(await doctor(DAYS), "true retention: messages since 2026-08-17 are kept");
  await raise(200);
  assert.equal(await floor(), FLOOR_MS);
  clock.set(Date.UTC(2100, 0, 1));
  await raise(DAYS);
  assert.equal(await floor(), FLOOR_MS, "no message proves that it is 2100");
  clock.set(NOW_MS + 2 * DAY_MS);
  await aMessageOf(pool, clock.nowMs());
  assert.match(await doctor(DAYS), /^false retention: messages since 2026-08-17 are kept, but/);
  const profile = await aProfile(pool, { name: "vintage", lookback_days: 60 });
  assert.equal((await raise(DAYS))?.days, 150);
  assert.equal(await floor(), FLOOR_MS);
  assert.match(await doctor(DAYS), /^false retention: paused.*"vintage".*Set it to 150 or more/);
  await pool.execute(sql`update price_profile set lookback_days = 30 where id = ${profile}`);
  assert.equal(await raise(DAYS), undefined);
  assert.equal(await floor(), FLOOR_MS + 2 * DAY_MS);
  await raise(undefined);
  assert.match(await doctor(), /^true .*2026-08-19 are kept; ASSAY_RETENTION_DAYS is not set/);
});

test("a message and its events leave, also if they were imported; its match stays with its context, and its listing is not found", async (t) => {
  const app = await borrowTestApp(t);
  const alert = await aLiveAlert(app.db, { reference: ["126610LN"] });
  const old = { rawId: "OLD", text: "WTS 126610LN 2023 new EUR 9000", atS: OLD_S };
  const kept = { rawId: "KEPT", text: "WTS 126610LN 2024 new EUR 9500", atS: KEPT_S };
  const both = { text: "WTS 126610LN 2022 new EUR 8000" };
  const bodies = [
    old,
    kept,
    { ...both, rawId: "B1", atS: OLD_S },
    { ...both, rawId: "B2", atS: KEPT_S },
  ].map(aMessageEvent);
  await processEvents(app.db, bodies, { alerting: "always" });
  const before = await listingsOf(app.db);
  const matches = await app.call("GET", `/v2/alerts/${alert}/matches`);
  await aMessageOf(app.db, NOW_MS);
  await raise(app.db);
  const doctor = async (atMs: number) =>
    (await examineRetention(app.db, { retentionDays: DAYS }, atMs)).map(
      ({ isFine, text }) => `${isFine} ${text}`,
    );
  const findings = [await doctor(NOW_MS), await doctor(NOW_MS + 7 * HOUR_MS)];

  while ((await removeBatch(app.db)) > 0);
  await processEvents(app.db, []);

  const soon = "retention: messages since 2026-08-17 are kept, older ones are being removed";
  assert.deepEqual(findings, [
    [`true ${soon}`],
    [`false ${soon}; that takes too long, check the log of the worker`],
  ]);

  assert.equal(before.length, 3);
  assert.equal(matches.body.total, 3);
  const stayed = before.filter(({ year }) => year !== 2023);
  assert.deepEqual(
    await listingsOf(app.db),
    stayed.map((listing) => ({ ...listing, count: 1, first: KEPT_S * 1000 })),
  );
  const gone = before.find(({ year }) => year === 2023);
  assert.equal((await app.call("GET", `/v2/market/listings/${gone?.id}`)).status, 404);
  assert.deepEqual((await app.call("GET", `/v2/alerts/${alert}/matches`)).body, matches.body);
  const events = await app.db.query<{ raw: string }>(sql`
    select convert_from(body, 'UTF8')::jsonb -> 'payload' ->> 'id' as raw from raw_event`);
  assert.deepEqual(events.map(({ raw }) => raw.split("_")[2]).sort(), [
    `AT${NOW_MS}`,
    "B2",
    "KEPT",
  ]);
  assert.equal((await app.db.query(sql`select from late_event`)).length, 2);
});

test("a message that is too old on arrival is acknowledged and counted, and not stored", async (t) => {
  const app = await openTestApp(t, { environment: { ASSAY_WAHA_UNSIGNED: "true" } });
  await aMessageOf(app.db, NOW_MS);
  await raise(app.db);
  const post = async (body: object) =>
    (await app.app.inject({ method: "POST", url: "/v2/webhooks/waha", payload: body })).statusCode;

  const statuses = [
    await post(aMessageEvent({ rawId: "OLD", atS: OLD_S })),
    await post(aMessageEvent({ rawId: "KEPT", atS: KEPT_S })),
    await post(aGroupEvent({ name: "old name", atMs: OLD_S * 1000 })),
    await post(Buffer.from("no JSON")),
  ];
  await until(async () => (await findRetention(app.db))?.too_old_count === 1);
  const file = join(aFolder(t), "events.jsonl");
  const lines = [OLD_S, OLD_S - 60, KEPT_S + 60].map((atS) =>
    JSON.stringify(aMessageEvent({ rawId: `I${atS}`, atS })),
  );
  writeFileSync(file, `${lines.join("\n")}\n`);
  const environment = { DATABASE_URL: app.url, ASSAY_ALLOW_UNSAFE_STORE: "true" };
  const imported = await runAssay(["import", "waha", file], environment);

  assert.deepEqual(statuses, [202, 202, 202, 202]);
  assert.match(imported.out, /^3 read, 1 new, 2 too old to be kept .*, 0 already stored/);
  assert.equal((await app.db.query(sql`select from raw_event`)).length, 5);
  const [finding] = await examineRetention(app.db, { retentionDays: DAYS }, NOW_MS);
  assert.equal(finding?.isFine, true);
  assert.match(finding?.text ?? "", /; 3 events were too old when they arrived/);
  const metrics = await app.app.inject({ url: "/metrics" });
  assert.match(metrics.body, /assay_webhook_events_total\{result="too_old"\} 1/);
});

test("if the disk is full, a batch fails as a whole, nothing is lost, and the steps go on", async (t) => {
  const { pool } = await openTestDatabase(t);
  const receivedAtMs = OLD_S * 1000 - 3 * DAY_MS;
  const old = aMessageEvent({ rawId: "OLD", atS: receivedAtMs / 1000 });
  await saveRawEvents(pool, [rawEvent(old, { receivedAtMs })], "window");
  await aMessageOf(pool, NOW_MS);
  await raise(pool);
  await pool.script(`
    create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
    create trigger refuses before delete on raw_event for each statement execute function refuse()`);

  assert.equal(await removeBatch(pool), 1, "its report leaves first");
  await assert.rejects(removeBatch(pool), /No space left on device/);
  await processEvents(pool, [aMessageEvent({ rawId: "NEW", atS: (NOW_MS - HOUR_MS) / 1000 })]);
  const kept = await pool.query(sql`select from kept_identifier`);
  const stored = await pool.query(sql`select from raw_event`);
  await pool.script("drop trigger refuses on raw_event");
  while ((await removeBatch(pool)) > 0);

  assert.deepEqual([kept.length, stored.length], [0, 3]);
  assert.equal((await pool.query(sql`select from raw_event`)).length, 2);
  const occurrences = await pool.query<{ raw_id: string }>(sql`select raw_id from occurrence`);
  assert.deepEqual(occurrences.map(({ raw_id }) => raw_id).sort(), [`AT${NOW_MS}`, "NEW"]);
  assert.equal((await pool.query(sql`select from kept_identifier`)).length, 4);
});

test("in a store of an older version, the migration finds when reports leave, and gives revocations a time", async (t) => {
  const { pool } = await openTestDatabase(t);
  const atS = NOW_MS / 1000;
  await processEvents(pool, [
    aMessageEvent({ rawId: "A", atS: atS - 60 }),
    anEditEvent({ rawId: "A", atS: atS - 30, text: "WTS 126610LN" }),
    aMessageEvent({ rawId: "FUTURE", atS: atS + 86_400 }),
    aRevokeEvent({ rawId: "B", atS }),
  ]);
  const read = () =>
    pool.query<{
      raw_id: string;
      leaves: number;
      report: { readonly received_at_ms?: number };
    }>(sql`
      select raw_id, oldest_at_ms as leaves, reports -> 0 as report from reported_message order by raw_id`);
  const [edited, revoked, future] = await read();
  const text = readFileSync("migrations/0033-retention.sql", "utf8");
  await pool.script(`
    alter table reported_message drop column oldest_at_ms;
    update reported_message set reports = jsonb_set(reports, '{0}', (reports -> 0) - 'received_at_ms')
     where raw_id = 'B';
    ${text.slice(text.indexOf("alter table reported_message"))}`);

  const [editedNow, revokedNow, futureNow] = await read();
  assert.equal(edited?.leaves, NOW_MS - 60_000);
  assert.equal(revoked?.leaves, NOW_MS + DAY_MS);
  assert.equal(future?.leaves, NOW_MS);
  assert.deepEqual([editedNow, futureNow], [edited, future]);
  const { received_at_ms: receivedAtMs = 0 } = revokedNow?.report ?? {};
  assert.ok(receivedAtMs > 0);
  assert.equal(revokedNow?.leaves, receivedAtMs + DAY_MS);
});

/** A message without a listing, received when it was sent. */
async function aMessageOf(pool: DatabasePool, atMs: number): Promise<void> {
  const body = aMessageEvent({ rawId: `AT${atMs}`, atS: atMs / 1000, text: "good morning" });
  await saveRawEvents(pool, [rawEvent(body, { receivedAtMs: atMs })], "window");
  await processEvents(pool, []);
}

async function raise(pool: DatabasePool): Promise<void> {
  const clock = createTestClock();
  await raiseRetentionFloor({ pool, clock, log: createLogger("silent"), days: DAYS });
}

async function listingsOf(pool: DatabasePool) {
  return pool.query<{ id: string; year: number; count: number; first: number }>(sql`
    select id, year, occurrence_count as count, first_seen_at_ms as first from listing order by year`);
}
