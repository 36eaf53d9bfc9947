import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/db/sql.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { watchFigures } from "../support/api/metrics.ts";
import { process, rawEvent } from "../support/drain.ts";
import { aFolder } from "../support/run-assay.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { aMessageEvent } from "../support/waha.ts";

/** As a newer gateway may send it. */
const NEW_KIND = { ...aMessageEvent({}), event: "new.kind" };

test("the figures say what waits, what is quarantined and since when, how the sessions are and what is free", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const hourAgoMs = Date.now() - 3_600_000;
  await process(pool, [aMessageEvent({ text: "Rolex 126610LN 2024 9,500 EUR" })]);
  await pool.execute(sql`update message_extraction set outcome = 'failed'`);
  await process(pool, ['{"event":"message.any"', NEW_KIND]);
  await pool.execute(sql`
    update quarantined_event set quarantined_at_ms = ${hourAgoMs} where reason = 'not_json'`);
  const waiting = rawEvent(aMessageEvent({ text: "waits" }), { receivedAtMs: hourAgoMs });
  await saveRawEvents(pool, [waiting], "window");
  await pool.execute(sql`
    insert into messaging_session (id, gateway_name, status, last_status_at_ms)
    values (gen_random_uuid(), 'second', 'FAILED', ${Date.now()})`);

  const { text } = await watchFigures(t, { db: pool, store: { folder: aFolder(t) } });
  const value = valueIn(await text());

  assert.equal(value("assay_failed_extractions"), 1);
  assert.equal(value("assay_quarantined_events"), 2);
  const ageSeconds = value("assay_quarantine_age_seconds");
  assert.ok(ageSeconds >= 3_600 && ageSeconds < 7_200, String(ageSeconds));
  assert.equal(value('assay_sessions{state="down"}'), 1);
  assert.equal(value('assay_sessions{state="needs_auth"}'), 0);
  assert.equal(value('assay_queue_items{step="canonicalize events"}'), 1);
  assert.ok(value('assay_queue_age_seconds{step="canonicalize events"}') >= 3_600);
  assert.equal(value('assay_queue_age_seconds{step="match listings"}'), 0);
  assert.ok(value("assay_store_bytes") > 1e6);
  assert.ok(value("assay_disk_free_bytes") > 0);
  assert.ok(value("assay_disk_free_bytes") <= value("assay_disk_bytes"));
});

test("an event of an unknown kind in quarantine is no reason to worry", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [NEW_KIND]);

  const { text } = await watchFigures(t, { db: pool, store: {} });
  const value = valueIn(await text());

  assert.equal(value("assay_quarantined_events"), 1);
  assert.equal(value("assay_quarantine_age_seconds"), 0);
  assert.throws(() => value("assay_disk_bytes"), /is not there/);
});

function valueIn(text: string): (name: string) => number {
  return (name) => {
    const line = text.split("\n").find((candidate) => candidate.startsWith(`${name} `));
    assert.ok(line !== undefined, `${name} is not there`);
    return Number(line.slice(name.length + 1));
  };
}
