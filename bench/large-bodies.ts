// The memory and the longest block of the event loop while large queued bodies are processed.
//   node --import tsx bench/large-bodies.ts [BODIES] [MIB]      default 300 10

import { monitorEventLoopDelay } from "node:perf_hooks";
import { systemClock } from "../src/base/clock.ts";
import type { DatabasePool } from "../src/db/database.ts";
import { sql } from "../src/db/sql.ts";
import { canonicalizeEvents } from "../src/messages/canonicalize-events.ts";
import {
  measure,
  openStore,
  readNumbers,
  round,
  runBenchmark,
  withPeakMemory,
} from "./support/runner.ts";

const [BODIES, MIB] = readNumbers(300, 10);
const MIB_BYTES = 1024 * 1024;
const FAILURES_MAX = 3;

await runBenchmark("large bodies", async (t) => {
  const store = await openStore(t);
  for (let at = 0; at < BODIES; at += 1) await storeBody(store.db, at);
  const blocks = monitorEventLoopDelay({ resolution: 10 });
  blocks.enable();
  const memory = await withPeakMemory(() => measure(() => processAll(store.db), store));
  const { result, ms, ownUs, serverUs } = memory.result;
  return {
    bodies: BODIES,
    mib_each: MIB,
    processed: result.takenCount,
    failed_batches: result.failedCount,
    seconds: round(ms / 1000, 1),
    worker_cpu_s: round(ownUs / 1e6, 1),
    server_cpu_s: round(serverUs / 1e6, 1),
    idle_mib: Math.round(memory.beforeBytes / MIB_BYTES),
    peak_mib: Math.round(memory.peakBytes / MIB_BYTES),
    longest_block_ms: Math.round(blocks.max / 1e6),
  };
});

/** The server makes the body itself: it is sent nowhere, and compressed. */
async function storeBody(db: DatabasePool, at: number): Promise<void> {
  await db.execute(sql`
    with stored as (
      insert into raw_event (sha256, gateway, origin, body, received_at_ms)
      select sha256(body), 'waha', 'webhook', body, 0
        from (select convert_to('{"event":"message.ack","session":"s","payload":{"id":"' || ${at}::int || '","filler":"'
                                || repeat('x', ${MIB * MIB_BYTES - 100}::int) || '"}}', 'UTF8') as body) as made
      returning id
    )
    insert into raw_event_queue (raw_event_id, alerting) select id, 'never' from stored`);
}

async function processAll(db: DatabasePool) {
  const options = { batchMax: 500, clock: systemClock, alertWindowMs: 0 };
  let takenCount = 0;
  let failedCount = 0;
  while (takenCount < BODIES && failedCount < FAILURES_MAX) {
    try {
      takenCount += (await canonicalizeEvents(db, options)).takenCount;
    } catch (error) {
      failedCount += 1;
      process.stderr.write(`${String(error)}\n`);
    }
  }
  return { takenCount, failedCount };
}
