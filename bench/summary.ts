// Prints one JSON line: the occurrence summary of a message with 100 and with 100,000 occurrences on the same 5 days in the
// same 20 groups. Its cost must follow the answer's size.
//   node --import tsx bench/summary.ts

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "../src/base/log.ts";
import type { DatabasePool } from "../src/db/database.ts";
import { openEmbeddedServer } from "../src/db/embedded/server.ts";
import { migrate } from "../src/db/migrate.ts";
import { openPool } from "../src/db/pool.ts";
import { sql } from "../src/db/sql.ts";
import { summarizeOccurrences } from "../src/messages/occurrences/occurrence.ts";
import { findOccurrenceRollups } from "../src/messages/occurrences/occurrence-store.ts";
import { process as run } from "../test/support/drain.ts";
import { aMessageEvent } from "../test/support/waha.ts";

const DAY_S = 86_400;
const ROUNDS = 300;

const dataDir = mkdtempSync(join(tmpdir(), "assay-bench-"));
const server = await openEmbeddedServer({ dataDir, log: createLogger("error") });
const pool = openPool({ url: server.setUpUrl("postgres"), name: "assay bench" });
await migrate(pool, createLogger("error"));
const few = await post(pool, "few", 100);
const many = await post(pool, "many", 100_000);
const timings = { few: await timeOf(few), many: await timeOf(many) };
await pool.end();
await server.release();
rmSync(dataDir, { recursive: true, force: true });
globalThis.process.stdout.write(
  `${JSON.stringify({
    bench: "summary",
    ms_with_100: timings.few,
    ms_with_100000: timings.many,
    ratio: Number((timings.many / timings.few).toFixed(2)),
  })}\n`,
);

async function post(db: DatabasePool, text: string, count: number): Promise<string> {
  for (let at = 0; at < count; at += 2_000) {
    const events = Array.from({ length: Math.min(2_000, count - at) }, (_, k) =>
      anOccurrence(text, at + k),
    );
    for (let slice = 0; slice < events.length; slice += 500) {
      await run(db, events.slice(slice, slice + 500));
    }
  }
  const [row] = await db.query<{ id: string; count: number }>(sql`
    select id, occurrence_count as count from canonical_message where text = ${text}`);
  if (row?.count !== count) throw new Error(`${row?.count} occurrences of ${count}`);
  return row.id;
}

function anOccurrence(text: string, at: number) {
  return aMessageEvent({
    text,
    rawId: `${text}${at}`,
    group: `1203630000000${100 + (at % 20)}@g.us`,
    atS: 1_787_184_000 + (Math.floor(at / 20) % 5) * DAY_S + Math.floor(at / 100),
  });
}

async function timeOf(id: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAtMs = performance.now();
    summarizeOccurrences((await findOccurrenceRollups(pool, [id])).get(id) ?? [], new Map());
    times.push(performance.now() - startedAtMs);
  }
  return Number(times.sort((left, right) => left - right)[Math.floor(ROUNDS / 2)]?.toFixed(3));
}
