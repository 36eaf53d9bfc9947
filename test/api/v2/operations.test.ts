import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR_MS, MINUTE_MS } from "../../../src/base/clock.ts";
import { createLogger } from "../../../src/base/log.ts";
import { createMetrics } from "../../../src/base/metrics.ts";
import { openChangeFeed } from "../../../src/db/changes.ts";
import { sql } from "../../../src/db/sql.ts";
import { saveRawEvents } from "../../../src/intake/raw-event-store.ts";
import { CHECKS } from "../../../src/operations/checks.ts";
import { startWorker } from "../../../src/pipeline/worker.ts";
import { aLiveAlert } from "../../support/alerts.ts";
import { process, rawEvent, stepContext } from "../../support/drain.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, NOW_MS, openTestApp, type TestApp, until } from "../../support/test-app.ts";
import { aMessageEvent } from "../../support/waha.ts";

interface Finding {
  readonly check: string;
  readonly is_fine: boolean;
  readonly text: string;
  readonly command?: string;
  readonly checked_at_ms: number;
}

/** Asks until the heavy checks have run as well. */
async function getAll(app: TestApp) {
  await until(async () => {
    const { status, body } = await app.call("GET", "/v2/operations");
    assert.equal(status, 200, JSON.stringify(body));
    return body.pending_checks.length === 0;
  });
  return (await app.call("GET", "/v2/operations")).body;
}

test("an empty installation has a finding of each check, empty queues and no counts", async (t) => {
  const app = await openTestApp(t, {
    environment: { ASSAY_WAHA_HMAC_KEY: "key", ASSAY_RATES: "ecb" },
  });

  const body = await getAll(app);

  const found = new Set(body.findings.map(({ check }: Finding) => check));
  // Without a second host, a refusal, photos, a retention, a back-fill or a buy there is nothing to say about them.
  const silent = [
    "timelines",
    "standbys",
    "refused_events",
    "media",
    "retention",
    "backfill",
    "sets",
    "words",
  ];
  assert.deepEqual(
    CHECKS.map(({ name }) => name).filter((name) => !found.has(name)),
    silent,
  );
  assert.equal(body.is_fine, true, JSON.stringify(body.findings));
  assert.equal(body.as_of_ms, NOW_MS);
  assert.deepEqual(
    body.queues.map(({ depth, oldest_age_ms }: { depth: number; oldest_age_ms?: number }) => [
      depth,
      oldest_age_ms,
    ]),
    body.queues.map(() => [0, undefined]),
  );
  assert.ok(body.steps.every(({ item_count }: { item_count: number }) => item_count === 0));
  assert.deepEqual(body.lag, { match_count: 0 });
  assert.deepEqual(body.suspect_asks, { suspect_count: 0, cell_count: 0 });
  assert.deepEqual(body.quarantine, { event_count: 0, item_count: 0 });
  assert.deepEqual(body.backfills, []);
  assert.deepEqual(body.rates, { source: "ecb", failed_count: 0 });
});

test("a problem is a finding with the command that helps, for the demo with --demo", async (t) => {
  const app = await openTestApp(t, { environment: { ASSAY_DEMO: "true" } });
  await saveRawEvents(app.db, [rawEvent("not JSON"), rawEvent(aMessageEvent())], "window");
  await process(app.db, []);
  await saveRawEvents(app.db, [rawEvent(aMessageEvent({ rawId: "B1" }))], "window");
  app.clock.advance(MINUTE_MS);

  const { body } = await app.call("GET", "/v2/operations");

  const finding = body.findings.find(({ check }: Finding) => check === "quarantine");
  assert.equal(body.is_fine, false);
  assert.equal(finding.is_fine, false);
  assert.match(finding.text, /^quarantine: 1 events/);
  assert.equal(finding.command, "assay quarantine retry --all --demo");
  assert.equal(finding.checked_at_ms, NOW_MS + MINUTE_MS);
  assert.deepEqual(body.quarantine, { event_count: 1, item_count: 0 });
  assert.deepEqual(body.queues[0], {
    step: "canonicalize events",
    depth: 1,
    oldest_age_ms: MINUTE_MS,
  });
});

test("an event that just came is fine, and one that no worker takes for a minute is not", async (t) => {
  const app = await openTestApp(t);
  await saveRawEvents(app.db, [rawEvent(aMessageEvent())], "window");
  const find = async (): Promise<Finding> => {
    const { body } = await app.call("GET", "/v2/operations");
    return body.findings.find(({ check }: Finding) => check === "queue");
  };

  const first = await find();
  app.clock.advance(MINUTE_MS);
  const second = await find();

  assert.deepEqual([first.is_fine, second.is_fine], [true, false]);
  assert.match(first.text, /1 events are being processed/);
  assert.match(second.text, /1 events are waiting/);
});

test("queued messages and match requests have an age", async (t) => {
  const app = await openTestApp(t);
  const clockMs = Date.now();
  app.clock.set(clockMs + HOUR_MS);
  await process(app.db, [aMessageEvent({ text: "126610LN 2024 €12,500" })], { steps: "listings" });

  const { body } = await app.call("GET", "/v2/operations");

  const queue = body.queues.find(({ step }: { step: string }) => step === "match listings");
  assert.ok(queue.depth > 0);
  assert.ok(queue.oldest_age_ms > HOUR_MS - 10 * MINUTE_MS, JSON.stringify(queue));
});

