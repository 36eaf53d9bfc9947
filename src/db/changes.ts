import { randomUUID } from "node:crypto";
import { sleep, withDeadline } from "../base/clock.ts";
import { type Logger, logSeries } from "../base/log.ts";
import { openClient } from "./driver/client.ts";
import { toStatement } from "./driver/statement.ts";
import { type PoolOptions, toClientOptions } from "./pool.ts";
import { type Sql, sql } from "./sql.ts";

/** Shown by the server beside the connection that every service has. */
export const CHANGES_NAME = "assay changes";

/**
 * What changed in the store, in any process. Code that keeps a copy of something subscribes to its topic and drops the
 * copy when the topic is announced. NOTIFY is only a hint: notifications are lost with the connection. So subscribers
 * are also called after each reconnect, and a copy may be used only while `isLive()` is true.
 *
 * Example: the answer of GET /v2/alerts is kept under the topic `alert`. Another process disables an alert; its commit
 * notifies "alert"; the copy is dropped here within milliseconds, or at the latest when the last proof is a second old.
 */
export interface ChangeFeed {
  /** Returns true if every change committed more than a second ago has been announced here. */
  isLive(): boolean;
  subscribe(topic: string, onChange: OnChange): void;
  close(): Promise<void>;
}

/** The ids that changed; undefined if the change may concern every id. */
type OnChange = (ids?: readonly string[]) => void;

/** The end of the primary's write-ahead log at the time of the question. */
export interface LogPosition {
  readonly bytes: number;
  /** By `performance.now()`. */
  readonly askedAtMs: number;
}

const CHANNEL = "assay_changes";
/** A copy may be a second old; the feed proves four times as often that it hears everything. */
const PROOF_MAX_AGE_MS = 1_000;
const PROOF_INTERVAL_MS = 250;
const RECONNECT_DELAY_MS = 250;
/** A server that takes longer to answer is taken for dead. */
const ANSWER_TIMEOUT_MS = 2_000;

export function openChangeFeed(options: {
  readonly url: PoolOptions["url"];
  readonly log: Logger;
  /** Called after each proof, a few times a second. */
  readonly onPosition?: (position: LogPosition) => void;
}): ChangeFeed {
  const { onPosition = () => undefined } = options;
  const stop = new AbortController();
  const subscribers = new Map<string, OnChange[]>();
  const proof = { sentAtMs: Number.NEGATIVE_INFINITY };

  const announce = (payload: string): void => {
    const [topic = "", ids] = payload.split(" ");
    for (const onChange of subscribers.get(topic) ?? []) onChange(ids?.split(","));
  };
  const announceAll = (): void => {
    for (const topic of subscribers.keys()) announce(topic);
  };
  const follow = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        const { signal } = stop;
        await followOnce({ url: options.url, announce, announceAll, proof, onPosition, signal });
      } catch (error) {
        if (!stop.signal.aborted) logSeries(options.log, { err: error }, "the change feed was cut");
      }
      proof.sentAtMs = Number.NEGATIVE_INFINITY;
      await sleep(RECONNECT_DELAY_MS, stop.signal);
    }
  };
  const following = follow();

  return {
    isLive: () => performance.now() - proof.sentAtMs < PROOF_MAX_AGE_MS,
    subscribe: (topic, onChange) => {
      subscribers.set(topic, [...(subscribers.get(topic) ?? []), onChange]);
    },
    close: async () => {
      stop.abort();
      await following;
    },
  };
}

interface Following {
  readonly url: PoolOptions["url"];
  readonly announce: (payload: string) => void;
  readonly announceAll: () => void;
  readonly proof: { sentAtMs: number };
  readonly onPosition: (position: LogPosition) => void;
  readonly signal: AbortSignal;
}

// The server sends what was notified before it answers the next statement on the same connection. So an answer proves
// that every notification committed before the question has arrived, if the process that answers is the one that listens. A
// pooler may send the question elsewhere, so the process tells what it is, and a notification of another connection comes first.
async function followOnce(following: Following): Promise<void> {
  const { url } = following;
  const options = { url, name: CHANGES_NAME, statementTimeoutMs: ANSWER_TIMEOUT_MS };
  const marker = `proof ${randomUUID()}`;
  let isHeard = (): void => undefined;
  const heard = new Promise<void>((settle) => {
    isHeard = settle;
  });
  const listener = await listen({
    ...options,
    channel: CHANNEL,
    onNotify: (payload) => (payload === marker ? isHeard() : following.announce(payload)),
  });
  try {
    await notify(options, marker);
    await withDeadline(heard, ANSWER_TIMEOUT_MS);
    let isFirst = true;
    while (!following.signal.aborted) {
      const sentAtMs = performance.now();
      const [row] = await listener.query<{ bytes: number; is_listening: boolean }>(sql`
        select (pg_current_wal_insert_lsn() - '0/0')::bigint as bytes,
               pg_backend_pid() = ${listener.serverProcessId}
                 and ${CHANNEL} in (select pg_listening_channels()) as is_listening`);
      if (row?.is_listening !== true) throw new Error("the server has given the session to others");
      if (isFirst) following.announceAll();
      isFirst = false;
      following.proof.sentAtMs = sentAtMs;
      following.onPosition({ bytes: row.bytes, askedAtMs: sentAtMs });
      await sleep(PROOF_INTERVAL_MS, following.signal);
    }
  } finally {
    listener.close();
  }
}

/** Sends a notification over a connection of its own. It waits neither for the disk nor for a standby. */
async function notify(options: PoolOptions, payload: string): Promise<void> {
  const client = await openClient(toClientOptions(options));
  try {
    await client.run({ text: "set synchronous_commit = off" });
    await client.run({ text: "select pg_notify($1, $2)", values: [CHANNEL, payload] });
  } finally {
    client.destroy();
  }
}

/** A connection that hears what is notified on a channel. It does not reconnect by itself. */
interface Listener {
  readonly serverProcessId: number;
  /** Rejects once the connection is lost. */
  query<Row>(statement: Sql): Promise<Row[]>;
  close(): void;
}

/** Resolves once the server has confirmed that it listens: nothing notified after that is missed while it lives. */
export async function listen(
  options: PoolOptions & {
    readonly channel: string;
    readonly onNotify: (payload: string) => void;
  },
): Promise<Listener> {
  const { channel, onNotify } = options;
  const client = await openClient(toClientOptions(options));
  client.on("notification", (message) => {
    if (message.channel === channel) onNotify(message.payload ?? "");
  });
  try {
    await client.run({ text: `listen ${client.escapeIdentifier(channel)}` });
  } catch (error) {
    client.destroy();
    throw error;
  }
  return {
    serverProcessId: client.serverProcessId,
    query: async <Row>(statement: Sql) => (await client.run(toStatement(statement))).rows as Row[],
    close: () => client.destroy(),
  };
}
