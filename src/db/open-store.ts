import { resolve } from "node:path";
import { withDeadline } from "../base/clock.ts";
import type { Config } from "../base/config.ts";
import { assert, OperatorError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import type { Database, DatabasePool } from "./database.ts";
import { type Hosts, openHosts } from "./driver/hosts.ts";
import { type EmbeddedServer, missingStore, openEmbeddedServer } from "./embedded/server.ts";
import { SERVICE_ROLE } from "./embedded/service-role.ts";
import { openPool } from "./pool.ts";
import { sql } from "./sql.ts";
import { refuseTransactionPooler, watchHosts } from "./watch-hosts.ts";

/** The store that the configuration names, checked and reachable. */
export interface Store {
  readonly pool: DatabasePool;
  readonly url: string;
  /** Shared by all connections to the store. */
  readonly hosts: Hosts;
  readonly kind: "embedded" | "server";
  /** The folder, or host and database, without the password. */
  readonly place: string;
  /** Where the data is; absent if that is another server's matter. */
  readonly folder?: string;
  /** True if it had no tables when it was opened. */
  readonly isNew: boolean;
  /** Resolves when no host has shown the highest timeline for a minute, so that all of them are refused. */
  readonly timelineLost: Promise<void>;
  close(): Promise<void>;
}

/** Several hosts are tried one after the other, each with a time-out of its own. */
const CHECK_TIMEOUT_MS = 20_000;
/** For steps and commands, which do one thing after another. */
const WORK_CONNECTIONS = { sharedCount: 2, sessionsMax: 4 };
/** Two batches of the intake are under way at most. */
const INTAKE_CONNECTIONS = { sharedCount: 2, sessionsMax: 0 };
/** Look-ups take about a millisecond. Sign-ins and changes of tokens are transactions. */
const ACCESS_CONNECTIONS = { sharedCount: 2, sessionsMax: 2 };
const FIGURES_CONNECTIONS = { sharedCount: 4, sessionsMax: 0 };
const CHECK_CONNECTIONS = { sharedCount: 1, sessionsMax: 0 };
/** The embedded server takes 100, and commands beside the service need some. */
const EMBEDDED_CONNECTIONS_MAX = 60;
/** A caller waits for the answer, so nothing here may take long. */
const REQUEST_STATEMENT_TIMEOUT_MS = 10_000;
const FIGURES_STATEMENT_TIMEOUT_MS = 5_000;
const CHECK_STATEMENT_TIMEOUT_MS = 2_000;
const VERSION_MINIMUM = 150_000;

interface StoreOptions {
  /** False: if there is no store, it is an error and none is created. The default is true. */
  readonly mayCreate?: boolean;
}

export async function openStore(
  config: Config,
  log: Logger,
  { mayCreate = true }: StoreOptions = {},
): Promise<Store> {
  // The demo never mixes with real data, so it never goes to the server of DATABASE_URL.
  const isServer = config.databaseUrl !== undefined && !config.isDemo;
  const source = isServer
    ? serverSource(config.databaseUrl ?? "")
    : await embeddedSource(config, log, mayCreate);
  let loseTimeline = (): void => undefined;
  const timelineLost = new Promise<void>((settle) => {
    loseTimeline = settle;
  });
  const hosts = openHosts(source.url, {
    onTimelineLost: ({ timeline }) => {
      log.fatal(
        { timeline },
        "all servers answer, and none has the highest timeline any more: what was stored on it is lost",
      );
      loseTimeline();
    },
    onFailOver: ({ host, timeline }) =>
      log.warn({ host, timeline }, "another server has taken over; writes go there"),
  });
  const watch = watchHosts(hosts);
  const pool = openPool({ url: hosts, name: "assay", ...WORK_CONNECTIONS });
  let closing: Promise<void> | undefined;
  const close = () => {
    // A second caller waits for the first.
    closing ??= Promise.all([pool.end(), watch.stop()]).then(() => source.release());
    return closing;
  };
  try {
    await watch.asked;
    if (isServer) await withDeadline(refuseTransactionPooler(hosts), CHECK_TIMEOUT_MS);
    await withDeadline(checkServer(pool, config), CHECK_TIMEOUT_MS);
    const isNew = await isEmpty(pool);
    if (isNew && !mayCreate) throw missingStore(source.place);
    const kind = isServer ? "server" : "embedded";
    const { url, place, folder } = source;
    const opened = { pool, url, hosts, kind, place, isNew, timelineLost, close } as const;
    return { ...opened, ...(folder === undefined ? {} : { folder }) };
  } catch (error) {
    await close();
    throw explainRefusal(error, isServer);
  }
}

/** Refuses a server on which an acknowledged event could be lost, or that is too old for our SQL. */
export async function checkServer(
  db: Database,
  options: { readonly isUnsafeStoreAllowed: boolean },
): Promise<void> {
  const [row] = await db.query<{ version: number; encoding: string; unsafe: string[] }>(sql`
    select current_setting('server_version_num')::int as version,
           current_setting('server_encoding') as encoding,
           coalesce(array_agg(name order by name) filter (where setting = 'off'), '{}') as unsafe
      from pg_settings
     where name in ('fsync', 'synchronous_commit', 'full_page_writes')`);
  assert(row !== undefined, "an aggregate returns one row");
  if (row.version < VERSION_MINIMUM) {
    const major = Math.floor(row.version / 10_000);
    throw new OperatorError(`the server is PostgreSQL ${major}; Assay needs 15 or newer`);
  }
  if (row.encoding !== "UTF8") {
    throw new OperatorError(`the database's encoding is ${row.encoding}; Assay needs UTF8`);
  }
  if (row.unsafe.length > 0 && !options.isUnsafeStoreAllowed) {
    throw new OperatorError(
      `the server runs with ${row.unsafe.join(" and ")} off, so a power cut would lose acknowledged events; ` +
        "turn it on, or set ASSAY_ALLOW_UNSAFE_STORE=true if you accept that",
    );
  }
}

async function isEmpty(pool: DatabasePool): Promise<boolean> {
  const [row] = await pool.query<{ is_empty: boolean }>(sql`
    select to_regclass('schema_migration') is null as is_empty`);
  return row?.is_empty === true;
}

function explainRefusal(error: unknown, isServer: boolean): unknown {
  if (error instanceof OperatorError || !isServer) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new OperatorError(`the PostgreSQL of DATABASE_URL cannot be used: ${reason}`, error);
}

interface Source {
  readonly url: string;
  readonly place: string;
  readonly folder?: string;
  release(): Promise<void>;
}

function serverSource(url: string): Source {
  const [, place = "DATABASE_URL"] = /^[a-z]+:\/\/(?:[^@/?#]*@)?([^?#]+)/i.exec(url) ?? [];
  return { url, place, release: async () => undefined };
}

const DEMO_DATABASE = "assay_demo";

async function embeddedSource(config: Config, log: Logger, mayCreate: boolean): Promise<Source> {
  const { dataDir, postgresBin } = config;
  const programs = postgresBin === undefined ? {} : { postgresBin };
  const server = await openEmbeddedServer({ dataDir, log, mayCreate, ...programs });
  const database = config.isDemo ? DEMO_DATABASE : "assay";
  const place = `${resolve(config.dataDir)}${config.isDemo ? " (demo)" : ""}`;
  try {
    if (!(await hasDatabase(server, database))) {
      if (!mayCreate) {
        const hasDemo = !config.isDemo && (await hasDatabase(server, DEMO_DATABASE));
        throw missingStore(place, hasDemo);
      }
      await createDatabase(server, database);
    }
  } catch (error) {
    await server.release();
    throw error;
  }
  return { url: server.url(database), place, folder: server.folder, release: server.release };
}

async function hasDatabase(server: EmbeddedServer, database: string): Promise<boolean> {
  const found = await withPool(server.url("postgres"), (pool) =>
    pool.query(sql`select 1 from pg_database where datname = ${database}`),
  );
  return found.length > 0;
}

async function createDatabase(server: EmbeddedServer, database: string): Promise<void> {
  try {
    await withPool(server.setUpUrl("postgres"), (pool) =>
      pool.script(`create database ${database} owner ${SERVICE_ROLE} template template0`),
    );
  } catch (error) {
    // Another process made it at the same moment.
    const code = (error as { code?: unknown }).code;
    if (code !== "42P04" && code !== "23505") throw error;
  }
}

async function withPool<Result>(
  url: string,
  work: (pool: DatabasePool) => Promise<Result>,
): Promise<Result> {
  const pool = openPool({ url, name: "assay setup", sharedCount: 1, sessionsMax: 0 });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

/** The pools of a service beside the store's own, which is for steps. Each has connections that no other can take. */
export interface ServicePools {
  /** For the webhook: slow requests must not keep an event from being stored. */
  readonly intake: DatabasePool;
  /** For tokens and sessions: whatever the requests do, an owner can sign in and revoke a token. */
  readonly access: DatabasePool;
  /** Callers have their turns, so that no token can fill the connections. */
  readonly requests: DatabasePool;
  /** For figures over the whole market: neither events nor other requests may wait for them. */
  readonly figures: DatabasePool;
  /** For health checks: under load they must not wait behind requests. */
  readonly checks: DatabasePool;
  end(): Promise<void>;
}

export function openServicePools(store: Store, config: Config): ServicePools {
  const url = store.hosts;
  const statementTimeoutMs = REQUEST_STATEMENT_TIMEOUT_MS;
  const requestConnections = toRequestConnections(store, config.databaseConnectionsMax);
  const intake = openPool({ url, name: "assay intake", statementTimeoutMs, ...INTAKE_CONNECTIONS });
  const access = openPool({
    url,
    name: "assay access",
    statementTimeoutMs,
    isFair: true,
    ...ACCESS_CONNECTIONS,
  });
  const requests = openPool({
    url,
    name: "assay api",
    statementTimeoutMs,
    isFair: true,
    ...requestConnections,
  });
  const figures = openPool({
    url,
    name: "assay figures",
    statementTimeoutMs: FIGURES_STATEMENT_TIMEOUT_MS,
    isFair: true,
    ...FIGURES_CONNECTIONS,
  });
  const checks = openPool({
    url,
    name: "assay check",
    statementTimeoutMs: CHECK_STATEMENT_TIMEOUT_MS,
    ...CHECK_CONNECTIONS,
  });
  return {
    intake,
    access,
    requests,
    figures,
    checks,
    end: async () => {
      await Promise.all([intake, access, requests, figures, checks].map((pool) => pool.end()));
    },
  };
}

/** Few requests need a transaction, so most connections are shared by single statements. */
function toRequestConnections({ kind }: Store, connectionsMax: number) {
  const max =
    kind === "embedded" ? Math.min(connectionsMax, EMBEDDED_CONNECTIONS_MAX) : connectionsMax;
  const sessionsMax = Math.max(1, Math.floor(max * 0.4));
  return { sharedCount: Math.max(1, max - sessionsMax), sessionsMax };
}