test("heavy checks run in the background, and again only after ten minutes", async (t) => {
  const app = await openTestApp(t);
  const first = await app.call("GET", "/v2/operations");
  await getAll(app);
  const times = async () => {
    const { findings } = await getAll(app);
    return new Map<string, number>(
      findings.map(({ check, checked_at_ms }: Finding) => [check, checked_at_ms]),
    );
  };

  app.clock.advance(9 * MINUTE_MS);
  const soon = await times();
  app.clock.advance(MINUTE_MS);
  await until(async () => (await times()).get("catalogue") === NOW_MS + 10 * MINUTE_MS);

  assert.deepEqual(
    first.body.pending_checks,
    CHECKS.filter(({ isHeavy }) => isHeavy).map(({ name }) => name),
  );
  assert.equal(soon.get("catalogue"), NOW_MS);
  assert.equal(soon.get("queue"), NOW_MS + 9 * MINUTE_MS);
});

test("a check that fails is a finding, and the others still report", async (t) => {
  const app = await openTestApp(t);
  await app.db.script("alter table correction rename to correction_elsewhere");

  const { status, body } = await app.call("GET", "/v2/operations");

  assert.equal(status, 200);
  const finding = body.findings.find(({ check }: Finding) => check === "corrections");
  assert.equal(finding.is_fine, false);
  assert.match(finding.text, /could not be examined/);
  assert.ok(body.findings.some(({ check }: Finding) => check === "queue"));
});

test("a worker counts the items of each step, and the lag is that from message to match", async (t) => {
  const app = await borrowTestApp(t);
  const atS = NOW_MS / 1000 - 90;
  await aLiveAlert(app.db);
  const log = createLogger("silent");
  const feed = openChangeFeed({ url: app.url, log });
  t.after(() => feed.close());
  const context = await stepContext(app.db, app.clock);
  t.after(() => context.close());
  const worker = startWorker({ ...context, log, feed, metrics: createMetrics() });

  await saveRawEvents(
    app.db,
    [rawEvent(aMessageEvent({ text: "126610LN €12,500", atS }))],
    "window",
  );
  await until(async () => (await app.db.query(sql`select from alert_match`)).length > 0);
  await worker.stop();
  const { body } = await app.call("GET", "/v2/operations");

  const counts = new Map(
    body.steps.map((one: { step: string; item_count: number }) => [one.step, one.item_count]),
  );
  assert.equal(counts.get("canonicalize events"), 1);
  assert.equal(counts.get("extract listings"), 1);
  assert.equal(counts.get("match listings"), 1);
  assert.equal(counts.get("record matches"), 1);
  assert.deepEqual(body.lag, { match_count: 1, p50_ms: 90_000, p99_ms: 90_000 });
});

test("a read-only token may read both, and without a token neither is shown", async (t) => {
  const app = await borrowTestApp(t);
  const readOnly = { authorization: `Bearer ${await addToken(app.db, { isReadOnly: true })}` };

  for (const path of ["/v2/operations", "/v2/operations/quarantine"]) {
    assert.equal((await app.call("GET", path, readOnly)).status, 200);
    assert.equal((await app.call("GET", path, {})).status, 401);
  }
});

test("what could not be processed is listed newest first, page by page, without bodies", async (t) => {
  const app = await borrowTestApp(t);
  const empty = await app.call("GET", "/v2/operations/quarantine");
  const bodies = ["secret one", "secret two", "secret three"];
  await saveRawEvents(
    app.db,
    bodies.map((body) => rawEvent(body)),
    "window",
  );
  await process(app.db, []);
  // The same time for all, so that the order depends on kind and number.
  await app.db.execute(sql`update quarantined_event set quarantined_at_ms = 1000`);
  await app.db.execute(sql`
    insert into set_aside_item (step, key, queue_row, reason, attempt_count, set_aside_at_ms, next_attempt_at_ms)
    values ('match listings', 'a', '{}', 'broken', 2, 1000, 5000),
           ('match listings', 'b', '{}', 'broken', 1, 2000, 6000),
           ('match listings', 'c', '{}', 'broken', 1, 500, 6000)`);

  const all = await app.call("GET", "/v2/operations/quarantine");
  const walked: unknown[] = [];
  for (let cursor = ""; ; ) {
    const { body } = await app.call("GET", `/v2/operations/quarantine?limit=1${cursor}`);
    walked.push(...body.items);
    if (body.next_cursor === undefined) break;
    cursor = `&cursor=${body.next_cursor}`;
  }
  const bad = await app.call("GET", "/v2/operations/quarantine?cursor=x");

  assert.deepEqual(empty.body, { items: [] });
  assert.deepEqual(
    all.body.items.map(({ id }: { id: string }) => id.replace(/\d+/, "")),
    ["item-", "event-", "event-", "event-", "item-", "item-"],
  );
  assert.deepEqual(walked, all.body.items);
  assert.deepEqual(all.body.items[0], {
    id: all.body.items[0].id,
    kind: "item",
    reason: "broken",
    quarantined_at_ms: 2000,
    step: "match listings",
    attempt_count: 1,
    next_attempt_at_ms: 6000,
  });
  assert.equal(all.body.items[1].origin, "webhook");
  assert.ok(!all.text.includes("secret"));
  assert.equal(bad.status, 400);
});
