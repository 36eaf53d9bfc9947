import { accessSync, constants, existsSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { sleep } from "../../base/clock.ts";
import { OperatorError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import { StoreClient } from "../driver/client.ts";
import { LOCKS } from "../locks.ts";
import { toClientOptions } from "../pool.ts";
import { isStoreDown } from "../store-error.ts";
import {
  type Cluster,
  ensureCluster,
  findRunningServer,
  hasCluster,
  type RunningServer,
  startServer,
  stopServer,
} from "./cluster.ts";
import { type AccountKind, type EmbeddedHome, findEmbeddedHome } from "./home.ts";
import { isLoginRefused, SERVICE_ROLE, setUpServiceRole } from "./service-role.ts";

/** A hold on the embedded server of a data folder. The server runs at least until the last hold is released. */
export interface EmbeddedServer {
  /** Where its data is. */
  readonly folder: string;
  /** For the role that owns Assay's databases. */
  url(database: string): string;
  /** For the superuser, who makes databases. */
  setUpUrl(database: string): string;
  /** Stops the server if no other process holds it. */
  release(): Promise<void>;
}

interface EmbeddedOptions {
  readonly dataDir: string;
  readonly log: Logger;
  /** False: if there is no store in the folder, it is an error, and the folder stays as it is. */
  readonly mayCreate?: boolean;
  /** The folder of other programs than npm's. */
  readonly postgresBin?: string;
  /** How to run as root; detected if absent. */
  readonly accountKind?: AccountKind;
}

/** Crash recovery after a power cut reads all of the write-ahead log since the last checkpoint. */
const READY_TIMEOUT_MS = 120_000;
const RETRY_DELAY_MS = 50;
const RESTART_DELAY_MS = 1_000;
/** The lock may be held by a process that is stopping the server. */
const HOLD_TIMEOUT_MS = 60_000;

/** Starts the server of the data folder, or adopts the one that runs there already. */
export async function openEmbeddedServer(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const dataDir = resolve(options.dataDir);
  const isFixed = options.mayCreate === false;
  if (isFixed && !existsSync(dataDir)) throw missingStore(dataDir);
  makeDataDir(dataDir);
  const home = findEmbeddedHome(realpathSync(dataDir), options.accountKind, options.postgresBin);
  warnOfOthers(home, options.log);
  if (isFixed && !hasCluster(home)) throw missingStore(dataDir);
  const cluster = await ensureCluster(home, options.log);
  const context = { home, cluster, log: options.log };
  const first = await takeHold(context);
  const state = { isReleased: false, hold: Promise.resolve(first) };

  const watch = (hold: Hold): void => {
    void hold.lost.then(() => {
      if (state.isReleased) return;
      options.log.error("the embedded PostgreSQL stopped unexpectedly; starting it again");
      const again = { ...context, port: first.server.port };
      state.hold = holdAgain(again, () => state.isReleased);
      state.hold.then(watch, (error: unknown) =>
        options.log.error({ err: error }, "the embedded PostgreSQL could not be started again"),
      );
    });
  };
  watch(first);

  return {
    folder: home.folder,
    url: (database) => urlOf(cluster, first.server, { role: "service", database }),
    setUpUrl: (database) => urlOf(cluster, first.server, { role: "superuser", database }),
    release: async () => {
      if (state.isReleased) return;
      state.isReleased = true;
      // If it is being started again, wait for that first.
      const hold = await state.hold.catch(() => undefined);
      if (hold !== undefined) await letGo(hold, cluster);
    },
  };
}

/** The error of a command that does not create a store. `hasDemo`: the folder has a store for the demo alone. */
export function missingStore(place: string, hasDemo = false): OperatorError {
  return new OperatorError(
    `there is no store in ${place}${hasDemo ? " but that of the demo, which needs --demo" : ""}; ` +
      "if the service runs elsewhere, set ASSAY_DATA_DIR or DATABASE_URL as it has them; " +
      "to create a store here, run: assay serve, migrate, apply or import",
  );
}

function makeDataDir(dataDir: string): void {
  try {
    // Other users may pass through the folder but not list it; its contents are 0700 or 0600.
    mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  } catch (cause) {
    throw new OperatorError(
      `cannot make the data folder ${dataDir}: ${(cause as Error).message}; set ASSAY_DATA_DIR`,
      cause,
    );
  }
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new OperatorError(
      `cannot write to the data folder ${dataDir}; run as the user who owns it, or set ASSAY_DATA_DIR to another`,
      cause,
    );
  }
}

/** What others may do to the store that we cannot change: the folder and the account are the operator's choice. */
function warnOfOthers({ folder, kind }: EmbeddedHome, log: Logger): void {
  const { mode } = statSync(folder);
  const isShared = (mode & 0o022) !== 0 && (mode & 0o1000) === 0;
  if (isShared) log.warn({ folder }, "other users may replace the store; run chmod go-w on it");
  if (kind === "nobody") {
    log.warn(
      "PostgreSQL runs as the account nobody, whose other programs can read the store; run Assay as an ordinary user",
    );
  }
}

interface HoldContext {
  readonly home: EmbeddedHome;
  readonly cluster: Cluster;
  readonly log: Logger;
  /** The port that the open pools use; a restarted server must keep it. */
  readonly port?: number;
}

interface Hold {
  readonly server: RunningServer;
  readonly connection: StoreClient;
  /** Resolves when the connection is lost, for any reason. */
  readonly lost: Promise<void>;
}

async function takeHold(context: HoldContext): Promise<Hold> {
  const deadlineMs = performance.now() + READY_TIMEOUT_MS;
  let lastError: unknown;
  while (performance.now() < deadlineMs) {
    const server =
      findRunningServer(context.cluster) ??
      (await startServer(context.home, context.cluster, context.port));
    try {
      if (server !== undefined) return await holdOrSetUp(context.cluster, server);
    } catch (error) {
      if (error instanceof OperatorError) throw error;
      lastError = error;
    }
    await sleep(RETRY_DELAY_MS);
  }
  throw new OperatorError(
    `the embedded PostgreSQL did not become ready in ${READY_TIMEOUT_MS / 1000} s; ` +
      `its log is ${context.cluster.logFile}`,
    lastError,
  );
}

async function holdAgain(context: HoldContext, isReleased: () => boolean): Promise<Hold> {
  for (;;) {
    try {
      const hold = await takeHold(context);
      context.log.info({ port: hold.server.port }, "the embedded PostgreSQL is running again");
      return hold;
    } catch (error) {
      context.log.error({ err: error }, "the embedded PostgreSQL could not be started again");
      if (isReleased()) throw error;
      await sleep(RESTART_DELAY_MS);
    }
  }
}

// Throws while the server is starting or stopping; the caller tries again.
async function holdOrSetUp(cluster: Cluster, server: RunningServer): Promise<Hold> {
  try {
    return await hold(cluster, server);
  } catch (error) {
    if (!isLoginRefused(error)) throw error;
    await setUpServiceRole(cluster, (database) =>
      urlOf(cluster, server, { role: "superuser", database }),
    );
    return hold(cluster, server);
  }
}

async function hold(cluster: Cluster, server: RunningServer): Promise<Hold> {
  const url = urlOf(cluster, server, { role: "service", database: "postgres" });
  const connection = new StoreClient(
    toClientOptions({ url, name: "assay hold", statementTimeoutMs: HOLD_TIMEOUT_MS }),
  );
  const lost = new Promise<void>((settle) => {
    connection.once("end", settle);
  });
  try {
    await connection.connect();
    const { rows } = await connection.run({
      text: `select current_setting('data_directory') as folder, pg_advisory_lock_shared(${LOCKS.embeddedServer})`,
    });
    const folder = (rows as { folder: string }[])[0]?.folder;
    if (folder === undefined || realpathSync(folder) !== realpathSync(cluster.folder)) {
      throw new OperatorError(`the server on port ${server.port} does not serve ${cluster.folder}`);
    }
    return { server, connection, lost };
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

// The exclusive lock is granted only if no other process holds the server. It is kept while the server shuts down, so
// that a process that connects meanwhile waits for it, loses its connection, and starts the server again.
async function letGo({ connection, server }: Hold, cluster: Cluster): Promise<void> {
  try {
    const { rows } = await connection.run({
      text: `select pg_advisory_unlock_shared(${LOCKS.embeddedServer}),
                    pg_try_advisory_lock(${LOCKS.embeddedServer}) as "isLast"`,
    });
    if ((rows as { isLast: boolean }[])[0]?.isLast === true) await stopServer(cluster, server);
  } catch (error) {
    // The server went away by itself; there is nothing left to release.
    if (!isStoreDown(error)) throw error;
  } finally {
    connection.destroy();
  }
}

/** Another program could take the port while the server is down, so only SCRAM is accepted. */
function urlOf(
  cluster: Cluster,
  { port }: RunningServer,
  { role, database }: { readonly role: "service" | "superuser"; readonly database: string },
): string {
  const login =
    role === "service"
      ? `${SERVICE_ROLE}:${cluster.servicePassword}`
      : `${cluster.user}:${cluster.password}`;
  return `postgres://${login}@127.0.0.1:${port}/${database}?require_auth=scram-sha-256`;
}
