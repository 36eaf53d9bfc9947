import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createLogger } from "../../../src/base/log.ts";
import { openEmbeddedServer } from "../../../src/db/embedded/server.ts";
import { checkServer } from "../../../src/db/open-store.ts";
import { openPool } from "../../../src/db/pool.ts";
import { sql } from "../../../src/db/sql.ts";
import { aDataDir, aFolder, aServedDataDir } from "../../support/run-assay.ts";
import { until } from "../../support/test-app.ts";

const isRoot = process.getuid?.() === 0;
const log = createLogger("silent");

test("a server is created, runs in its own process group and stops with its last user", async (t) => {
  const dataDir = aFolder(t);

  const server = await openEmbeddedServer({ dataDir, log });
  const pid = postmasterPid(dataDir);
  const group = statusOf(pid, "pgid");
  await server.release();

  assert.equal(Number(group), pid);
  await untilGone(pid);
  assert.equal(existsSync(join(dataDir, "store/cluster/postmaster.pid")), false);
});

test("a server waits for the disk, writes full pages and has checksums, and so is accepted", async (t) => {
  const dataDir = aFolder(t);
  const server = await openEmbeddedServer({ dataDir, log });
  const pool = openPool({ url: server.url("postgres"), name: "assay test" });

  const rows = await pool.query(sql`
    select name, setting from pg_settings
     where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums') order by name`);
  await checkServer(pool, { isUnsafeStoreAllowed: false });
  await pool.end();
  await server.release();

  assert.deepEqual(
    rows.map((row) => row["setting"]),
    ["on", "on", "on", "on"],
  );
});

test("a second user shares the running server, which runs until both have released it", async (t) => {
  const dataDir = aDataDir(t);
  const first = await openEmbeddedServer({ dataDir, log });

  const second = await openEmbeddedServer({ dataDir, log });
  const pid = postmasterPid(dataDir);
  await first.release();
  const answer = await ask(second.url("postgres"));
  await second.release();

  assert.equal(second.url("x"), first.url("x"));
  assert.equal(answer, 1);
  await untilGone(pid);
});

test("a server whose user was killed is adopted by the next user", async (t) => {
  const dataDir = aDataDir(t);
  const { child } = await holdInProcess(dataDir);
  const pid = postmasterPid(dataDir);
  child.kill("SIGKILL");
  await once(child, "exit");

  const server = await openEmbeddedServer({ dataDir, log });

  assert.equal(postmasterPid(dataDir), pid);
  await server.release();
  await untilGone(pid);
});

test("a stale pid file is removed, even if its pid now belongs to another process", async (t) => {
  const dataDir = aDataDir(t);
  const made = await openEmbeddedServer({ dataDir, log });
  await made.release();
  const pidFile = join(dataDir, "store/cluster/postmaster.pid");
  const lines = [
    process.pid,
    join(dataDir, "store/cluster"),
    1,
    65_000,
    "",
    "127.0.0.1",
    "",
    "ready",
  ];
  writeFileSync(pidFile, lines.join("\n"));

  const server = await openEmbeddedServer({ dataDir, log });
  const answer = await ask(server.url("postgres"));
  await server.release();

  assert.equal(answer, 1);
});

test("a killed server is started again on the same port, and open pools keep working", async (t) => {
  const { dataDir, server } = await aServedDataDir(t);
  const pool = openPool({ url: server.setUpUrl("postgres"), name: "assay test" });
  t.after(() => pool.end(1_000));
  await pool.execute(sql`create table kept as select 42 as answer`);
  const ask = () =>
    pool.query<{ answer: number; started_at: Date }>(
      sql`select answer, pg_postmaster_start_time() as started_at from kept`,
    );
  const [before] = await ask();

  process.kill(postmasterPid(dataDir), "SIGKILL");

  // The connections of the killed server may answer for another moment.
  await until(async () => {
    const [after] = await ask().catch(() => []);
    return after?.answer === 42 && Number(after.started_at) > Number(before?.started_at);
  });
});

test("five processes that start at once share one server", async (t) => {
  const dataDir = aFolder(t);

  const holders = await Promise.all(Array.from({ length: 5 }, () => holdInProcess(dataDir)));

  assert.equal(new Set(holders.map(({ url }) => url)).size, 1);
  const pid = postmasterPid(dataDir);
  for (const { child } of holders) child.kill("SIGTERM");
  await Promise.all(holders.map(({ child }) => child.exitCode ?? once(child, "exit")));
  await untilGone(pid);
  assert.deepEqual(
    holders.map(({ child }) => child.exitCode),
    Array.from({ length: 5 }, () => 0),
  );
});

