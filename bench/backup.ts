// Prints one JSON line: a backup of a market and its restore, each beside a plain COPY of the same tables in the same run, and how much
// memory they take.
//   node --import tsx bench/backup.ts [LISTINGS] [ROUNDS]      default 10000 3

import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { BackupTable } from "../src/backup/backup-file.ts";
import { restoreBackup } from "../src/backup/restore-backup.ts";
import { copyTarget, listTables } from "../src/backup/store-tables.ts";
import { writeBackup } from "../src/backup/write-backup.ts";
import { systemClock } from "../src/base/clock.ts";
import { createLogger } from "../src/base/log.ts";
import { withCopyConnection } from "../src/db/copy.ts";
import type { DatabasePool } from "../src/db/database.ts";
import { migrate } from "../src/db/migrate.ts";
import { openPool } from "../src/db/pool.ts";
import { addMessages, openLargeMarket } from "./large-market.ts";
import { createMarket } from "./market.ts";

const LISTINGS = Number(process.argv[2] ?? 10_000);
const ROUNDS = Number(process.argv[3] ?? 3);
const log = createLogger("warn");
const folder = mkdtempSync(join(tmpdir(), "assay-bench-backup-"));
const market = await openLargeMarket(createMarket(7), LISTINGS);
const { db, url } = market;
try {
  await addMessages(db);
  const tables = await listTables(db);
  const backup = join(folder, "bench.backup");
  const plain = (name: string) => join(folder, `${name}.copy`);
  const write = { backup: [] as number[], plain: [] as number[] };
  const read = { backup: [] as number[], plain: [] as number[] };
  const idle = memoryMb();
  const peaks = { backup: 0, restore: 0 };
  let rows = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    rmSync(backup, { force: true });
    write.plain.push(await timeOf(() => copyOut(tables, plain)));
    const written = await measure(() =>
      writeBackup({ pool: db, url, path: backup, clock: systemClock }),
    );
    write.backup.push(written.seconds);
    peaks.backup = Math.max(peaks.backup, written.peakMb);
    rows = written.result.tables.reduce((sum, { row_count }) => sum + row_count, 0);
    await withEmptyDatabase(async (target) => {
      await migrate(target.pool, log);
      read.plain.push(await timeOf(() => copyIn(target.url, tables, plain)));
    });
    await withEmptyDatabase(async (target) => {
      const restored = await measure(() => restoreBackup({ ...target, path: backup, log }));
      read.backup.push(restored.seconds);
      peaks.restore = Math.max(peaks.restore, restored.peakMb);
    });
  }
  const bytes = tables.reduce((sum, { name }) => sum + statSync(plain(name)).size, 0);
  process.stdout.write(
    `${JSON.stringify({
      bench: "backup",
      listings: LISTINGS,
      rows,
      copied_mb: toMb(bytes),
      file_mb: toMb(statSync(backup).size),
      backup: speed(write, rows, bytes),
      restore: speed(read, rows, bytes),
      memory_mb: { idle, backup: peaks.backup, restore: peaks.restore },
    })}\n`,
  );
} finally {
  await market.close();
  rmSync(folder, { recursive: true, force: true });
}

async function copyOut(
  tables: readonly BackupTable[],
  fileOf: (name: string) => string,
): Promise<void> {
  await withCopyConnection(url, async (connection) => {
    for (const table of tables) {
      const rows = connection.copyOut(`copy ${copyTarget(table)} to stdout`);
      await pipeline(rows, createWriteStream(fileOf(table.name)));
    }
  });
}

async function copyIn(
  to: string,
  tables: readonly BackupTable[],
  fileOf: (name: string) => string,
): Promise<void> {
  await withCopyConnection(to, async (connection) => {
    await connection.script("begin");
    for (const table of tables) {
      await connection.script(`alter table ${table.name} disable trigger user`);
      const rows = createReadStream(fileOf(table.name));
      await connection.copyIn(`copy ${copyTarget(table)} from stdin`, rows);
    }
    await connection.script("commit");
  });
}

async function withEmptyDatabase(
  work: (target: { readonly pool: DatabasePool; readonly url: string }) => Promise<void>,
): Promise<void> {
  await db.script("create database restored template template0");
  const address = new URL(url);
  address.pathname = "/restored";
  const pool = openPool({ url: address.href, name: "bench" });
  try {
    await work({ pool, url: address.href });
  } finally {
    await pool.end();
    await db.script("drop database restored with (force)");
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  return (await measure(work)).seconds;
}

/** With the most memory that the process had meanwhile, looked at every 20 ms. */
async function measure<Result>(work: () => Promise<Result>) {
  let peakMb = memoryMb();
  const look = setInterval(() => {
    peakMb = Math.max(peakMb, memoryMb());
  }, 20);
  const startedAtMs = performance.now();
  try {
    const result = await work();
    return { result, seconds: (performance.now() - startedAtMs) / 1000, peakMb };
  } finally {
    clearInterval(look);
  }
}

function memoryMb(): number {
  return toMb(process.memoryUsage().rss);
}

function toMb(bytes: number): number {
  return Number((bytes / 1e6).toFixed(1));
}

/** Medians. The ratio is above 1 if plain COPY is faster. */
function speed(times: Record<"backup" | "plain", readonly number[]>, rows: number, bytes: number) {
  const seconds = median(times.backup);
  return {
    seconds: Number(seconds.toFixed(2)),
    rows_per_s: Math.round(rows / seconds),
    mb_per_s: toMb(bytes / seconds),
    plain_seconds: Number(median(times.plain).toFixed(2)),
    ratio: Number((seconds / median(times.plain)).toFixed(2)),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}
