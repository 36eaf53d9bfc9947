import { Readable, type Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { type DescribeListings, findLatestSequence } from "../../alerts/match-event-store.ts";
import { withDeadline } from "../../base/deadline.ts";
import { AppError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import type { Metrics } from "../../base/metrics.ts";
import { sleep } from "../../base/sleep.ts";
import type { ChangeFeed } from "../../db/changes.ts";
import type { Database } from "../../db/database.ts";
import { createMatchTail, type MatchTail, type TailEvent } from "./match-tail.ts";

/** The open streams of matches of one process. Each goes through the numbers of the feed, so none is lost or repeated. */
export interface EventStreams {
  /** A body of server-sent events, or an error when there are too many. */
  open(options: StreamOptions): Promise<Readable>;
  /** Ends all of them in good order. */
  close(): Promise<void>;
}

interface StreamOptions {
  /** The last event that the client has; absent: it starts with what comes from now on. */
  readonly afterSequence?: number;
  /** Absent: of all alerts. */
  readonly alertId?: string;
  /** Whether the client's token is still good; asked now and then. */
  readonly isAllowed: () => Promise<boolean>;
  /** Whose stream it is: one holder must not take all there are. */
  readonly holder: string;
  /** What the body is sent into. */
  readonly response: Writable;
}

export interface EventStreamsOptions {
  readonly db: Database;
  readonly feed: ChangeFeed;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly describeListings: DescribeListings;
  /** How often a quiet stream shows that it lives. */
  readonly heartbeatMs?: number;
  /** How long a client may read nothing while there is something to read. */
  readonly stallMaxMs?: number;
}

const STREAMS_MAX = 200;
/** Enough for every screen and script of an office; ten such holders fit into a process. */
const STREAMS_PER_HOLDER_MAX = 20;
const HEARTBEAT_MS = 15_000;
const STALL_MAX_MS = 30_000;
/** NOTIFY is a hint; this is the truth. */
const POLL_MS = 1_000;
/** After which a client should connect anew. */
const RECONNECT_MS = 2_000;
const CLOSE_TIMEOUT_MS = 1_000;
const BUFFER_BYTES = 64 * 1024;

export function createEventStreams(options: EventStreamsOptions): EventStreams {
  const hub: Hub = {
    ...options,
    clients: new Set(),
    isClosed: false,
    waiters: new Set(),
    tail: undefined,
  };
  let wake = new AbortController();
  options.feed.subscribe("alert_match", () => wake.abort());
  options.metrics.addGauge(
    "assay_event_streams",
    "Open streams of matches.",
    () => hub.clients.size,
  );

  const read = async (tail: MatchTail): Promise<void> => {
    while (hub.clients.size > 0) {
      wake = new AbortController();
      try {
        if (await tail.advance()) for (const notify of hub.waiters) notify();
      } catch (error) {
        options.log.warn({ err: error }, "matches could not be read for the streams");
      }
      await sleep(POLL_MS, wake.signal);
    }
    if (hub.tail === tail) hub.tail = undefined;
  };

  return {
    open: async (stream) => {
      const latest = await findLatestSequence(options.db);
      // A position that was never given out is of another store, or of one that was restored: waiting for it would be for ever.
      const after = Math.min(stream.afterSequence ?? latest, latest);
      if (hub.isClosed || hub.clients.size >= STREAMS_MAX) {
        throw new AppError("overloaded", "too many streams are open; try again");
      }
      if (countOf(hub, stream.holder) >= STREAMS_PER_HOLDER_MAX)
        throw new AppError("rate_limited", TOO_MANY);
      const client = createClient(hub, stream, after);
      if (hub.tail === undefined) {
        hub.tail = createMatchTail({ ...options, startSequence: latest });
        void read(hub.tail);
      }
      void run(hub, client, stream);
      return client.body;
    },
    close: async () => {
      hub.isClosed = true;
      const closed = [...hub.clients].map(({ end, closed }) => {
        end.abort();
        return closed;
      });
      wake.abort();
      await withDeadline(Promise.all(closed), CLOSE_TIMEOUT_MS).catch(() => {
        options.log.warn("some streams did not end in time");
      });
    },
  };
}

const TOO_MANY =
  `this token has ${STREAMS_PER_HOLDER_MAX} streams open here; close one of them, follow all alerts on one stream, or ` +
  "use another token";

function countOf({ clients }: Hub, holder: string): number {
  return [...clients].filter((client) => client.holder === holder).length;
}

interface Hub extends EventStreamsOptions {
  readonly clients: Set<Client>;
  readonly waiters: Set<() => void>;
  isClosed: boolean;
  tail: MatchTail | undefined;
}

interface Client {
  readonly holder: string;
  readonly body: Readable;
  /** Aborted when the stream is to end or the client is gone. */
  readonly end: AbortController;
  readonly closed: Promise<void>;
  cursor: number;
  /** Called when the client has read what was there. */
  onDemand: () => void;
}

function createClient(hub: Hub, stream: StreamOptions, cursor: number): Client {
  const end = new AbortController();
  const body = new Readable({
    highWaterMark: BUFFER_BYTES,
    read: () => client.onDemand(),
    destroy: (error, done) => {
      end.abort();
      hub.clients.delete(client);
      done(error);
    },
  });
  const closed = new Promise<void>((settle) => body.once("close", settle));
  const { holder } = stream;
  const client: Client = { holder, body, end, closed, cursor, onDemand: () => undefined };
  hub.clients.add(client);
  // The first word, so that the client knows where it stands even if nothing follows before it is cut off.
  body.push(`retry: ${RECONNECT_MS}\n${positionOf(client)}: ${stream.alertId ?? "all alerts"}\n\n`);
  return client;
}

/** An id without data moves the client's Last-Event-ID and gives it no event. */
function positionOf({ cursor }: Client): string {
  return `id: ${cursor}\n`;
}

async function run(hub: Hub, client: Client, stream: StreamOptions): Promise<void> {
  const heartbeatMs = hub.heartbeatMs ?? HEARTBEAT_MS;
  let allowedAtMs = performance.now();
  let wroteAtMs = performance.now();
  try {
    while (!client.end.signal.aborted) {
      if (performance.now() - allowedAtMs >= heartbeatMs) {
        if (!(await stream.isAllowed())) break;
        allowedAtMs = performance.now();
      }
      const page = await readNext(hub, client);
      const events = page.filter(
        ({ alertId }) => stream.alertId === undefined || alertId === stream.alertId,
      );
      client.cursor = page.at(-1)?.sequence ?? client.cursor;
      // Events of other alerts are no sign of life for this client.
      const isDue =
        events.length === 0 &&
        ((page.length === 0 && (await isQuiet(hub, client))) ||
          performance.now() - wroteAtMs >= heartbeatMs);
      if (events.length === 0 && !isDue) continue;
      if (isDue) await write(hub, client, `${positionOf(client)}: still here\n\n`);
      // One by one: a page of long messages must not wait in memory for a client that does not read.
      for (const event of events) await write(hub, client, toText(event));
      wroteAtMs = performance.now();
    }
    await endInTime(hub, client, stream.response);
  } catch (error) {
    hub.log.warn({ err: error }, "a stream of matches failed");
    client.body.destroy();
  }
}

async function readNext(hub: Hub, client: Client): Promise<readonly TailEvent[]> {
  try {
    return (await hub.tail?.readAfter(client.cursor)) ?? [];
  } catch (error) {
    hub.log.warn({ err: error }, "matches could not be read for a stream");
    await sleep(POLL_MS, client.end.signal);
    return [];
  }
}

/** Waits for something new; true: there was nothing for a while. */
async function isQuiet(hub: Hub, client: Client): Promise<boolean> {
  const woken = new AbortController();
  const notify = () => woken.abort();
  hub.waiters.add(notify);
  client.end.signal.addEventListener("abort", notify);
  // Something may have come between the reading and this waiting.
  const pending = await readNext(hub, client);
  if (pending.length === 0) await sleep(hub.heartbeatMs ?? HEARTBEAT_MS, woken.signal);
  hub.waiters.delete(notify);
  client.end.signal.removeEventListener("abort", notify);
  return pending.length === 0 && !woken.signal.aborted;
}

/** Waits until the client has taken it; one that takes too long is cut off, and goes on later from its last event. */
async function write(hub: Hub, client: Client, text: string): Promise<void> {
  if (client.end.signal.aborted || client.body.push(text)) return;
  const taken = new AbortController();
  client.onDemand = () => taken.abort();
  client.end.signal.addEventListener("abort", () => taken.abort(), { once: true });
  await sleep(hub.stallMaxMs ?? STALL_MAX_MS, taken.signal);
  if (taken.signal.aborted) return;
  hub.log.info("a stream was cut off because its client does not read");
  client.body.destroy();
}

/** What is left waits for a client that does not read, too, and nobody else would ever cut that one off. */
async function endInTime(hub: Hub, client: Client, response: Writable): Promise<void> {
  client.body.push(null);
  await withDeadline(finished(response), hub.stallMaxMs ?? STALL_MAX_MS).catch(() => {
    client.body.destroy();
    response.destroy();
  });
}

function toText({ sequence, event }: TailEvent): string {
  return `id: ${sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
