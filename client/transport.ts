import { AssayConnectionError, AssayError } from "./client-error.ts";

export interface ClientOptions {
  /** The address of the service, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly token: string;
  /** For one attempt. Default: 10 seconds. */
  readonly timeoutMs?: number;
  /** How often a request is tried before it fails. Default: 4. With 1 it is never retried. */
  readonly attempts?: number;
  /** The longest wait between two attempts. Default: 30 seconds. */
  readonly delayMaxMs?: number;
  /** A replacement for `fetch`, for example one that uses a proxy. */
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  /** Aborts the call, also while it waits between two attempts. The call then throws the signal's reason. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Called with what stands in the headers of a successful response, before the call returns its body. */
  readonly onAnswer?: (facts: AnswerFacts) => void;
}

export interface AnswerFacts {
  /** 201 if the call has created an object. */
  readonly status: number;
  /** Send it as `if_match` to change the object only if it is still the same. */
  readonly etag: string | undefined;
  /** What the service kept but does not use, such as `filters.referense: unknown member, ignored`. */
  readonly warnings: readonly string[];
  readonly requestId: string | undefined;
}

export interface HttpCall {
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** True if the call can be retried when it is unknown whether the service executed it. */
  readonly isRepeatable: boolean;
  /** True if the response has no end, so that no time-out applies to it. */
  readonly isEndless?: boolean;
}

const TIMEOUT_MS = 10_000;
const ATTEMPTS = 4;
const DELAY_MAX_MS = 30_000;
const DELAY_MIN_MS = 250;
const NO_ROUTE = "route_not_found";
const TOO_SLOW = "read_too_slow";

/**
 * Makes the call and retries it while that can help: after 429, 503 unless the read was too slow, and, if the call is
 * repeatable, a failed connection. Returns the response with its body unread. Throws `AssayError` for an error response,
 * and `AssayConnectionError` if there is no response.
 */
export async function send(
  client: ClientOptions,
  call: HttpCall,
  options: CallOptions = {},
): Promise<Response> {
  const attempts = client.attempts ?? ATTEMPTS;
  // True once an attempt failed in a way that leaves open whether the service executed it.
  let isMaybeDone = false;
  for (let attempt = 1; ; attempt += 1) {
    let waitMs = backOff(attempt, client.delayMaxMs ?? DELAY_MAX_MS);
    try {
      const response = await sendOnce(client, call, withTimeout(client, call, options));
      if (response.ok) return response;
      const error = await toError(response);
      if (!isTemporary(error) || attempt >= attempts) {
        if (isMaybeDone && isOwnDeletion(call, error)) return new Response(null, { status: 204 });
        throw error;
      }
      isMaybeDone ||= response.status === 503;
      const retryAfterMs = readRetryAfterMs(response);
      if (retryAfterMs !== undefined) {
        // The random `waitMs` is added so that clients with the same Retry-After do not return at the same moment.
        waitMs = Math.min(retryAfterMs + waitMs, client.delayMaxMs ?? DELAY_MAX_MS);
      }
    } catch (error) {
      const canRetry = error instanceof AssayConnectionError && call.isRepeatable;
      if (!canRetry || attempt >= attempts) throw error;
      isMaybeDone = true;
    }
    await pause(waitMs, options.signal);
  }
}

/** A read that was too slow would be as slow again, and keep the store busy. */
function isTemporary({ status, code }: AssayError): boolean {
  return status === 429 || (status === 503 && code !== TOO_SLOW);
}

/** A DELETE that is repeated finds nothing if the first one was executed and only its response was lost. */
function isOwnDeletion({ method }: HttpCall, { status, code }: AssayError): boolean {
  return method === "DELETE" && status === 404 && code.endsWith("_not_found") && code !== NO_ROUTE;
}

function withTimeout(client: ClientOptions, call: HttpCall, options: CallOptions): CallOptions {
  if (call.isEndless === true) return options;
  return { ...options, timeoutMs: options.timeoutMs ?? client.timeoutMs ?? TIMEOUT_MS };
}