test("folders that a kill left unfinished are removed, but not one that a process is still making", async (t) => {
  const dataDir = aDataDir(t);
  const other = spawn("sleep", ["60"]);
  t.after(() => other.kill());
  const ended = spawnSync("true");
  const names = [
    `store.next-${ended.pid}-a`,
    "store.next-b",
    `store.next-${other.pid}-c`,
    `store.next-${ended.pid}-d`,
  ];
  for (const name of names) mkdirSync(join(dataDir, name, "cluster"), { recursive: true });
  utimesSync(join(dataDir, "store.next-b"), 0, 0);
  // As `initdb`, which outlives the process that started it.
  const orphan = spawn("tail", ["-f", "/dev/null", join(dataDir, `store.next-${ended.pid}-d`)]);
  t.after(() => orphan.kill());

  const server = await openEmbeddedServer({ dataDir, log });
  await server.release();

  const left = readdirSync(dataDir).filter((name) => name.startsWith("store.next-"));
  assert.deepEqual(
    left.toSorted(),
    [`store.next-${ended.pid}-d`, `store.next-${other.pid}-c`].toSorted(),
  );
});

test("what a copy opened to other users is closed again, and a folder that they may change is warned of", async (t) => {
  const { dataDir } = await aServedDataDir(t);
  const lines: string[] = [];
  const telling = createLogger("warn", { write: (line: string) => lines.push(line) });
  const [store, password] = [join(dataDir, "store"), join(dataDir, "store/password")];
  chmodSync(store, 0o755);
  chmodSync(password, 0o644);

  await (await openEmbeddedServer({ dataDir, log: telling })).release();
  const quiet = lines.length;
  chmodSync(dataDir, 0o777);
  await (await openEmbeddedServer({ dataDir, log: telling })).release();

  const modes = [store, password].map((path) => statSync(path).mode & 0o777);
  assert.deepEqual(modes, [0o700, 0o600]);
  assert.equal(quiet, 0);
  assert.match(lines.join(""), /other users may replace the store; run chmod go-w/);
});

test("a data folder of another major version is rejected with a message that says what to do", async (t) => {
  const dataDir = aDataDir(t);
  const made = await openEmbeddedServer({ dataDir, log });
  await made.release();
  writeFileSync(join(dataDir, "store/cluster/PG_VERSION"), "14\n");

  await assert.rejects(
    openEmbeddedServer({ dataDir, log }),
    /was created by PostgreSQL 14, but this version of Assay contains PostgreSQL 18; .*docs\/operations\.md/,
  );
});

test("if a folder cannot be used, the error has the reason of the server", async (t) => {
  const dataDir = aDataDir(t);
  const made = await openEmbeddedServer({ dataDir, log });
  await made.release();
  rmSync(join(dataDir, "store/cluster/global"), { recursive: true });

  await assert.rejects(
    openEmbeddedServer({ dataDir, log }),
    /did not start; the end of .*server\.log/,
  );
});

test("root can run the server below a folder that only root may enter", {
  skip: !isRoot,
}, async (t) => {
  const closed = aFolder(t);
  chmodSync(closed, 0o700);

  for (const accountKind of ["namespace", "nobody"] as const) {
    const dataDir = join(closed, accountKind, "data");
    mkdirSync(dataDir, { recursive: true });
    const server = await openEmbeddedServer({ dataDir, log, accountKind });
    const answer = await ask(server.url("postgres"));
    await server.release();
    assert.equal(answer, 1);
  }
});

test("a data folder of another user is rejected with a clear message", {
  skip: !isRoot,
}, async (t) => {
  const dataDir = aDataDir(t);
  const made = await openEmbeddedServer({ dataDir, log });
  await made.release();
  chownSync(join(dataDir, "store/cluster"), 4_242, 4_242);

  await assert.rejects(
    openEmbeddedServer({ dataDir, log }),
    /belongs to another user \(uid 4242\); run Assay as that user, or set ASSAY_DATA_DIR/,
  );
});

test("a data folder that is not writable is rejected with a clear message", {
  skip: isRoot,
}, async (t) => {
  const dataDir = aFolder(t);
  chmodSync(dataDir, 0o500);

  await assert.rejects(openEmbeddedServer({ dataDir, log }), /cannot write to the data folder/);
});

async function holdInProcess(dataDir: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL("../../support/programs/hold-server.js", import.meta.url)), dataDir],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const [line] = await once(child.stdout, "data");
  return { child, url: String(line).trim() };
}

async function ask(url: string): Promise<number | undefined> {
  const pool = openPool({ url, name: "assay test" });
  const [row] = await pool.query<{ answer: number }>(sql`select 1 as answer`);
  await pool.end();
  return row?.answer;
}

function postmasterPid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, "store/cluster/postmaster.pid"), "utf8").split("\n")[0]);
}

/** An ending process frees its memory a moment before the kernel reports it as dead. We count it as ended from then on. */
function untilGone(pid: number): Promise<void> {
  return until(() => !isAlive(pid));
}

/** A zombie process, which has ended but was not reaped by its parent, counts as dead. */
function isAlive(pid: number): boolean {
  const state = statusOf(pid, "state");
  return state !== "" && !state.startsWith("Z");
}

/** Returns an empty text if there is no such process. Every Unix has `ps`, but not every one has /proc. */
function statusOf(pid: number, column: "pgid" | "state"): string {
  return spawnSync("ps", ["-o", `${column}=`, "-p", String(pid)], {
    encoding: "utf8",
  }).stdout.trim();
}
