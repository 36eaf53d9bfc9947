// Processor time of a service that has nothing to do, and of its server, in seconds a minute: with the embedded server, and with a
// PostgreSQL of the system with its defaults. The last contender is the same with `jit` on, as a client leaves it that says nothing.
// Without a PostgreSQL of the system there is the embedded one only. Run `npm run prepack` before.
//   node --import tsx bench/idle.ts [SECONDS]      default 60
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { createServer, connect as openSocket } from "node:net";
import { join } from "node:path";
import { sleep } from "../src/base/clock.ts";
import { ensureCluster, startServer, stopServer } from "../src/db/embedded/cluster.ts";
import { type EmbeddedHome, findEmbeddedHome } from "../src/db/embedded/home.ts";
import { migrate } from "../src/db/migrate.ts";
import { openPool } from "../src/db/pool.ts";
import { sql } from "../src/db/sql.ts";
import {
  log,
  makeFolder,
  measure,
  openStore,
  type Run,
  readNumbers,
  round,
  runBenchmark,
  serve,
  withClosing,
} from "./support/runner.ts";

const [SECONDS] = readNumbers(60);
/** Work of the start, such as the first statistics, is not counted. */
const SETTLE_MS = 15_000;
const SYSTEM_FOLDER = "/usr/lib/postgresql";
/** Without them the server could not be reached. All others are the server's own. */
const KEPT_SETTINGS = ["listen_addresses", "unix_socket_directories", "port"];

interface Target {
  readonly url: string;
  readonly serverPid: number;
}

await runBenchmark("idle", async () => {
  const embedded = await withClosing(async (t) => observe(t, await openStore(t)));
  const bin = findSystemBinaries();
  if (bin === undefined) return { seconds: SECONDS, embedded };
  const system = await withClosing(async (t) => observe(t, await startSystemServer(t, bin)));
  const withJit = await withClosing(async (t) => {
    const server = await startSystemServer(t, bin);
    return observe(t, { ...server, url: await relayWithJit(t, server.url) });
  });
  return { seconds: SECONDS, embedded, system, system_with_jit: withJit };
});

async function observe(t: Run, { url, serverPid }: Target) {
  const { servicePid } = await serve(t, { DATABASE_URL: url });
  await sleep(SETTLE_MS);
  const before = await describeServer(url);
  const cost = await measure(() => sleep(SECONDS * 1_000), { serverPid, servicePid });
  const after = await describeServer(url);
  const perMinute = (us: number) => round((us / 1e6) * (60_000 / cost.ms));
  return {
    postgres: after.version,
    server_s: perMinute(cost.serverUs),
    service_s: perMinute(cost.serviceUs),
    commits_per_s: round((after.commits - before.commits) / (cost.ms / 1_000), 1),
  };
}

async function describeServer(url: string) {
  const pool = openPool({ url, name: "bench", sharedCount: 1, sessionsMax: 0 });
  const [row] = await pool.query<{ version: string; commits: number }>(sql`
    select current_setting('server_version') as version, xact_commit as commits
      from pg_stat_database where datname = current_database()`);
  await pool.end();
  return row ?? { version: "", commits: 0 };
}

function findSystemBinaries(): string | undefined {
  const versions = existsSync(SYSTEM_FOLDER) ? readdirSync(SYSTEM_FOLDER) : [];
  return versions
    .sort((left, right) => Number(right) - Number(left))
    .map((version) => join(SYSTEM_FOLDER, version, "bin"))
    .find((bin) => existsSync(join(bin, "postgres")));
}

/** A server of the system with its own defaults, in a folder of its own, with a migrated database. */
async function startSystemServer(t: Run, bin: string): Promise<Target> {
  const home = withDefaults(findEmbeddedHome(realpathSync(makeFolder(t)), undefined, bin));
  const cluster = await ensureCluster(home, log);
  const server = await startServer(home, cluster);
  if (server === undefined) throw new Error("the server of the system did not start");
  t.after(() => stopServer(cluster, server));
  const urlOf = (database: string) =>
    `postgres://${cluster.user}:${cluster.password}@127.0.0.1:${server.port}/${database}`;
  const setUp = openPool({ url: urlOf("postgres"), name: "bench" });
  await setUp.script("create database bench template template0");
  await setUp.end();
  const db = openPool({ url: urlOf("bench"), name: "bench" });
  await migrate(db, log);
  await db.end();
  return { url: urlOf("bench"), serverPid: server.pid };
}

function withDefaults(home: EmbeddedHome): EmbeddedHome {
  const isKept = (setting = "") => KEPT_SETTINGS.some((name) => setting.startsWith(`${name}=`));
  const keep = (args: readonly string[]) =>
    args.flatMap((arg, at) => {
      if (arg === "-c") return isKept(args[at + 1]) ? [arg] : [];
      return args[at - 1] === "-c" && !isKept(arg) ? [] : [arg];
    });
  return {
    ...home,
    program: (name, args) => home.program(name, name === "postgres" ? keep(args) : args),
  };
}

/** A relay that turns `jit` on where a connection turns it off. Both words have three letters, so no length changes. */
async function relayWithJit(t: Run, url: string): Promise<string> {
  const server = new URL(url);
  const relay = createServer((client) => {
    const upstream = openSocket(Number(server.port), server.hostname);
    client.on("data", (chunk) => upstream.write(turnOn(chunk)));
    upstream.on("data", (chunk) => client.write(chunk));
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.setNoDelay(true);
      from.on("error", () => to.destroy()).on("close", () => to.destroy());
    }
  });
  await new Promise<void>((settle) => relay.listen(0, "127.0.0.1", settle));
  t.after(() => relay.close());
  const relayed = new URL(url);
  relayed.port = String((relay.address() as { readonly port: number }).port);
  return relayed.href;
}

function turnOn(chunk: Buffer): Buffer {
  const text = chunk.toString("latin1");
  return Buffer.from(text.replaceAll("'jit', 'off'", "'jit', 'yes'"), "latin1");
}
