// A backup of a market and its restore, each beside a plain COPY of the same tables in the same run, with processor time
// and memory. A ratio above 1 means that plain COPY is faster.
//   node --import tsx bench/backup.ts [LISTINGS] [ROUNDS]      default 10000 3

import { createReadStream, createWriteStream, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { BackupTable } from "../src/backup/backup-file.ts";
import { restoreBackup } from "../src/backup/restore-backup.ts";
import { copyTarget, listTables } from "../src/backup/store-tables.ts";
import { writeBackup } from "../src/backup/write-backup.ts";
import { systemClock } from "../src/base/clock.ts";
import { withCopyConnection } from "../src/db/copy.ts";
import type { DatabasePool } from "../src/db/database.ts";
import { migrate } from "../src/db/migrate.ts";
import { openPool } from "../src/db/pool.ts";
import { createMarket } from "./support/market.ts";
import { addMessages, loadListings, toListingRow } from "./support/market-store.ts";
import {
  type Cost,
  log,
  makeFolder,
  measure,
  openStore,
  quantile,
  readNumbers,
  round,
  runBenchmark,
  type Store,
  withPeakMemory,
} from "./support/runner.ts";

const [LISTINGS, ROUNDS] = readNumbers(10_000, 3);

interface Copy {
  readonly url: string;
  readonly tables: readonly BackupTable[];
  fileOf(table: BackupTable): string;
}

await runBenchmark("backup", async (t) => {
  const folder = makeFolder(t);
  const store = await openStore(t);
  const { db, url } = store;
  const market = createMarket(7);
  const createRow = (sequence: number) => toListingRow(market.listing(), sequence);
  await loadListings(db, { count: LISTINGS, createRow });
  await addMessages(db);
  const tables = await listTables(db);
  const path = join(folder, "bench.backup");
  const fileOf = ({ name }: BackupTable) => join(folder, `${name}.copy`);
  const write = { ours: [] as Cost[], plain: [] as Cost[] };
  const read = { ours: [] as Cost[], plain: [] as Cost[] };
  const memory = { idle: toMb(process.memoryUsage.rss()), backup: 0, restore: 0 };
  let rows = 0;
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    rmSync(path, { force: true });
    write.plain.push(await measure(() => copyOut({ url, tables, fileOf }), store));
    const written = await withPeakMemory(() =>
      measure(() => writeBackup({ pool: db, url, path, clock: systemClock }), store),
    );
    write.ours.push(written.result);
    memory.backup = Math.max(memory.backup, toMb(written.peakBytes));
    rows = written.result.result.tables.reduce((sum, { row_count }) => sum + row_count, 0);
    await withEmptyDatabase(store, async (target) => {
      await migrate(target.pool, log);
      read.plain.push(await measure(() => copyIn({ url: target.url, tables, fileOf }), store));
    });
    await withEmptyDatabase(store, async (target) => {
      const restored = await withPeakMemory(() =>
        measure(() => restoreBackup({ ...target, path, log }), store),
      );
      read.ours.push(restored.result);
      memory.restore = Math.max(memory.restore, toMb(restored.peakBytes));
    });
  }
  const bytes = tables.reduce((sum, table) => sum + statSync(fileOf(table)).size, 0);
  return {
    listings: LISTINGS,
    rows,
    copied_mb: toMb(bytes),
    file_mb: toMb(statSync(path).size),
    backup: speedOf(write, { rows, bytes }),
    restore: speedOf(read, { rows, bytes }),
    memory_mb: memory,
  };
});

async function copyOut({ url, tables, fileOf }: Copy): Promise<void> {
  await withCopyConnection(url, async (connection) => {
    for (const table of tables) {
      const rows = connection.copyOut(`copy ${copyTarget(table)} to stdout`);
      await pipeline(rows, createWriteStream(fileOf(table)));
    }
  });
}

async function copyIn({ url, tables, fileOf }: Copy): Promise<void> {
  await withCopyConnection(url, async (connection) => {
    await connection.script("begin");
    for (const table of tables) {
      await connection.script(`alter table ${table.name} disable trigger user`);
      const rows = createReadStream(fileOf(table));
      await connection.copyIn(`copy ${copyTarget(table)} from stdin`, rows);
    }
    await connection.script("commit");
  });
}

async function withEmptyDatabase(
  { db, url }: Store,
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

/** Medians of the rounds. */
function speedOf(
  costs: { readonly ours: readonly Cost[]; readonly plain: readonly Cost[] },
  size: { readonly rows: number; readonly bytes: number },
) {
  const secondsOf = (runs: readonly Cost[]) =>
    quantile(
      runs.map(({ ms }) => ms),
      0.5,
    ) / 1000;
  const cpuSecondsOf = (runs: readonly Cost[]) =>
    quantile(
      runs.map(({ ownUs, serverUs }) => ownUs + serverUs),
      0.5,
    ) / 1e6;
  const seconds = secondsOf(costs.ours);
  return {
    seconds: round(seconds),
    rows_per_s: Math.round(size.rows / seconds),
    mb_per_s: toMb(size.bytes / seconds),
    plain_seconds: round(secondsOf(costs.plain)),
    ratio: round(seconds / secondsOf(costs.plain)),
    cpu_seconds: round(cpuSecondsOf(costs.ours)),
    plain_cpu_seconds: round(cpuSecondsOf(costs.plain)),
  };
}

function toMb(bytes: number): number {
  return round(bytes / 1e6, 1);
}
