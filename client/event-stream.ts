/**
 * Follows `GET /v2/events` and reconnects by itself.
 *
 * Invariant: each connection starts after the last id that the client received, from an event or from a heartbeat. So no
 * match is lost and none is repeated. Other events have no id; after a reconnect the caller is told to read again.
 *
 * Example: the caller reads the events 41 and 42, then a heartbeat sets the id to 45, then the connection breaks. The
 * client waits, and connects again with `Last-Event-ID: 45`. A 401 at that point ends the stream with an `AssayError`;
 * a 503 is retried.
 */
import type {
  AlertChangedEvent,
  AlertMatchEvent,
  CellsChangedEvent,
  DealChangedEvent,
  SessionChangedEvent,
} from "./api.ts";
import { AssayConnectionError, AssayError } from "./client-error.ts";
import { backOff, type ClientOptions, pause, send } from "./transport.ts";

/** The data of each type of event. */
interface EventBodies {
  readonly "alert.match": AlertMatchEvent;
  readonly "alert.changed": AlertChangedEvent;
  readonly "cells.changed": CellsChangedEvent;
  readonly "session.changed": SessionChangedEvent;
  readonly "deal.changed": DealChangedEvent;
}

export type EventType = keyof EventBodies;

/** One event of `GET /v2/events`, by its type. */
export type StreamEvent<Type extends EventType = "alert.match"> = {
  [One in Type]: {
    /** Pass it to `events` as `lastEventId`, and the stream continues after this match. */
    readonly id: string | undefined;
    readonly event: One;
    readonly data: EventBodies[One];
  };
}[Type];

/**
 * The connection was lost and is open again. Matches are complete, but other events may be missing: read again what they
 * are about. Only a stream with other types than `alert.match` yields it.
 */
export interface Reconnected {
  readonly id: string | undefined;
  readonly event: "reconnected";
  readonly data: undefined;
}

/** What a stream of these types yields. */
export type Streamed<Type extends EventType> =
  | StreamEvent<Type>
  | ([Exclude<Type, "alert.match">] extends [never] ? never : Reconnected);

export interface StreamOptions<Type extends EventType = "alert.match"> {
  /** Default: only `alert.match`. */
  readonly types?: readonly Type[];
  /** Also matches that follow from a profile in shadow, with `is_shadow`. */
  readonly includeShadow?: boolean;
  /** Only matches and changes of this alert. */
  readonly alertId?: string;
  readonly lastEventId?: string;
  readonly signal?: AbortSignal;
  /** Called with true when a connection is open, and with false when it is lost. */
  readonly onConnection?: (isOpen: boolean) => void;
  /** A stream without events and heartbeats for this long is closed and opened again. Default: 60 seconds. */
  readonly silenceMaxMs?: number;
}

const SILENCE_MAX_MS = 60_000;
const DELAY_MAX_MS = 30_000;

/** Yields events until the caller stops reading, the signal aborts, or the service answers with a permanent error. */
export async function* followEvents<Type extends EventType = "alert.match">(
  client: ClientOptions,
  options: StreamOptions<Type> = {},
): AsyncGenerator<Streamed<Type>, void, undefined> {
  const state: StreamState = {
    lastEventId: options.lastEventId,
    retryMs: undefined,
    hasConnected: false,
  };
  let attempt = 0;
  while (!isAborted(options.signal)) {
    try {
      for await (const event of readConnection(client, options, state)) {
        attempt = 0;
        // The service sends only the types that it was asked for.
        yield event as Streamed<Type>;
      }
    } catch (error) {
      if (isAborted(options.signal)) return;
      if (!(error instanceof AssayConnectionError) && !isTemporary(error)) throw error;
    }
    attempt += 1;
    const waitMs = Math.max(
      state.retryMs ?? 0,
      backOff(attempt, client.delayMaxMs ?? DELAY_MAX_MS),
    );
    await pause(waitMs, options.signal).catch(() => undefined);
  }
}

/** An event as it was received. */
interface ReceivedEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: unknown;
}

type ConnectionOptions = Omit<StreamOptions, "types"> & { readonly types?: readonly EventType[] };

