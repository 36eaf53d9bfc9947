import { sleep, withDeadline } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { Metrics } from "../base/metrics.ts";
import type { Caller } from "../base/shares/caller.ts";
import type { LogPosition } from "./changes.ts";
import type { Database, DatabasePool } from "./database.ts";
import { type Hosts, openHosts } from "./driver/hosts.ts";
import { openPool } from "./pool.ts";
import { sql } from "./sql.ts";
import { isConflict, isStoreDown } from "./store-error.ts";

/** Runs a read-only query: on the replica while it is at most a second behind, otherwise on the primary. */
export type Read = <Answer>(
  ask: (db: Database) => Promise<Answer>,
  /** In whose turn. */
  caller?: Caller,
) => Promise<Answer>;

export interface Reads {
  readonly read: Read;
  /** The same for figures over the whole market. */
  readonly readFigures: Read;
  /** Takes the current end of the primary's log; called a few times a second. */
  notePosition(position: LogPosition): void;
  close(): Promise<void>;
}

interface ReadsOptions {
  readonly primary: DatabasePool;
  /** Connections to the primary for figures. */
  readonly figures: DatabasePool;
  /** Of several hosts, one that is in recovery and not behind is read. Absent: there is no replica. */
  readonly replicaUrl?: string;
  readonly connectionsMax: number;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** Every read sees what was committed longer ago than this. */
const AGE_MAX_MS = 1_000;
const CHECK_INTERVAL_MS = 100;
const CHECK_TIMEOUT_MS = 1_000;
/** A query that the replica has not answered by then goes to the primary. */
const REPLICA_TIMEOUT_MS = 2_000;
const READ_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10_000;
/** A replica that is behind for a moment is not logged, and not left for another. */
const REPORT_AFTER_MS = 2_000;

export function openReads(options: ReadsOptions): Reads {
  const { primary, figures, replicaUrl } = options;
  if (replicaUrl === undefined) {
    return {
      read: (ask, caller) => withDeadline(ask(primary.as(caller)), READ_TIMEOUT_MS),
      readFigures: (ask, caller) => withDeadline(ask(figures.as(caller)), READ_TIMEOUT_MS),
      notePosition: () => undefined,
      close: async () => undefined,
    };
  }
  return openReplicaReads({ ...options, replicaUrl });
}

function openReplicaReads(options: ReadsOptions & { readonly replicaUrl: string }): Reads {
  const { primary, figures, metrics, connectionsMax } = options;
  const hosts = openHosts(options.replicaUrl);
  const open = { url: hosts, isReadOnly: true, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
  const name = "assay reads";
  const replica = openPool({
    ...open,
    name,
    sharedCount: connectionsMax,
    sessionsMax: 0,
    isFair: true,
  });
  // Separate, because under load a check must not wait behind reads.
  const checks = openPool({ ...open, name: "assay replica check", sharedCount: 1, sessionsMax: 0 });
  const state = newReplicaState(options.log);
  const stop = new AbortController();
  metrics.addGauge("assay_replica_is_used", "Whether reads go to the replica: 1 or 0.", () =>
    state.isUsable() ? 1 : 0,
  );
  const following = followReplica({ state, hosts, checks, primary, signal: stop.signal });

  const readBoth = async <Answer>(
    ask: (db: Database) => Promise<Answer>,
    own: DatabasePool,
    caller: Caller | undefined,
  ): Promise<Answer> => {
    if (state.isUsable()) {
      try {
        const answer = await withDeadline(ask(replica.as(caller)), REPLICA_TIMEOUT_MS);
        metrics.reads.inc({ from: "replica" });
        return answer;
      } catch (error) {
        if (!isStoreDown(error) && !isConflict(error)) throw error;
        state.noteFailure(error);
      }
    }
    metrics.reads.inc({ from: "primary" });
    return ask(own.as(caller));
  };
  return {
    read: (ask, caller) => withDeadline(readBoth(ask, primary, caller), READ_TIMEOUT_MS),
    readFigures: (ask, caller) => withDeadline(readBoth(ask, figures, caller), READ_TIMEOUT_MS),
    notePosition: state.notePosition,
    close: async () => {
      stop.abort();
      await following;
      await Promise.all([replica.end(1_000), checks.end(1_000)]);
    },
  };
}

interface ReplicaState {
  isUsable(): boolean;
  notePosition(position: LogPosition): void;
  /** Returns true if the replica is waiting for WAL that the primary will not send until the next commit. */
  noteReplayed(bytes: number | undefined): boolean;
  noteFailure(error: unknown): void;
}

/**
 * How old the replica's data is. The feed notes positions of the primary's log with their times; the replica reports how
 * far it has replayed. The newest position at or before that point tells the age of what the replica shows.
 *
 * Example: positions 100 (at 0 ms), 120 (at 250 ms), 150 (at 500 ms). The replica has replayed to 130, so it shows at
 * least everything of 250 ms. Positions of the last second are kept, because the newest is always a little ahead.
 */
function newReplicaState(log: Logger): ReplicaState {
  let positions: LogPosition[] = [];
  let freshAtMs = Number.NEGATIVE_INFINITY;
  let isReported = false;
  let usableAtMs = performance.now();
  const isUsable = (): boolean => performance.now() - freshAtMs < AGE_MAX_MS;

  const report = (reason?: unknown): void => {
    const nowMs = performance.now();
    if (isUsable()) {
      usableAtMs = nowMs;
      if (isReported) log.info("the replica has caught up, reads go there again");
      isReported = false;
    } else if (!isReported && nowMs - usableAtMs > REPORT_AFTER_MS) {
      isReported = true;
      log.warn({ err: reason }, "the replica is down or behind, reads go to the primary");
    }
  };
  return {
    isUsable,
    notePosition: (position) => {
      const isRecent = ({ askedAtMs }: LogPosition) => position.askedAtMs - askedAtMs < AGE_MAX_MS;
      positions = [...positions.filter(isRecent), position];
    },
    noteReplayed: (bytes) => {
      const reached = positions.findLast(
        (position) => bytes !== undefined && position.bytes <= bytes,
      );
      freshAtMs = Math.max(freshAtMs, reached?.askedAtMs ?? Number.NEGATIVE_INFINITY);
      report();
      const last = positions.at(-1);
      return positions.length > 1 && last !== reached && last?.bytes === positions[0]?.bytes;
    },
    noteFailure: (error) => {
      freshAtMs = Number.NEGATIVE_INFINITY;
      report(error);
    },
  };
}

interface Following {
  readonly state: ReplicaState;
  readonly hosts: Hosts;
  readonly checks: DatabasePool;
  readonly primary: DatabasePool;
  readonly signal: AbortSignal;
}

async function followReplica(following: Following): Promise<void> {
  const { state, hosts, checks, primary, signal } = following;
  let triedAtMs = performance.now();
  while (!signal.aborted) {
    try {
      // A promoted server is no longer a replica, so it has no replay position.
      const [row] = await withDeadline(
        checks.query<{ bytes: number | null }>(sql`
          select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::bigint end as bytes`),
        CHECK_TIMEOUT_MS,
      );
      const isStuck = state.noteReplayed(row?.bytes ?? undefined);
      // The end of the log may stay unsent until the next commit. This makes a small one, without waiting for the disk.
      if (isStuck)
        await withDeadline(primary.query(sql`select pg_current_xact_id()`), CHECK_TIMEOUT_MS);
    } catch (error) {
      state.noteFailure(error);
    }
    const nowMs = performance.now();
    const isUseless = !state.isUsable() && nowMs - triedAtMs > REPORT_AFTER_MS;
    if (isUseless && hosts.urls.length > 1) hosts.leave();
    if (isUseless || state.isUsable()) triedAtMs = nowMs;
    await sleep(CHECK_INTERVAL_MS, signal);
  }
}
