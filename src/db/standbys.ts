/**
 * Whether an acknowledged event is on another machine. The server tells it, however many hosts the URL names: behind HAProxy or a
 * service of Kubernetes there is one.
 */
import { assert } from "../base/errors.ts";
import type { Database } from "./database.ts";
import { sql } from "./sql.ts";

export interface Standbys {
  /** How many standbys receive the log. */
  readonly connected: number;
  /** True if a commit waits for one. */
  readonly isSynchronous: boolean;
}

/** Programs that read the log for a moment, or to archive it. No one is promoted to them. */
const READERS = ["pg_basebackup", "pg_receivewal", "pg_rewind"];

/** A role that may not read the statistics of others sees how many there are, and not which. */
export async function findStandbys(db: Database): Promise<Standbys> {
  const [row] = await db.query<{ connected: number; is_synchronous: boolean }>(sql`
    select (select count(*) from pg_stat_replication
             where application_name is null or not application_name = any(${READERS})) as connected,
           current_setting('synchronous_standby_names') <> '' as is_synchronous`);
  assert(row !== undefined, "the query returns one row");
  return { connected: row.connected, isSynchronous: row.is_synchronous };
}

/** What was there before, as far as the caller has seen it. */
interface Expected {
  readonly hostCount: number;
  readonly hadStandby: boolean;
}

/** Says what is wrong with a store on which a fail-over would lose acknowledged events. A server without any standby is none. */
export function describeStandbyProblem(
  { connected, isSynchronous }: Standbys,
  { hostCount, hadStandby }: Expected,
): string | undefined {
  if (isSynchronous) {
    return connected === 0
      ? "the server waits for a standby (synchronous_standby_names), and none is connected, so events are refused; start it"
      : undefined;
  }
  if (hostCount < 2 && connected === 0 && !hadStandby) return undefined;
  const what =
    hostCount < 2
      ? connected === 0
        ? "the last standby is gone"
        : "a standby follows the server"
      : "DATABASE_URL names several hosts";
  return (
    `${what}, but the server waits for no standby (synchronous_standby_names is empty), so a fail-over ` +
    "loses acknowledged events; see docs/cluster.md"
  );
}