interface StreamState {
  lastEventId: string | undefined;
  /** The wait that the service asked for with `retry:`. */
  retryMs: number | undefined;
  /** True once a connection was open. */
  hasConnected: boolean;
}

/** Yields the events of one connection until it ends or breaks. */
async function* readConnection(
  client: ClientOptions,
  options: ConnectionOptions,
  state: StreamState,
): AsyncGenerator<ReceivedEvent, void, undefined> {
  const ending = new AbortController();
  const silenceMaxMs = options.silenceMaxMs ?? SILENCE_MAX_MS;
  const giveUp = (): void => ending.abort();
  // Removed at the end: the caller's signal may live much longer than this connection.
  options.signal?.addEventListener("abort", giveUp);
  let timer = setTimeout(giveUp, silenceMaxMs);
  try {
    const response = await send(
      client,
      {
        method: "GET",
        path: toPath(options),
        isRepeatable: true,
        // Only its silence has a time limit.
        isEndless: true,
        headers: {
          accept: "text/event-stream",
          ...(state.lastEventId === undefined ? {} : { "last-event-id": state.lastEventId }),
        },
      },
      { signal: ending.signal },
    );
    const isAgain = state.hasConnected;
    state.hasConnected = true;
    if (isAgain && options.types?.some((type) => type !== "alert.match") === true)
      yield { id: state.lastEventId, event: "reconnected", data: undefined };
    const parse = createParser(state);
    options.onConnection?.(true);
    for await (const chunk of chunksOf(response)) {
      clearTimeout(timer);
      timer = setTimeout(giveUp, silenceMaxMs);
      yield* parse(chunk);
    }
  } catch (error) {
    if (isAborted(options.signal)) throw options.signal?.reason;
    if (!ending.signal.aborted && !isBrokenConnection(error)) throw error;
    throw new AssayConnectionError("the connection of the stream broke", {
      isTimeout: false,
      cause: error,
    });
  } finally {
    clearTimeout(timer);
    options.onConnection?.(false);
    options.signal?.removeEventListener("abort", giveUp);
    ending.abort();
  }
}

/** Not every browser can iterate over a body. */
async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

function toPath({ types, includeShadow, alertId }: ConnectionOptions): string {
  const query = new URLSearchParams({
    ...(types === undefined ? {} : { types: types.join(",") }),
    ...(includeShadow === true ? { include_shadow: "true" } : {}),
    ...(alertId === undefined ? {} : { alert_id: alertId }),
  });
  return query.size === 0 ? "/v2/events" : `/v2/events?${query}`;
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

/** A service that restarts, or a proxy in front of it, answers with one of these. */
function isTemporary(error: unknown): boolean {
  return error instanceof AssayError && (error.status === 429 || error.status >= 500);
}

/** `fetch` throws a TypeError if the connection breaks while the body is read. */
function isBrokenConnection(error: unknown): boolean {
  return error instanceof TypeError;
}

/**
 * Returns a function that takes the next bytes and returns the events that are complete, as the standard for server-sent
 * events defines them. It also updates `state`.
 */
function createParser(state: StreamState): (chunk: Uint8Array) => readonly ReceivedEvent[] {
  const decoder = new TextDecoder();
  let incompleteLine = "";
  let fields: { event?: string; data: string[]; id?: string } = { data: [] };
  /** An empty line completes an event. */
  const parseLine = (line: string): ReceivedEvent | undefined => {
    if (line === "") {
      const { event = "message", data, id } = fields;
      fields = { data: [] };
      if (id !== undefined) state.lastEventId = id;
      if (data.length === 0) return undefined;
      return { id: state.lastEventId, event, data: parseData(data.join("\n")) };
    }
    const [, name = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name === "data") fields.data.push(value);
    else if (name === "event") fields.event = value;
    else if (name === "id" && !value.includes("\u0000")) fields.id = value;
    else if (name === "retry" && /^\d+$/.test(value)) state.retryMs = Number(value);
    return undefined;
  };
  return (chunk) => {
    incompleteLine += decoder.decode(chunk, { stream: true });
    const lines = incompleteLine.split(/\r\n|\n|\r(?!$)/);
    incompleteLine = lines.pop() ?? "";
    return lines.flatMap((line) => parseLine(line) ?? []);
  };
}

function parseData(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
