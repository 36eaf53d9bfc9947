import { sleep } from "../base/clock.ts";
import { OperatorError } from "../base/errors.ts";
import type { Database } from "./database.ts";
import { openClient, type StoreClient } from "./driver/client.ts";
import type { Hosts } from "./driver/hosts.ts";
import { toClientOptions } from "./pool.ts";
import { sql } from "./sql.ts";

/**
 * Asks every host of a store what it is, so that a fail-over is seen although the old primary goes on answering. A single host is asked
 * only while it is refused for its timeline.
 */
interface HostWatch {
  /** Resolves when each host has been asked once. Connections that are opened before may go to an old primary. */
  readonly asked: Promise<unknown>;
  stop(): Promise<void>;
}

const INTERVAL_MS = 1_000;
const TIMEOUT_MS = 2_000;

export function watchHosts(hosts: Hosts): HostWatch {
  const stop = new AbortController();
  const isSingle = hosts.urls.length === 1;
  const follows = hosts.urls.map((url) => followHost(hosts, url));
  const asked = follows.map(({ again }) => (isSingle ? undefined : again()));
  const loops = follows.map(async (ask, at) => {
    // Two questions at once would open two connections, of which one is never closed.
    await asked[at];
    while (!stop.signal.aborted) {
      await sleep(INTERVAL_MS, stop.signal);
      if (stop.signal.aborted) break;
      if (isSingle && !hosts.state().isRefusing) ask.close();
      else await ask.again();
    }
    ask.close();
  });
  return {
    asked: Promise.all(asked),
    stop: async () => {
      stop.abort();
      await Promise.all(loops);
    },
  };
}

/** Asks over one connection, which is opened again when it is lost. */
function followHost(hosts: Hosts, url: string) {
  const options = { url, name: "assay hosts", isReadOnly: true, statementTimeoutMs: TIMEOUT_MS };
  const open = () => openClient({ ...toClientOptions(options), connectTimeoutMs: TIMEOUT_MS });
  let client: StoreClient | undefined;
  let shownName = options.name;
  const close = (): void => {
    client?.destroy();
    client = undefined;
    shownName = options.name;
  };
  const again = async (): Promise<void> => {
    try {
      client ??= await open();
      hosts.note(url, await client.describeServer());
      const { isRefusing, timeline } = hosts.state();
      const name = isRefusing ? `${REFUSING_NAME} ${timeline}` : options.name;
      if (name !== shownName) {
        await client.run({
          text: "select set_config('application_name', $1, false)",
          values: [name],
        });
      }
      shownName = name;
    } catch {
      // The connections that go there report the reason.
      close();
      hosts.note(url, undefined);
    }
  };
  return { again, close };
}

/**
 * How a connection is named, with the highest timeline, while its process refuses the server: `assay doctor` is another process, which has
 * seen no other timeline.
 */
const REFUSING_NAME = "assay refused_timeline";

/** Says which processes refuse this server for its timeline. */
export async function findTimelineProblem(db: Database): Promise<string | undefined> {
  const [row] = await db.query<{ processes: number; name: string | null }>(sql`
    select count(*) as processes, max(application_name) as name
      from pg_stat_activity
     where datname = current_database() and application_name like ${`${REFUSING_NAME} %`}`);
  const { processes = 0, name = null } = row ?? {};
  if (processes === 0 || name === null) return undefined;
  const timeline = name.slice(REFUSING_NAME.length + 1);
  return (
    `refused_timeline: ${processes} connections of Assay's processes refuse this server, because they have seen timeline ${timeline}, which ` +
    "is higher; if no server has it any more, what was stored on it is lost, and they end after a minute to be started again (docs/cluster.md)"
  );
}

/** How often two connections are compared. On a pooler that nobody else uses, the first time decides. */
const COMPARISONS = 5;

/**
 * Throws if a pooler between us and the server gives each transaction another session, as PgBouncer in transaction mode does.
 * There, locks of a session, LISTEN and prepared statements belong to whoever comes next. It shows when a second connection
 * begins a transaction: it gets the session of the first, or the first gets another one.
 */
export async function refuseTransactionPooler(hosts: Hosts): Promise<void> {
  const options = toClientOptions({ url: hosts, name: "assay pooler check" });
  const clients: StoreClient[] = [];
  try {
    const first = await openClient(options);
    clients.push(first);
    if (!first.isPooled) return;
    const second = await openClient(options);
    clients.push(second);
    for (let turn = 0; turn < COMPARISONS; turn += 1) {
      const before = await first.describeServer();
      await second.run({ text: "begin" });
      const other = await second.describeServer();
      const after = await first.describeServer();
      await second.run({ text: "rollback" });
      const processIds = [before, after].map(({ process_id }) => process_id);
      const isOwn = processIds.every((processId) => processId === first.serverProcessId);
      if (!isOwn || processIds.includes(other.process_id)) throw new OperatorError(REFUSAL);
    }
  } finally {
    for (const client of clients) client.destroy();
  }
}

const REFUSAL =
  "DATABASE_URL leads to a pooler that gives each transaction another session, as PgBouncer in transaction mode does; " +
  "locks, prepared statements and the change feed need one that stays: set pool_mode = session, or name PostgreSQL itself";
