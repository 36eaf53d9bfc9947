// Prints one JSON line: the memory and the longest block of the event loop while large queued bodies are processed.
//   node --import tsx bench/large-bodies.ts [BODIES] [MIB]      default 300 10

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { systemClock } from "../src/base/clock.ts";
import { parseConfig } from "../src/base/config.ts";
import { createLogger } from "../src/base/log.ts";
import { migrate } from "../src/db/migrate.ts";
import { openStore } from "../src/db/open-store.ts";
import { sql } from "../src/db/sql.ts";
import { canonicalizeEvents } from "../src/messages/canonicalize-events.ts";

const BODIES = Number(process.argv[2] ?? 300);
const MIB = Number(process.argv[3] ?? 10);
const MIB_BYTES = 1024 * 1024;

const dataDir = mkdtempSync(join(tmpdir(), "assay-bench-"));
const log = createLogger("error");
const store = await openStore(parseConfig({ ASSAY_DATA_DIR: dataDir }), log);
const { pool } = store;
await migrate(pool, log);
for (let at = 0; at < BODIES; at += 1) {
  // The store makes them: they are sent nowhere, and it compresses them.
  await pool.execute(sql`
    with stored as (
      insert into raw_event (sha256, gateway, origin, body, received_at_ms)
      select sha256(body), 'waha', 'webhook', body, 0
        from (select convert_to('{"event":"message.ack","session":"s","payload":{"id":"' || ${at}::int || '","filler":"'
                                || repeat('x', ${MIB * MIB_BYTES - 100}::int) || '"}}', 'UTF8') as body) as made
      returning id
    )
    insert into raw_event_queue (raw_event_id, alerting) select id, 'never' from stored`);
}
const blocks = monitorEventLoopDelay({ resolution: 10 });
blocks.enable();
const idleBytes = process.memoryUsage().rss;
let peakBytes = idleBytes;
const sampling = setInterval(() => {
  peakBytes = Math.max(peakBytes, process.memoryUsage().rss);
}, 5);
const startedAtMs = performance.now();
let takenCount = 0;
let failedCount = 0;
while (takenCount < BODIES && failedCount < 3) {
  try {
    const options = { batchMax: 500, clock: systemClock, alertWindowMs: 0 };
    takenCount += (await canonicalizeEvents(pool, options)).takenCount;
    peakBytes = Math.max(peakBytes, process.memoryUsage().rss);
  } catch {
    failedCount += 1;
  }
}
const seconds = (performance.now() - startedAtMs) / 1000;
clearInterval(sampling);
await store.close();
rmSync(dataDir, { recursive: true, force: true });
process.stdout.write(
  `${JSON.stringify({
    bench: "large bodies",
    bodies: BODIES,
    mib_each: MIB,
    processed: takenCount,
    failed_batches: failedCount,
    seconds: Number(seconds.toFixed(1)),
    idle_mib: Math.round(idleBytes / MIB_BYTES),
    peak_mib: Math.round(peakBytes / MIB_BYTES),
    longest_block_ms: Math.round(blocks.max / 1e6),
  })}\n`,
);
