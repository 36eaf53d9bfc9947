import { appendFileSync, mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLogger } from "../../../src/base/log.ts";
import {
  type Cluster,
  ensureCluster,
  type RunningServer,
  startServer,
  stopServer,
} from "../../../src/db/embedded/cluster.ts";
import { findEmbeddedHome } from "../../../src/db/embedded/home.ts";
import { migrate } from "../../../src/db/migrate.ts";
import { openPool } from "../../../src/db/pool.ts";
import { sql } from "../../../src/db/sql.ts";
import { until } from "../test-app.ts";
import { copyStore } from "../test-server.ts";

/** A primary and its streaming replica, both from the embedded binaries, with a migrated database `assay`. */
export interface ReplicatedServer {
  readonly primary: Server;
  readonly replica: Server;
  /** For DATABASE_URL: names both servers; the one that accepts writes is used. */
  readonly url: string;
  /** Promotes the replica to primary. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

interface Server {
  /** Of its database `assay`. */
  readonly url: string;
  /** Ends at once, like a crash. */
  kill(): Promise<void>;
  /** Starts the server again with its data. */
  startAgain(): Promise<void>;
}

/** With `synchronous`, a commit is acknowledged after the replica has also written it to disk. */
export async function startReplicatedServer(
  folder: string,
  options: { readonly isSynchronous: boolean },
): Promise<ReplicatedServer> {
  const primary = await makePrimary(join(folder, "primary"));
  const replica = await copyAsReplica(primary, join(folder, "replica"));
  if (options.isSynchronous) {
    configure(primary.cluster, "synchronous_standby_names = 'walreceiver'");
    const pool = openPool({ url: primary.url, name: "assay test" });
    await pool.execute(sql`select pg_reload_conf()`);
    const isSynchronous = async () =>
      (await pool.query(sql`select 1 from pg_stat_replication where sync_state = 'sync'`)).length >
      0;
    await until(isSynchronous, 60_000);
    await pool.end();
  }
  const hosts = [primary, replica].map(({ url }) => new URL(url).host);
  return {
    primary,
    replica,
    url: primary.url.replace(new URL(primary.url).host, hosts.join(",")),
    promote: () => promote(replica),
    stop: async () => {
      await replica.stop();
      await primary.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface OwnServer extends Server {
  readonly home: ReturnType<typeof findEmbeddedHome>;
  readonly cluster: Cluster;
  readonly port: number;
  stop(): Promise<void>;
}

async function makePrimary(dataDir: string): Promise<OwnServer> {
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  const prepared = process.env["ASSAY_TEST_PREPARED_DIR"];
  if (prepared !== undefined) copyStore(prepared, dataDir);
  const server = await start(dataDir);
  const maintenance = openPool({
    url: server.url.replace(/assay$/, "postgres"),
    name: "assay test",
  });
  await maintenance.script("create database assay template template0");
  await maintenance.end();
  const pool = openPool({ url: server.url, name: "assay test" });
  await migrate(pool, createLogger("warn"));
  await pool.end();
  return server;
}

/** Copies the stopped primary and configures the copy to follow it. */
async function copyAsReplica(primary: OwnServer, dataDir: string): Promise<OwnServer> {
  await primary.stop();
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  const home = findEmbeddedHome(realpathSync(dataDir));
  copyStore(primary.home.folder, home.folder);
  await primary.startAgain();
  const cluster = await ensureCluster(home, createLogger("warn"));
  const signal = join(cluster.folder, "standby.signal");
  writeFileSync(signal, "");
  home.changeOwner(signal);
  const { user, password } = primary.cluster;
  const address = `host=127.0.0.1 port=${primary.port} user=${user} password=${password}`;
  configure(cluster, `primary_conninfo = '${address}'`);
  rmSync(cluster.portFile, { force: true });
  return start(dataDir);
}

function configure(cluster: Cluster, line: string): void {
  appendFileSync(join(cluster.folder, "postgresql.auto.conf"), `${line}\n`);
}

async function start(dataDir: string): Promise<OwnServer> {
  const home = findEmbeddedHome(realpathSync(dataDir));
  const cluster = await ensureCluster(home, createLogger("warn"));
  const run = async (port?: number): Promise<RunningServer> => {
    const started = await startServer(home, cluster, port);
    if (started === undefined) throw new Error("the server did not start");
    return started;
  };
  let running = await run();
  const { port } = running;
  const { user, password } = cluster;
  return {
    home,
    cluster,
    port,
    url: `postgres://${user}:${password}@127.0.0.1:${port}/assay`,
    kill: async () => {
      // Ends all its processes without a checkpoint, so the disk is as after a power cut.
      process.kill(running.pid, "SIGQUIT");
      await until(() => !isAlive(running.pid));
    },
    startAgain: async () => {
      running = await run(port);
    },
    stop: () => stopServer(cluster, running),
  };
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function promote(replica: OwnServer): Promise<void> {
  const pool = openPool({
    url: replica.url,
    isReadOnly: true,
    name: "assay test",
  });
  await pool.execute(sql`select pg_promote(true, 60)`);
  await pool.end();
}
