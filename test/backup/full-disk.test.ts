import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createLogger } from "../../src/base/log.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { openEmbeddedServer } from "../../src/db/embedded/server.ts";
import { openPool } from "../../src/db/pool.ts";
import { sql } from "../../src/db/sql.ts";
import { process as processEvents } from "../support/drain.ts";
import { openLoopDisk, whyNoDisk } from "../support/faults/loop-disk.ts";
import { backUp } from "../support/files.ts";
import { aFolder, callAssay, runAssay } from "../support/run-assay.ts";
import { openTestDatabase } from "../support/test-database.ts";
import { aMessageEvent } from "../support/waha.ts";

const ROWS_AT_ONCE = 20_000;
const IS_LONG = process.env["ASSAY_TEST_LONG"] === "1";

test("a backup that does not fit the disk says so, leaves no file, and everything goes on", {
  skip: whyNoDisk("ext4") ?? false,
}, async (t) => {
  const { url, pool } = await openTestDatabase(t);
  await addRows(pool, 20_000);
  const disk = aSmallDisk(t, "256k");
  const path = join(disk, "x.backup");

  const failed = await callAssay(["backup", path], env(url));
  const left = readdirSync(disk);
  const elsewhere = await callAssay(["backup", join(aFolder(t), "y.backup")], env(url));

  assert.equal(failed.code, 1);
  assert.match(failed.err, /cannot write .*x\.backup: the disk is full; nothing was left there/);
  assert.deepEqual(left, []);
  assert.equal(elsewhere.code, 0, elsewhere.err);
  await processEvents(pool, [aMessageEvent({ text: "Rolex 126610LN 2024 9,500 EUR" })]);
  const [row] = await pool.query<{ count: number }>(sql`select count(*) as count from listing`);
  assert.equal(row?.count, 1);
});

test("a backup that is larger than the system allows a file to be says so and leaves none", async (t) => {
  const { url, pool } = await openTestDatabase(t);
  await addRows(pool, 20_000);
  const folder = aFolder(t);
  const command = `ulimit -f 64 && exec "$0" dist/cli/main.js backup "$1"`;

  const failed = await new Promise<{ readonly code: unknown; readonly err: string }>((resolve) => {
    const args = ["-c", command, process.execPath, join(folder, "x.backup")];
    const environment = { PATH: process.env["PATH"], ...env(url) };
    execFile("sh", args, { env: environment }, (error, _out, err) =>
      resolve({ code: error?.code, err }),
    );
  });

  assert.equal(failed.code, 1, failed.err);
  assert.match(failed.err, /cannot write .*: the file would be larger than the system allows/);
  assert.deepEqual(readdirSync(folder), []);
});

test("a restore that does not fit the disk of the store restores nothing, and works when there is room", {
  skip: IS_LONG ? (whyNoDisk("ext4") ?? false) : "only in the long form",
}, async (t) => {
  const source = await openTestDatabase(t);
  await addRows(source.pool, 300_000);
  const path = await backUp(t, source);
  const disk = openLoopDisk(t, { system: "ext4", megabytes: 400 });
  const dataDir = join(disk.folder, "data");
  mkdirSync(dataDir, { mode: 0o711 });
  const filler = join(disk.folder, "filler");
  const created = await runAssay(["migrate"], { ASSAY_DATA_DIR: dataDir });
  assert.equal(created.code, 0, created.err);
  const { bavail, bsize } = statfsSync(disk.folder);
  writeFileSync(filler, Buffer.alloc(bavail * bsize - 40_000_000));

  const failed = await runAssay(["restore", path], { ASSAY_DATA_DIR: dataDir });
  // A server whose log does not fit the disk cannot start before there is room.
  rmSync(filler);
  const countAfter = await countRows(dataDir);
  const restored = await runAssay(["restore", path], { ASSAY_DATA_DIR: dataDir });

  t.diagnostic(failed.err.trim());
  assert.equal(failed.code, 1);
  assert.match(failed.err, /(?:the disk of the store is full|the server went away): nothing was/);
  assert.equal(countAfter, 0);
  assert.equal(restored.code, 0, restored.err);
  assert.equal(await countRows(dataDir), 300_000);
});

function env(url: string) {
  return { DATABASE_URL: url, ASSAY_ALLOW_UNSAFE_STORE: "true" };
}

/** Random, so that compression does not help much. */
async function addRows(pool: DatabasePool, count: number): Promise<void> {
  for (let added = 0; added < count; added += ROWS_AT_ONCE) {
    await pool.execute(sql`
      insert into contact_alias select gen_random_uuid(), gen_random_uuid() from generate_series(1, ${ROWS_AT_ONCE}::integer)`);
  }
}

async function countRows(dataDir: string): Promise<number> {
  const server = await openEmbeddedServer({ dataDir, log: createLogger("silent") });
  const pool = openPool({ url: server.url("assay"), name: "assay test" });
  const [row] = await pool.query<{ count: number }>(sql`
    select count(*) as count from contact_alias`);
  await pool.end();
  await server.release();
  return row?.count ?? -1;
}

/** A file system in memory. */
function aSmallDisk(t: TestContext, size: string): string {
  const mount = { folder: "" };
  // Registered first, because the folder can go only when nothing is mounted there.
  t.after(() => spawnSync("umount", [mount.folder]));
  const folder = aFolder(t);
  mount.folder = folder;
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder]);
  assert.equal(mounted.status, 0, String(mounted.stderr));
  return folder;
}
