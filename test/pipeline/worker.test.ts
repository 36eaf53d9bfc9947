import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createLogger } from "../../src/base/log.ts";
import { createMetrics } from "../../src/base/metrics.ts";
import { openChangeFeed } from "../../src/db/changes.ts";
import { sql } from "../../src/db/sql.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { startWorker } from "../../src/pipeline/worker.ts";
import { aLiveAlert } from "../support/alerts.ts";
import { rawEvent, stepContext } from "../support/drain.ts";
import { NOW_MS, until } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";
import { aMessageEvent } from "../support/waha.ts";

const MESSAGES = 25;

test("a step that always fails waits on its own, and the others run at full pace", {
  timeout: 120_000,
}, async (t) => {
  const { pool, url } = await openTestDatabase(t);
  await aLiveAlert(pool);
  // The server reports a wrong statement, which is the fault of no item. So `merge contacts` fails as a whole, always.
  await pool.script(`
    create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'refused' using errcode = '42000'; end $$;
    create trigger refused before delete on identity_queue for each statement execute function refuse();
    insert into identity_queue (identifiers, at_ms, is_own) values (array['lid:1', 'phone:2'], 0, false)`);
  const failures = await startTestWorker(t, { pool, url });
  const delaysMs: number[] = [];

  for (let at = 0; at < MESSAGES; at += 1) {
    const text = `WTS Rolex 126610LN 2024 new full set EUR ${12_000 + at}`;
    const event = aMessageEvent({ rawId: `W${at}`, text, atS: Math.floor(NOW_MS / 1000) - 60 });
    const startedAtMs = performance.now();
    await saveRawEvents(pool, [rawEvent(event)], "window");
    await until(async () => (await pool.query(sql`select from alert_match`)).length > at, 60_000);
    delaysMs.push(performance.now() - startedAtMs);
  }

  const median = delaysMs.toSorted((left, right) => left - right)[Math.floor(MESSAGES / 2)] ?? 0;
  t.diagnostic(`median from event to match beside the failing step: ${Math.round(median)} ms`);
  // A match needs a pass over all steps. If the failing step had run in each of them, it would have failed as often.
  assert.ok(failures.length > 0);
  assert.ok(failures.length < MESSAGES, `${failures.length} failures`);
});

/** Returns the failures that the worker logs. */
async function startTestWorker(
  t: TestContext,
  { pool, url }: Pick<Awaited<ReturnType<typeof openTestDatabase>>, "pool" | "url">,
): Promise<readonly string[]> {
  const failures: string[] = [];
  const log = createLogger("error", {
    write: (line) => {
      if (line.includes("a step failed")) failures.push(line);
    },
  });
  const feed = openChangeFeed({ url, log });
  const context = await stepContext(pool);
  const worker = startWorker({ ...context, log, feed, metrics: createMetrics() });
  t.after(async () => {
    await worker.stop();
    await context.close();
    await feed.close();
  });
  return failures;
}
