import type { Config } from "../base/config.ts";
import { withDeadline } from "../base/deadline.ts";
import { OperatorError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import { checkServer, type DatabasePool, openPool } from "./database.ts";
import { openEmbeddedServer } from "./embedded/server.ts";

/** The store that the configuration names, checked and reachable. */
export interface Store {
  readonly pool: DatabasePool;
  readonly url: string;
  readonly kind: "embedded" | "server";
  close(): Promise<void>;
}

const CLOSE_TIMEOUT_S = 5;
/** With several hosts the driver goes round them for ever. */
const CHECK_TIMEOUT_MS = 20_000;
/** For steps and commands, which do one thing after another. */
const WORK_CONNECTIONS_MAX = 4;
/** The embedded server takes 100, and commands beside the service need some. */
const EMBEDDED_CONNECTIONS_MAX = 60;
const REQUEST_STATEMENT_TIMEOUT_MS = 10_000;
const REQUEST_SILENCE_MAX_MS = 15_000;

export async function openStore(config: Config, log: Logger): Promise<Store> {
  // The demo never mixes with real data, so it never goes to the server of DATABASE_URL.
  const isServer = config.databaseUrl !== undefined && !config.isDemo;
  const source = isServer ? serverSource(config.databaseUrl) : await embeddedSource(config, log);
  const pool = openPool({ url: source.url, connectionsMax: WORK_CONNECTIONS_MAX, name: "assay" });
  let closing: Promise<void> | undefined;
  const close = () => {
    // Whoever asks a second time waits for the first.
    closing ??= pool.end({ timeout: CLOSE_TIMEOUT_S }).then(() => source.release());
    return closing;
  };
  try {
    await withDeadline(checkServer(pool, config), CHECK_TIMEOUT_MS);
  } catch (error) {
    await close();
    throw explainRefusal(error, isServer);
  }
  return { pool, url: source.url, kind: isServer ? "server" : "embedded", close };
}

/** A pool for requests: nothing in it may take long, so a connection that says nothing for long is dead. */
export function openRequestPool(store: Store, config: Config): DatabasePool {
  const embeddedMax =
    store.kind === "embedded" ? EMBEDDED_CONNECTIONS_MAX : Number.POSITIVE_INFINITY;
  return openPool({
    url: store.url,
    connectionsMax: Math.min(config.databaseConnectionsMax, embeddedMax),
    name: "assay api",
    statementTimeoutMs: REQUEST_STATEMENT_TIMEOUT_MS,
    silenceMaxMs: REQUEST_SILENCE_MAX_MS,
  });
}

interface Source {
  readonly url: string;
  release(): Promise<void>;
}

function serverSource(url: string | undefined): Source {
  return { url: url ?? "", release: async () => undefined };
}

async function embeddedSource(config: Config, log: Logger): Promise<Source> {
  const server = await openEmbeddedServer({ dataDir: config.dataDir, log });
  const database = config.isDemo ? "assay_demo" : "assay";
  try {
    await ensureDatabase(server.url("postgres"), database);
  } catch (error) {
    await server.release();
    throw error;
  }
  return { url: server.url(database), release: server.release };
}

async function ensureDatabase(maintenanceUrl: string, database: string): Promise<void> {
  const pool = openPool({ url: maintenanceUrl, connectionsMax: 1, name: "assay setup" });
  try {
    const found = await pool`select 1 from pg_database where datname = ${database}`;
    if (found.length === 0) await pool.unsafe(`create database ${database} template template0`);
  } catch (error) {
    // Another process made it at the same moment.
    const code = (error as { code?: unknown }).code;
    if (code !== "42P04" && code !== "23505") throw error;
  } finally {
    await pool.end({ timeout: CLOSE_TIMEOUT_S });
  }
}

function explainRefusal(error: unknown, isServer: boolean): unknown {
  if (error instanceof OperatorError || !isServer) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new OperatorError(`the PostgreSQL of DATABASE_URL cannot be used: ${reason}`, error);
}
