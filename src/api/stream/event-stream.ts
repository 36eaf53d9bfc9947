/**
 * One open stream: a loop that sends matches to one client as server-sent events. It is a state machine.
 *
 *   reading --page with events--> writing --the client took them--> reading
 *   reading --empty page--------> waiting --new match, notice or heartbeat-> reading
 *   any state --the client left, its token is invalid, or the service stops--> ended
 *
 * The token is checked before each event, and all streams are checked together every quarter of a second. Once it is
 * invalid, nothing more is sent, not even what is buffered.
 *
 * Invariant: once the client receives `id: N`, it has received every match of its alerts up to N, and only later ones
 * follow. `position` never goes back, so no match is lost or repeated.
 *
 * Notices (`notices.ts`) are written before each read. They have no id, so they do not move the position.
 *
 * Example: a client connects with Last-Event-ID 40, and the latest match is 42. The stream sends `id: 40` without data.
 * It reads and sends 41 and 42. The next page is empty, so it waits. Match 43 is committed, the tail reader wakes the
 * stream, and it sends 43. Nothing happens for 15 seconds: it sends a heartbeat with `id: 43`. The connection breaks. The
 * client connects again with Last-Event-ID 43, at this process or another, and the stream continues with 44.
 */
import { Readable, type Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { sleep, withDeadline } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import type { TailEvent, TailReader } from "./match-tail.ts";
import {
  createPendingNotices,
  type EventType,
  type Notices,
  type PendingNotices,
  toNoticeText,
} from "./notices.ts";

export interface StreamOptions {
  /** The last event that the client has. Absent: it gets the matches from now on. */
  readonly afterSequence?: number;
  /** Absent: the matches of all alerts. */
  readonly alertId?: string;
  /** Absent: only `alert.match`. */
  readonly types?: ReadonlySet<EventType>;
  /** Also matches that follow from a profile in shadow. */
  readonly includesShadow?: boolean;
  /** May read deals. */
  readonly readsDeals?: boolean;
  /** Returns false once the client's token is no longer valid. Called for each event, so it should rarely need the store. */
  readonly isAllowed: () => boolean | Promise<boolean>;
  /** The token, for the limit on streams per token. */
  readonly tokenId: string;
  /** What proved the token: the token itself, or one of its console sessions, which may end before it. */
  readonly credential: string;
  /** The response that the body is sent into. */
  readonly response: Writable;
}

interface StreamDependencies {
  readonly reader: Pick<TailReader, "readAfter" | "subscribe">;
  readonly notices: Notices;
  readonly log: Logger;
  /** After this time without a write, a stream sends a heartbeat. */
  readonly heartbeatMs: number;
  /** A client that reads nothing for this long, although there is data for it, is disconnected. */
  readonly stallMaxMs: number;
}

export interface EventStream {
  readonly credential: string;
  readonly body: Readable;
  isAllowed(): boolean | Promise<boolean>;
  /** Starts to send matches. The tail reader must run by then. */
  start(): void;
  /** Sends what is buffered and ends the body. Resolves when the body is closed. */
  end(): Promise<void>;
  /** Ends the body without sending what is buffered. */
  cut(): void;
}

/** How long a client should wait before it reconnects. */
const RECONNECT_MS = 2_000;
const READ_RETRY_MS = 1_000;
const BUFFER_BYTES = 64 * 1024;
const MATCHES_ONLY: ReadonlySet<EventType> = new Set(["alert.match"]);

/** Creates a stream that starts after the match number `position`. */
export function createEventStream(
  dependencies: StreamDependencies,
  options: StreamOptions,
  position: number,
): EventStream {
  const stream = createStream(dependencies, options, position);
  const unsubscribe = dependencies.notices.subscribe((notice) => {
    stream.pending.add(notice);
    if (!stream.pending.isEmpty()) stream.onNotice();
  });
  const closed = new Promise<void>((resolve) => stream.body.once("close", resolve));
  stream.body.once("close", unsubscribe);
  // Sent at once: the client knows its position even if it is disconnected before the first match.
  stream.body.push(
    `retry: ${RECONNECT_MS}\n${toPositionLine(stream)}: ${options.alertId ?? "all alerts"}\n\n`,
  );
  return {
    credential: options.credential,
    body: stream.body,
    isAllowed: options.isAllowed,
    start: () => void run(stream),
    end: () => {
      stream.ending.abort();
      return closed;
    },
    cut: () => cut(stream),
  };
}

interface Stream extends StreamDependencies {
  readonly options: StreamOptions;
  readonly body: Readable;
  /** Aborted when the stream must end, or when its client has disconnected. */
  readonly ending: AbortController;
  /** All matches up to this number were read for this stream. */
  position: number;
  lastWriteAtMs: number;
  readonly types: ReadonlySet<EventType>;
  readonly pending: PendingNotices;
  /** Called when a notice is pending. */
  onNotice: () => void;
  /** Called when the client has emptied the buffer. */
  onBufferRead: () => void;
}

function createStream(
  dependencies: StreamDependencies,
  options: StreamOptions,
  position: number,
): Stream {
  const ending = new AbortController();
  const types = options.types ?? MATCHES_ONLY;
  const body = new Readable({
    highWaterMark: BUFFER_BYTES,
    read: () => stream.onBufferRead(),
    destroy: (error, done) => {
      ending.abort();
      done(error);
    },
  });
  const stream: Stream = {
    ...dependencies,
    options,
    body,
    ending,
    position,
    lastWriteAtMs: performance.now(),
    types,
    pending: createPendingNotices({ ...options, types }),
    onNotice: () => undefined,
    onBufferRead: () => undefined,
  };
  return stream;
}

async function run(stream: Stream): Promise<void> {
  try {
    while (!stream.ending.signal.aborted) {
      await writeTexts(stream, stream.pending.take().map(toNoticeText));
      const page = await readPage(stream);
      stream.position = page.at(-1)?.sequence ?? stream.position;
      const events = page.filter((event) => isWanted(event, stream));
      if (events.length > 0) await writeTexts(stream, events.map(toText));
      else if (await isHeartbeatDue(stream, page)) await writeHeartbeat(stream);
    }
    await endBody(stream);
  } catch (error) {
    stream.log.warn({ err: error }, "a stream of matches failed; its client must reconnect");
    stream.body.destroy();
  }
}

async function readPage(stream: Stream): Promise<readonly TailEvent[]> {
  try {
    return await stream.reader.readAfter(stream.position);
  } catch (error) {
    stream.log.warn({ err: error }, "cannot read matches for a stream; retrying");
    await sleep(READ_RETRY_MS, stream.ending.signal);
    return [];
  }
}

function isWanted(event: TailEvent, { options, types }: Stream): boolean {
  const { alertId, isShadow, silence } = event;
  if (!types.has("alert.match") || (isShadow && options.includesShadow !== true)) return false;
  // Who may not read deals must not learn what was passed from what is missing.
  if (silence === "blocked" || (silence === "passed" && options.readsDeals === true)) return false;
  return options.alertId === undefined || alertId === options.alertId;
}

/** Called when `page` has nothing for this client. If the page is empty, this waits for new matches first. */
async function isHeartbeatDue(stream: Stream, page: readonly TailEvent[]): Promise<boolean> {
  if (page.length === 0 && (await waitForMatches(stream)) === "timeout") return true;
  // Matches of other alerts write nothing here, so this client may need a heartbeat while they arrive.
  return performance.now() - stream.lastWriteAtMs >= stream.heartbeatMs;
}

/** Returns "timeout" if there was no new match or notice for a whole heartbeat interval. */
async function waitForMatches(stream: Stream): Promise<WaitResult> {
  const alarm = createAlarm(stream);
  const unsubscribe = stream.reader.subscribe(alarm.ring);
  stream.onNotice = alarm.ring;
  try {
    // A match or a notice may have arrived after the last read and before the subscription.
    if ((await readPage(stream)).length > 0 || !stream.pending.isEmpty()) alarm.ring();
    return await alarm.wait(stream.heartbeatMs);
  } finally {
    stream.onNotice = () => undefined;
    unsubscribe();
  }
}

async function writeTexts(stream: Stream, texts: readonly string[]): Promise<void> {
  // One at a time: a page of long messages must not fill the memory while the client does not read.
  for (const text of texts) {
    if (stream.ending.signal.aborted) return;
    if (!(await stream.options.isAllowed())) return cut(stream);
    await write(stream, text);
    stream.lastWriteAtMs = performance.now();
  }
}

/** The position without data: the client's Last-Event-ID moves on, and the client gets no event. */
async function writeHeartbeat(stream: Stream): Promise<void> {
  await write(stream, `${toPositionLine(stream)}: still here\n\n`);
  stream.lastWriteAtMs = performance.now();
}

function toPositionLine({ position }: Stream): string {
  return `id: ${position}\n`;
}

function toText({ sequence, event }: TailEvent): string {
  return `id: ${sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Waits while the buffer is full. Disconnects a client that takes too long; it can reconnect after its last event. */
async function write(stream: Stream, text: string): Promise<void> {
  if (stream.ending.signal.aborted || stream.body.push(text)) return;
  const alarm = createAlarm(stream);
  stream.onBufferRead = alarm.ring;
  if ((await alarm.wait(stream.stallMaxMs)) === "rung") return;
  stream.log.info("a stream was closed because its client does not read");
  stream.body.destroy();
}

/** Ends the body and waits until the client has read the rest. Disconnects a client that takes too long. */
async function endBody({ body, options, stallMaxMs }: Stream): Promise<void> {
  if (body.destroyed) return;
  body.push(null);
  await withDeadline(finished(options.response), stallMaxMs).catch(() => {
    body.destroy();
    options.response.destroy();
  });
}

/** If the client has read everything, it sees a regular end. Otherwise the connection breaks, because the rest is not for it. */
function cut({ body, options, ending }: Stream): void {
  const hasRest = body.readableLength > 0 || options.response.writableLength > 0;
  ending.abort();
  if (!hasRest) {
    body.push(null);
    return;
  }
  body.destroy();
  options.response.destroy();
}

type WaitResult = "rung" | "timeout";

interface Alarm {
  ring(): void;
  /** Returns "rung" as soon as the alarm rings, also if it rang before. Call it once. */
  wait(timeoutMs: number): Promise<WaitResult>;
}

/** An alarm that also rings when the stream ends. */
function createAlarm({ ending }: Stream): Alarm {
  const alarm = new AbortController();
  const ring = (): void => alarm.abort();
  if (ending.signal.aborted) ring();
  ending.signal.addEventListener("abort", ring);
  return {
    ring,
    wait: async (timeoutMs) => {
      await sleep(timeoutMs, alarm.signal);
      ending.signal.removeEventListener("abort", ring);
      return alarm.signal.aborted ? "rung" : "timeout";
    },
  };
}
