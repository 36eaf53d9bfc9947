import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createLogger } from "../../src/base/log.ts";
import { createMetrics } from "../../src/base/metrics.ts";
import { openChangeFeed } from "../../src/db/changes.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { startWorker } from "../../src/pipeline/worker.ts";
import { aLiveAlert, aSavedFilter } from "../support/alerts.ts";
import { rawEvent, stepContext } from "../support/drain.ts";
import { aConfiguration } from "../support/rows.ts";
import { NOW_MS, until } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";
import { aMessageEvent } from "../support/waha.ts";

/** More than one batch of each step. */
const QUEUED = 1_100;

test("a fresh event is matched while the backlog waits", {
  timeout: 120_000,
}, async (t) => {
  const { pool, url } = await openTestDatabase(t);
  await aLiveAlert(pool);
  await aBacklog(pool);
  await noteBacklogAtMatches(pool);
  await saveRawEvents(pool, [anAsk(0)], "window");

  startTestWorker(t, { pool, url, context: await stepContext(pool) });
  await until(async () => (await listNotes(pool)).length > 0, 60_000);

  const [note] = await listNotes(pool);
  // In the order of the queues it would be the last. A slow machine may take a batch of the backlog before it hears of it.
  assert.ok(note !== undefined && note.events > 0 && note.messages > 0, JSON.stringify(note));
});

test("the configuration of a fresh ask is calculated before those of the backlog", async (t) => {
  const { pool, url } = await openTestDatabase(t);
  const fresh = await aConfiguration(pool);
  await aSavedFilter(pool, "configuration", fresh, { reference: ["126610LN"] });
  await aSavedFilter(pool, "view_eu", "00000000-0000-4000-8000-000000000001");
  const others = [];
  for (let at = 0; at < 3; at += 1) others.push(await aConfiguration(pool));
  await pool.script(`
    create table calculated (at bigint generated always as identity, id uuid);
    create function note() returns trigger language plpgsql as
      $$ begin insert into calculated (id) values (old.configuration_id); return null; end $$;
    create trigger noted after delete on refresh_queue for each row execute function note()`);
  await pool.execute(sql`
    insert into refresh_queue (configuration_id, queued_at_ms)
    select id, 0 from price_configuration where id = any(${others}::uuid[])`);
  await saveRawEvents(pool, [anAsk(0)], "window");

  startTestWorker(t, { pool, url, context: await stepContext(pool) });
  const list = () => pool.query<{ id: string }>(sql`select id from calculated order by at`);
  await until(async () => (await list()).length >= 4, 60_000);

  assert.equal((await list())[0]?.id, fresh);
});

test("the backlog moves while fresh events keep coming", { timeout: 120_000 }, async (t) => {
  const { pool, url } = await openTestDatabase(t);
  await aBacklog(pool, 250);
  const state = { isPosting: true, count: 0 };
  const posting = (async () => {
    for (; state.isPosting; state.count += 1) {
      const event = aMessageEvent({ rawId: `C${state.count}`, text: `hello ${state.count}` });
      await saveRawEvents(pool, [rawEvent(event)], "window");
    }
  })();

  startTestWorker(t, { pool, url, context: await stepContext(pool) });
  const isDone = async () =>
    (
      await pool.query(sql`
        select from raw_event_queue where not is_fresh
        union all select from message_queue where not is_fresh
        union all select from match_queue where not is_fresh limit 1`)
    ).length === 0;
  await until(isDone, 90_000).finally(() => {
    state.isPosting = false;
  });
  await posting;

  t.diagnostic(`the backlog was empty after ${state.count} fresh events`);
  assert.ok(state.count > 0);
});

function anAsk(at: number) {
  const text = `WTS Rolex 126610LN 2024 new full set EUR ${12_000 + at}`;
  return rawEvent(aMessageEvent({ rawId: `F${at}`, text, atS: Math.floor(NOW_MS / 1000) - 60 }));
}

/** Imported events, and rows of messages and listings that were deleted since: they cost next to nothing to process. */
async function aBacklog(pool: DatabasePool, count = QUEUED): Promise<void> {
  const events = Array.from({ length: count }, (_, at) =>
    rawEvent(
      { event: "message.ack", session: "default", payload: { id: `a${at}` } },
      { origin: "import" },
    ),
  );
  await saveRawEvents(pool, events, "never");
  // The ids are the lowest ones, so they would be taken first if ids decided.
  const id = sql`('00000000-0000-4000-8000-' || lpad(at::text, 12, '0'))::uuid`;
  await pool.execute(sql`
    insert into message_queue (canonical_message_id) select ${id} from generate_series(1, ${count}::int) as at`);
  await pool.execute(sql`
    insert into match_queue (resource, resource_id)
    select 'message', ${id} from generate_series(1, ${count}::int) as at`);
}

interface Note {
  readonly events: number;
  readonly messages: number;
  readonly requests: number;
}

/** Notes, with each match, how much of the backlog was still queued. */
async function noteBacklogAtMatches(pool: DatabasePool): Promise<void> {
  await pool.script(`
    create table note (events bigint, messages bigint, requests bigint);
    create function note() returns trigger language plpgsql as $$
    begin
      insert into note
      select (select count(*) from raw_event_queue), (select count(*) from message_queue),
             (select count(*) from match_queue);
      return null;
    end $$;
    create trigger noted after insert on alert_match for each row execute function note()`);
}

function listNotes(pool: DatabasePool): Promise<readonly Note[]> {
  return pool.query<Note>(sql`select events, messages, requests from note`);
}

function startTestWorker(
  t: TestContext,
  options: {
    readonly pool: DatabasePool;
    readonly url: string;
    readonly context: Awaited<ReturnType<typeof stepContext>>;
  },
): void {
  const log = createLogger("silent");
  const feed = openChangeFeed({ url: options.url, log });
  const worker = startWorker({ ...options.context, log, feed, metrics: createMetrics() });
  t.after(async () => {
    await worker.stop();
    await options.context.close();
    await feed.close();
  });
}
