// How many messages per second one worker takes from the stored event to matches and prices, with the processor time of
// the worker and of the server, the time of each step, and the disk and log of a message; then how many when all is
// replayed. Most messages are new offers in the styles of the three markets; one in five repeats an offer. Beside it,
// in the same run: the same listings copied by one statement into a table with the same indexes, which no pipeline can
// beat.
//   node --import tsx bench/pipeline.ts [MESSAGES] [ALERTS]      default 20,000 and 200
//   node --import tsx bench/pipeline.ts 1000000 200 replay       only the replay
//   STORED=1000000 node --import tsx bench/pipeline.ts 4000 20   in a store that has a million listings already

import { sleep, systemClock } from "../src/base/clock.ts";
import { createMetrics } from "../src/base/metrics.ts";
import type { Database, DatabasePool } from "../src/db/database.ts";
import { sql } from "../src/db/sql.ts";
import { requestReplay } from "../src/pipeline/replay.ts";
import { openStepContext } from "../src/pipeline/step-context.ts";
import { startWorker } from "../src/pipeline/worker.ts";
import { declareAlerts, storeEvents } from "./support/events.ts";
import { createMarket } from "./support/market.ts";
import { addMessages, loadListings, toListingRow } from "./support/market-store.ts";
import {
  isBusy,
  log,
  measure,
  openStore,
  readNumbers,
  readVariable,
  readWords,
  round,
  runBenchmark,
} from "./support/runner.ts";

const [MESSAGES, ALERTS] = readNumbers(20_000, 200);
const IS_REPLAY = readWords().includes("replay");
const STORED = readVariable("STORED", 0);
/** Each look reads past the rows that the queues had, so a long run looks less often. */
const POLL_MS = MESSAGES > 100_000 ? 1_000 : 50;
const feed = { isLive: () => true, subscribe: () => undefined, close: async () => undefined };

await runBenchmark("pipeline", async (t) => {
  const store = await openStore(t);
  const { db } = store;
  if (STORED > 0) await fillStore(db);
  await declareAlerts(db, ALERTS);
  const emptySize = await readSize(db);
  await storeEvents(db, MESSAGES);
  const config = { alertWindowHours: 24 };
  const context = await openStepContext({ pool: db, clock: systemClock, feed, log, config });
  t.after(() => context.close());
  const replay = () => requestReplay(db, { alerting: "never" });
  if (IS_REPLAY) {
    await db.script("truncate raw_event_queue");
    await replay();
  }
  const metrics = createMetrics();
  const untilIdle = async () => {
    while (await isBusy(db)) await sleep(POLL_MS);
  };
  let worker: ReturnType<typeof startWorker> | undefined;
  const first = await measure(async () => {
    worker = startWorker({ ...context, feed, metrics });
    t.after(() => worker?.stop());
    await untilIdle();
  }, store);
  const stepMs = await stepTimes(metrics);
  const fullSize = await readSize(db);
  // The events of a filled store are no gateway's, so a replay would remove its listings.
  const replayed = IS_REPLAY || STORED > 0 ? first : await measure(() => replay().then(untilIdle));
  await worker?.stop();
  const copied = await copyListings(db);
  const each = (total: number) => Math.round(total / MESSAGES);
  const perSecond = (ms: number) => Math.round(MESSAGES / (ms / 1_000));
  const [counts] = await db.query(sql`
    select (select count(*) from listing) as listings, (select count(*) from alert_match) as matches,
           (select count(*) from price_cell) as cells`);
  return {
    messages: MESSAGES,
    stored: STORED,
    ...counts,
    ...(IS_REPLAY ? {} : { messages_per_second: perSecond(first.ms) }),
    worker_cpu_us: each(first.ownUs),
    server_cpu_us: each(first.serverUs),
    disk_bytes: each(fullSize.diskBytes - emptySize.diskBytes),
    log_bytes: each(fullSize.logBytes - emptySize.logBytes),
    step_ms: stepMs,
    ...(STORED > 0 ? {} : { replayed_messages_per_second: perSecond(replayed.ms) }),
    plain_copy_messages_per_second: perSecond(copied.ms),
    share_of_plain_copy: round(copied.ms / first.ms, 3),
  };
});

async function fillStore(db: DatabasePool): Promise<void> {
  const market = createMarket(7);
  const createRow = (sequence: number) => toListingRow(market.listing(), sequence);
  await loadListings(db, { count: STORED, createRow });
  await addMessages(db);
  await db.script("vacuum analyze");
}

async function readSize(db: Database) {
  const [row] = await db.query<{ diskBytes: number; logBytes: number }>(sql`
    select (select sum(pg_total_relation_size(oid))::bigint from pg_class
             where relnamespace = 'public'::regnamespace and relkind = 'r') as "diskBytes",
           (pg_current_wal_insert_lsn() - '0/0')::bigint as "logBytes"`);
  return row ?? { diskBytes: 0, logBytes: 0 };
}

/** The rows of the listings into an empty table with all indexes. */
async function copyListings(db: DatabasePool) {
  await db.script("create table listing_copy (like listing including all)");
  // Only those of the messages, not those that filled the store before.
  return measure(() =>
    db.script(`insert into listing_copy select * from listing where sequence > ${STORED}`),
  );
}

async function stepTimes(metrics: ReturnType<typeof createMetrics>) {
  const { text } = await metrics.render();
  const sums = text.matchAll(/^assay_step_batch_seconds_sum\{step="([^"]+)"\} ([\d.e+-]+)$/gm);
  return Object.fromEntries(
    Array.from(sums, ([, step, s]) => [step, Math.round(Number(s) * 1_000)]),
  );
}
