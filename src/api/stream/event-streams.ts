/**
 * All open streams of one process: limits how many there are, gives them one shared reader of new matches, and ends them
 * when the service stops. `event-stream.ts` describes what a single stream does.
 */
import type { Readable } from "node:stream";
import type { DescribeListings } from "../../alerts/describe-matches.ts";
import { findLatestSequence } from "../../alerts/match-store.ts";
import { type Clock, withDeadline } from "../../base/clock.ts";
import { AppError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import type { Metrics } from "../../base/metrics.ts";
import { createSlots } from "../../base/shares/slots.ts";
import type { ChangeFeed } from "../../db/changes.ts";
import type { Database } from "../../db/database.ts";
import { createEventStream, type EventStream, type StreamOptions } from "./event-stream.ts";
import { createTailReader } from "./match-tail.ts";
import { createNotices } from "./notices.ts";

export interface EventStreams {
  /** Returns a body of server-sent events. Throws if too many streams are open. */
  open(options: StreamOptions): Promise<Readable>;
  /** Ends all streams and refuses new ones. */
  close(): Promise<void>;
}

interface EventStreamsOptions {
  readonly db: Database;
  readonly feed: ChangeFeed;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly describeListings: DescribeListings;
  readonly heartbeatMs?: number;
  readonly stallMaxMs?: number;
}

const STREAMS_MAX = 200;
/** Of one browser or program: more than it has a use for, so it does not close what it opens. */
const STREAMS_PER_CREDENTIAL_MAX = 20;
const HEARTBEAT_MS = 15_000;
const STALL_MAX_MS = 30_000;
const CLOSE_TIMEOUT_MS = 1_000;
/** A revoked or expired token must end its streams within a second. */
const CHECK_MS = 250;

export function createEventStreams(options: EventStreamsOptions): EventStreams {
  const { db, log, metrics, heartbeatMs = HEARTBEAT_MS, stallMaxMs = STALL_MAX_MS } = options;
  const streams = new Set<EventStream>();
  const reader = createTailReader({ ...options, hasStreams: () => streams.size > 0 });
  const notices = createNotices(options);
  const places = createSlots({ countMax: STREAMS_MAX, things: "streams", isFair: true });
  const dependencies = { reader, notices, log, heartbeatMs, stallMaxMs };
  let isClosed = false;
  const checkTokens = createTokenWatch(streams, log);
  const timer = setInterval(checkTokens, CHECK_MS);
  timer.unref();
  options.feed.subscribe("api_token", checkTokens);
  metrics.addGauge("assay_event_streams", "Open streams of matches.", () => streams.size);

  return {
    open: async (streamOptions) => {
      const latest = await findLatestSequence(db);
      // No await from here on, so that streams which open at the same time cannot exceed the limits together.
      if (isClosed) throw new AppError("overloaded", "the service stops; try again");
      checkCredentialLimit(streams, streamOptions.credential);
      const place = places.enterNow({ key: streamOptions.tokenId });
      const stream = createEventStream(
        dependencies,
        streamOptions,
        toStartPosition(streamOptions, latest),
      );
      streams.add(stream);
      stream.body.once("close", () => {
        streams.delete(stream);
        places.leave(place);
      });
      reader.start(latest);
      stream.start();
      return stream.body;
    },
    close: async () => {
      isClosed = true;
      clearInterval(timer);
      const closed = Promise.all([...streams].map((stream) => stream.end()));
      reader.readNow();
      await withDeadline(closed, CLOSE_TIMEOUT_MS).catch(() => {
        log.warn("some streams did not end in time; their connections will be closed");
      });
    },
  };
}

/** Returns a function that checks each credential once, and cuts the streams of those that are no longer valid. */
function createTokenWatch(streams: ReadonlySet<EventStream>, log: Logger): () => void {
  const waiting = new Set<string>();
  const check = async (stream: EventStream): Promise<void> => {
    const { credential } = stream;
    waiting.add(credential);
    try {
      if (await stream.isAllowed()) return;
      for (const other of streams) if (other.credential === credential) other.cut();
    } catch (error) {
      // Without the store there are no events to send either.
      log.warn({ err: error }, "cannot check the token of a stream; retrying");
    } finally {
      waiting.delete(credential);
    }
  };
  return () => {
    const seen = new Set<string>(waiting);
    for (const stream of streams) {
      if (seen.has(stream.credential)) continue;
      seen.add(stream.credential);
      void check(stream);
    }
  };
}

function checkCredentialLimit(streams: ReadonlySet<EventStream>, credential: string): void {
  const openCount = [...streams].filter((stream) => stream.credential === credential).length;
  if (openCount < STREAMS_PER_CREDENTIAL_MAX) return;
  throw new AppError(
    "rate_limited",
    `this token or session has ${STREAMS_PER_CREDENTIAL_MAX} streams open here; close one of them, follow all alerts on one stream, ` +
      "or use another token",
  );
}

/**
 * A client may send a position after the latest match, if it comes from another store or from one that was restored to an
 * earlier state. That match may never come, so the stream starts at the latest one.
 */
function toStartPosition({ afterSequence }: StreamOptions, latest: number): number {
  return Math.min(afterSequence ?? latest, latest);
}
