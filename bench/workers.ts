// How fast one, two and more worker processes empty the same queue of events, with the processor time of workers and
// server, and for how much of the time a statement of the server waited for a lock. Run `npm run prepack` before.
//   node --import tsx bench/workers.ts [MESSAGES] [ALERTS] [WORKERS]      default 10,000, 20, and up to 3

import { sleep } from "../src/base/clock.ts";
import type { Database } from "../src/db/database.ts";
import { sql } from "../src/db/sql.ts";
import { declareAlerts, storeEvents } from "./support/events.ts";
import {
  isBusy,
  measure,
  openStore,
  type Run,
  readNumbers,
  round,
  runBenchmark,
  serve,
  withClosing,
} from "./support/runner.ts";

const [MESSAGES, ALERTS, WORKERS] = readNumbers(10_000, 20, 3);
const POLL_MS = 100;

await runBenchmark("workers", async () => {
  const runs: Awaited<ReturnType<typeof drainWith>>[] = [];
  for (let count = 1; count <= WORKERS; count += 1) {
    runs.push(await withClosing((t) => drainWith(t, count)));
  }
  const [alone] = runs;
  return {
    messages: MESSAGES,
    runs: runs.map((run) => ({
      ...run,
      times_one: round(run.per_second / (alone?.per_second ?? 1)),
    })),
  };
});

async function drainWith(t: Run, count: number) {
  const store = await openStore(t);
  await declareAlerts(store.db, ALERTS);
  await storeEvents(store.db, MESSAGES);
  const workers = [];
  const waits = { looks: 0, waiting: 0 };
  const { ms, serverUs } = await measure(async () => {
    for (let at = 0; at < count; at += 1) {
      workers.push(await serve(t, { DATABASE_URL: store.url }, ["--role", "worker"]));
    }
    while (await isBusy(store.db)) {
      waits.looks += 1;
      waits.waiting += await countWaiting(store.db);
      await sleep(POLL_MS);
    }
  }, store);
  return {
    workers: count,
    per_second: Math.round(MESSAGES / (ms / 1_000)),
    server_us: Math.round(serverUs / MESSAGES),
    /** Statements that wait for a lock, of the average moment. */
    waiting: round(waits.waiting / Math.max(waits.looks, 1)),
  };
}

async function countWaiting(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from pg_stat_activity
     where state = 'active' and wait_event_type = 'Lock'`);
  return row?.count ?? 0;
}
