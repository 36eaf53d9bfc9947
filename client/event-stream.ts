import { AssayConnectionError, AssayError } from "./client-error.ts";
import { backOff, type ClientOptions, pause, send } from "./transport.ts";

/** One event of `GET /v2/events`. */
export interface StreamEvent {
  /** Hand it to `events` as `lastEventId`, and the stream goes on behind it. */
  readonly id: string | undefined;
  /** What kind of event it is. */
  readonly event: string;
  readonly data: unknown;
}

export interface StreamOptions {
  readonly lastEventId?: string;
  readonly signal?: AbortSignal;
  /** A stream on which not even a sign of life came for so long is given up and opened anew; 60 seconds. */
  readonly silenceMaxMs?: number;
}

const SILENCE_MAX_MS = 60_000;
const DELAY_MAX_MS = 30_000;

/**
 * Events as they come, for as long as one reads. When the connection is lost it is opened anew behind the last event, so
 * that none is missed and none comes twice. It ends when the signal says so, or with an error that will not pass.
 */
export async function* followEvents(
  client: ClientOptions,
  options: StreamOptions = {},
): AsyncGenerator<StreamEvent, void, undefined> {
  const state: StreamState = { lastEventId: options.lastEventId, retryMs: undefined };
  let attempt = 0;
  while (!isAborted(options.signal)) {
    try {
      for await (const event of openStream(client, options, state)) {
        attempt = 0;
        yield event;
      }
    } catch (error) {
      if (isAborted(options.signal)) return;
      if (!(error instanceof AssayConnectionError) && !isPassing(error)) throw error;
    }
    attempt += 1;
    const waitMs = Math.max(state.retryMs ?? 0, backOff(attempt, DELAY_MAX_MS));
    await pause(waitMs, options.signal).catch(() => undefined);
  }
}

interface StreamState {
  lastEventId: string | undefined;
  /** The service's own wish. */
  retryMs: number | undefined;
}

async function* openStream(
  client: ClientOptions,
  options: StreamOptions,
  state: StreamState,
): AsyncGenerator<StreamEvent, void, undefined> {
  const silence = new AbortController();
  const signals = [silence.signal, ...(options.signal === undefined ? [] : [options.signal])];
  const silenceMaxMs = options.silenceMaxMs ?? SILENCE_MAX_MS;
  const giveUp = (): void => silence.abort();
  let timer = setTimeout(giveUp, silenceMaxMs);
  try {
    const response = await send(
      client,
      {
        method: "GET",
        path: "/v2/events",
        isRepeatable: true,
        headers: {
          accept: "text/event-stream",
          ...(state.lastEventId === undefined ? {} : { "last-event-id": state.lastEventId }),
        },
      },
      // The stream itself has no end, so only its silence is timed.
      { signal: AbortSignal.any(signals), timeoutMs: 2_147_483_647 },
    );
    const parse = createParser(state);
    for await (const chunk of response.body ?? []) {
      clearTimeout(timer);
      timer = setTimeout(giveUp, silenceMaxMs);
      yield* parse(chunk);
    }
  } catch (error) {
    if (isAborted(options.signal)) throw options.signal?.reason;
    if (!silence.signal.aborted && !isCut(error)) throw error;
    throw new AssayConnectionError("the stream was cut", { isTimeout: false, cause: error });
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

/** A service that restarts, or what stands before it, says so by one of these. */
function isPassing(error: unknown): boolean {
  return error instanceof AssayError && (error.status === 429 || error.status >= 500);
}

/** `fetch` tells a cut body by a TypeError. */
function isCut(error: unknown): boolean {
  return error instanceof TypeError;
}

/** Bytes in, whole events out, after the rules of server-sent events. */
function createParser(state: StreamState): (chunk: Uint8Array) => readonly StreamEvent[] {
  const decoder = new TextDecoder();
  let rest = "";
  let fields: { event?: string; data: string[]; id?: string } = { data: [] };
  const takeLine = (line: string): StreamEvent | undefined => {
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
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    return lines.flatMap((line) => takeLine(line) ?? []);
  };
}

function parseData(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