async function sendOnce(
  client: ClientOptions,
  call: HttpCall,
  { signal, timeoutMs }: CallOptions,
): Promise<Response> {
  const timeout = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  const signals = [signal, timeout].filter((each) => each !== undefined);
  try {
    return await (client.fetch ?? fetch)(toUrl(client.url, call.path), {
      method: call.method,
      headers: {
        accept: "application/json, text/csv",
        authorization: `Bearer ${client.token}`,
        ...(call.body === undefined ? {} : { "content-type": "application/json" }),
        ...call.headers,
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      // A followed redirect would send the token to another address.
      redirect: "error",
      // Each use of `AbortSignal.any` stays registered at its sources, so a long-lived signal is passed on as it is.
      signal: signals.length === 1 ? (signals[0] ?? null) : AbortSignal.any(signals),
    });
  } catch (error) {
    throw toConnectionError(error, { signal, timeout });
  }
}

/** Appends the path to that of the address, which has one if the service is behind a proxy. */
function toUrl(base: string, path: string): URL {
  const { origin, pathname } = new URL(base);
  return new URL(origin + pathname.replace(/\/+$/, "") + path);
}

export function readFacts({ status, headers }: Response): AnswerFacts {
  const warnings = headers.get("x-assay-warnings");
  return {
    status,
    etag: headers.get("etag") ?? undefined,
    warnings: warnings === null ? [] : warnings.split("; ").map(decodeURIComponent),
    requestId: headers.get("x-request-id") ?? undefined,
  };
}

/** Parses the JSON body. Throws `AssayConnectionError` if the connection breaks or the body is not JSON. */
export async function readJson(response: Response, signal?: AbortSignal): Promise<unknown> {
  if (response.status === 204) return undefined;
  try {
    return await response.json();
  } catch (error) {
    throw toConnectionError(error, { signal });
  }
}

/** The body as it arrives. If the connection breaks, reading throws `AssayConnectionError`, so a cut body never looks whole. */
export function readStream(
  { body }: Response,
  signal?: AbortSignal,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = (body ?? new Blob([]).stream()).getReader();
  return new ReadableStream(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          throw toConnectionError(error, { signal });
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Asks for the next part only when the caller does.
    { highWaterMark: 0 },
  );
}

/** Returns the signal's reason if the caller aborted the call, otherwise an `AssayConnectionError`. */
function toConnectionError(
  error: unknown,
  {
    signal,
    timeout,
  }: {
    readonly signal: AbortSignal | undefined;
    readonly timeout?: AbortSignal | undefined;
  },
): unknown {
  if (signal?.aborted === true) return signal.reason;
  const isTimeout = timeout?.aborted === true || (error as Error).name === "TimeoutError";
  const message = isTimeout
    ? "the service did not answer in time"
    : "the service could not be reached";
  return new AssayConnectionError(message, { isTimeout, cause: error });
}

async function toError(response: Response): Promise<AssayError> {
  const body: unknown = await response.json().catch(() => undefined);
  const error = (body as { error?: Record<string, unknown> } | undefined)?.error;
  const textOf = (value: unknown): string | undefined =>
    typeof value === "string" ? value : undefined;
  return new AssayError({
    status: response.status,
    // Without a code, a proxy in front of the service has answered.
    code: textOf(error?.["code"]) ?? "unknown_error",
    message: textOf(error?.["message"]) ?? `the response had the status ${response.status}`,
    requestId: textOf(error?.["request_id"]) ?? response.headers.get("x-request-id") ?? undefined,
  });
}

/** `Retry-After` holds seconds or a date. */
function readRetryAfterMs(response: Response): number | undefined {
  const text = response.headers.get("retry-after") ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - Date.now());
}

/** Doubles with each attempt. A random part keeps clients from returning at the same moment. */
export function backOff(attempt: number, delayMaxMs: number): number {
  const delayMs = Math.min(delayMaxMs, DELAY_MIN_MS * 2 ** (attempt - 1));
  return delayMs * (0.5 + Math.random() / 2);
}

export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
