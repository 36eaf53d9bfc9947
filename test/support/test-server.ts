import { spawnSync } from "node:child_process";
import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statfsSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "../../src/base/log.ts";
import { ensureCluster, startServer, stopServer } from "../../src/db/embedded/cluster.ts";
import { type EmbeddedHome, findEmbeddedHome } from "../../src/db/embedded/home.ts";
import { migrate } from "../../src/db/migrate.ts";
import { openPool } from "../../src/db/pool.ts";

/** The server of one run of the tests: the embedded one in a folder of its own, or the one of TEST_DATABASE_URL. */
interface TestServer {
  /** Of its maintenance database. */
  readonly url: string;
  /** A data folder whose embedded server was created and never started, if there is one. */
  readonly preparedDir?: string;
  stop(): Promise<void>;
}

/** Its content is what every test database starts from. */
export const TEMPLATE = "assay_test_template";
/** A loaded demo market; made by the first test that needs it (`demo.ts`). */
export const DEMO_TEMPLATE = "assay_test_demo";

const MEMORY_FOLDER = "/dev/shm";
/** A run uses about 300 MB at its peak. */
const MEMORY_FREE_MIN_BYTES = 2 * 1024 ** 3;
/** Vacuuming would go round hundreds of databases that live for seconds. */
const SETTINGS = [
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "autovacuum=off",
  // Four processes of tests at once, each with services and pools of its own.
  "max_connections=400",
];

export async function startTestServer(): Promise<TestServer> {
  const given = process.env["TEST_DATABASE_URL"];
  const server = given === undefined ? await startEmbedded() : { url: given, stop: async () => {} };
  await makeTemplate(server.url);
  return server;
}

export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

/**
 * Copies a stopped embedded server, with owners and modes, whatever account it runs under. Takes a tenth of the time of
 * creating one.
 */
export function copyStore(from: string, to: string): void {
  const copied = spawnSync("cp", ["-a", join(from, "store"), to]);
  if (copied.status !== 0) throw new Error(`the copy failed: ${String(copied.stderr)}`);
}

/**
 * The data does not outlive the run, so nothing waits for the disk. Tests of durability start servers of their own, with
 * the settings of the product.
 */
async function startEmbedded(): Promise<TestServer> {
  const dataDir = mkdtempSync(join(hasMemoryFolder() ? MEMORY_FOLDER : tmpdir(), "assay-test-"));
  chmodSync(dataDir, 0o711);
  const home = withoutSync(findEmbeddedHome(realpathSync(dataDir)));
  const cluster = await ensureCluster(home, createLogger("warn"));
  const preparedDir = join(dataDir, "prepared");
  mkdirSync(preparedDir);
  copyStore(home.folder, preparedDir);
  const server = await startServer(home, cluster);
  if (server === undefined) throw new Error("the server of the tests did not start");
  const url = `postgres://${cluster.user}:${cluster.password}@127.0.0.1:${server.port}/postgres`;
  await makeConnectingCheap(url, cluster);
  return {
    url,
    preparedDir,
    stop: async () => {
      await stopServer(cluster, server);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Returns true if there is a file system in memory with enough room. A database has hundreds of files: to create one took
 * 0.05 s in memory and 0.5 s on a disk.
 */
function hasMemoryFolder(): boolean {
  try {
    accessSync(MEMORY_FOLDER, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize >= MEMORY_FREE_MIN_BYTES;
  } catch {
    return false;
  }
}

/** PostgreSQL uses the last value of a setting that is given twice. */
function withoutSync(home: EmbeddedHome): EmbeddedHome {
  const added: Readonly<Record<string, readonly string[]>> = {
    initdb: ["--no-sync"],
    postgres: SETTINGS.flatMap((setting) => ["-c", setting]),
  };
  return {
    ...home,
    program: (name, args) => home.program(name, [...args, ...(added[name] ?? [])]),
  };
}

/** A run opens thousands of connections, and the usual number of iterations takes a third of the time of each. */
async function makeConnectingCheap(
  url: string,
  { user, password }: { readonly user: string; readonly password: string },
): Promise<void> {
  const maintenance = openPool({ url, name: "assay test", sharedCount: 1 });
  await maintenance.script(`set scram_iterations = 1; alter role ${user} password '${password}'`);
  await maintenance.end();
}

async function makeTemplate(url: string): Promise<void> {
  const maintenance = openPool({ url, name: "assay test" });
  for (const name of [TEMPLATE, DEMO_TEMPLATE]) {
    await maintenance.script(`drop database if exists ${name} with (force)`);
  }
  await maintenance.script(`create database ${TEMPLATE} template template0 encoding 'UTF8'`);
  await maintenance.end();
  const pool = openPool({
    url: withDatabase(url, TEMPLATE),
    name: "assay test",
  });
  await migrate(pool, createLogger("warn"));
  await pool.end();
}
