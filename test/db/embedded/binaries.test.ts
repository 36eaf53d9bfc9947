import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { createLogger } from "../../../src/base/log.ts";
import { findBinaries } from "../../../src/db/embedded/binaries.ts";
import { openEmbeddedServer } from "../../../src/db/embedded/server.ts";
import { openPool } from "../../../src/db/pool.ts";
import { sql } from "../../../src/db/sql.ts";
import { aDataDir, aFolder } from "../../support/run-assay.ts";

const log = createLogger("silent");

test("the data folder of the packaged server runs on the programs of ASSAY_POSTGRES_BIN, and back", async (t) => {
  const dataDir = aDataDir(t);
  const postgresBin = copyPrograms(join(aFolder(t), "other"));
  const made = await openEmbeddedServer({ dataDir, log });
  const packaged = await programOf(made.setUpUrl("postgres"));
  await write(made.setUpUrl("postgres"));
  await made.release();

  const server = await openEmbeddedServer({ dataDir, log, postgresBin });
  const used = await programOf(server.setUpUrl("postgres"));
  const kept = await read(server.setUpUrl("postgres"));
  await server.release();
  const again = await openEmbeddedServer({ dataDir, log });
  const keptAgain = await read(again.setUpUrl("postgres"));
  await again.release();

  assert.deepEqual([used, kept, keptAgain], [realpathSync(postgresBin), 42, 42]);
  assert.notEqual(used, packaged);
});

test("programs of another major version than the data folder are refused with what to do", async (t) => {
  const dataDir = aDataDir(t);
  const made = await openEmbeddedServer({ dataDir, log });
  await made.release();
  const postgresBin = pretendPrograms(aFolder(t), "postgres (PostgreSQL) 17.12 (Debian 17.12-1)");

  await assert.rejects(openEmbeddedServer({ dataDir, log, postgresBin }), {
    message: new RegExp(
      `was created by PostgreSQL 18, but ASSAY_POSTGRES_BIN \\(${postgresBin}\\) is PostgreSQL 17.12; ` +
        "set it to the programs of PostgreSQL 18, or move the data as described in docs/operations.md",
    ),
  });
});

test("a folder without the programs, or with programs that are none, is refused with what to do", (t) => {
  const empty = aFolder(t);
  const silent = pretendPrograms(aFolder(t), "hello");
  const old = pretendPrograms(aFolder(t), "postgres (PostgreSQL) 14.24");
  const remedy = /set ASSAY_POSTGRES_BIN to the folder that has them, or unset it/;

  for (const [folder, reason] of [
    [empty, /has no program postgres and no initdb; /],
    [silent, /does not tell its version; /],
    [old, /is PostgreSQL 14.24; Assay needs 15 or newer/],
  ] as const) {
    assert.throws(() => findBinaries(folder), reason);
    assert.throws(() => findBinaries(folder), remedy);
  }
});

/** The packaged programs with what they need, in another place. PostgreSQL finds its files from where it is. */
function copyPrograms(folder: string): string {
  const { bin } = findBinaries();
  mkdirSync(folder);
  const copied = spawnSync("cp", ["-rL", dirname(bin), folder]);
  assert.equal(copied.status, 0, String(copied.stderr));
  const copy = join(folder, "native", "bin");
  assert.ok(existsSync(join(copy, "postgres")));
  return copy;
}

function pretendPrograms(folder: string, version: string): string {
  for (const name of ["postgres", "initdb"]) {
    writeFileSync(join(folder, name), `#!/bin/sh\necho "${version}"\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

/** The folder of the program that serves. */
async function programOf(url: string): Promise<string> {
  return withPool(url, async (pool) => {
    const [row] = await pool.query<{ folder: string }>(sql`
      select setting as folder from pg_config() where name = 'BINDIR'`);
    return realpathSync(row?.folder ?? "");
  });
}

const write = (url: string) =>
  withPool(url, (pool) => pool.script("create table kept as select 42 as answer"));

const read = (url: string) =>
  withPool(url, async (pool) => {
    const [row] = await pool.query<{ answer: number }>(sql`select answer from kept`);
    return row?.answer;
  });

async function withPool<Result>(
  url: string,
  work: (pool: ReturnType<typeof openPool>) => Promise<Result>,
): Promise<Result> {
  const pool = openPool({ url, name: "assay test" });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}
