import { AssayConnectionError, AssayError } from "./client-error.ts";

export interface ClientOptions {
  /** Where the service is, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly token: string;
  /** For one attempt, 10 seconds unless said otherwise. */
  readonly timeoutMs?: number;
  /** How often a request is made before its failure is told, 4 unless said otherwise; 1: never again. */
  readonly attempts?: number;
  /** The longest wait between two attempts, 30 seconds unless said otherwise. */
  readonly delayMaxMs?: number;
  /** Another `fetch`, with a proxy for instance. */
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  /** Ends the call, the waits between attempts included, with the signal's reason. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

export interface HttpCall {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it may be made again when nobody knows what became of it. */
  readonly isRepeatable: boolean;
}

const TIMEOUT_MS = 10_000;
const ATTEMPTS = 4;
const DELAY_MAX_MS = 30_000;
const DELAY_MIN_MS = 250;

/** Makes the call, again if that can help, and gives the answer with its body unread. */
export async function send(
  client: ClientOptions,
  call: HttpCall,
  options: CallOptions = {},
): Promise<Response> {
  const attempts = client.attempts ?? ATTEMPTS;
  for (let attempt = 1; ; attempt += 1) {
    let waitMs = backOff(attempt, client.delayMaxMs ?? DELAY_MAX_MS);
    try {
      const response = await sendOnce(client, call, options);
      if (response.ok) return response;
      const isPassing = response.status === 429 || response.status === 503;
      if (!isPassing || attempt >= attempts) throw await toError(response);
      const told = retryAfterMs(response);
      // Those who were all told the same time do not come back all at the same time.
      if (told !== undefined) waitMs = Math.min(told + waitMs, client.delayMaxMs ?? DELAY_MAX_MS);
      await response.body?.cancel();
    } catch (error) {
      const isLost = error instanceof AssayConnectionError && call.isRepeatable;
      if (!isLost || attempt >= attempts) throw error;
    }
    await pause(waitMs, options.signal);
  }
}

async function sendOnce(
  client: ClientOptions,
  call: HttpCall,
  { signal, timeoutMs = client.timeoutMs ?? TIMEOUT_MS }: CallOptions,
): Promise<Response> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return await (client.fetch ?? fetch)(new URL(call.path, client.url), {
      method: call.method,
      headers: {
        accept: "application/json",
        authorization: `Bearer ${client.token}`,
        ...(call.body === undefined ? {} : { "content-type": "application/json" }),
        ...call.headers,
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      // Whoever follows a redirect hands the token to whoever it names.
      redirect: "error",
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
  } catch (error) {
    throw explain(error, { signal, timeout });
  }
}

/** Reads a body of JSON; a cut connection and bytes that are no JSON are failures of the connection. */
export async function readJson(response: Response, signal?: AbortSignal): Promise<unknown> {
  if (response.status === 204) return undefined;
  try {
    return await response.json();
  } catch (error) {
    throw explain(error, { signal });
  }
}

function explain(
  error: unknown,
  { signal, timeout }: { readonly signal: AbortSignal | undefined; readonly timeout?: AbortSignal },
): unknown {
  if (signal?.aborted === true) return signal.reason;
  const isTimeout = timeout?.aborted === true || (error as Error).name === "TimeoutError";
  const message = isTimeout ? "the service did not answer in time" : "the service was not reached";
  return new AssayConnectionError(message, { isTimeout, cause: error });
}

async function toError(response: Response): Promise<AssayError> {
  const body: unknown = await response.json().catch(() => undefined);
  const error = (body as { error?: Record<string, unknown> } | undefined)?.error;
  const textOf = (value: unknown): string | undefined =>
    typeof value === "string" ? value : undefined;
  return new AssayError({
    status: response.status,
    // Something between us and the service answered in its place.
    code: textOf(error?.["code"]) ?? "unknown_error",
    message: textOf(error?.["message"]) ?? `the answer was ${response.status}`,
    requestId: textOf(error?.["request_id"]) ?? response.headers.get("x-request-id") ?? undefined,
  });
}

/** Seconds, or a date, as HTTP has it. */
function retryAfterMs(response: Response): number | undefined {
  const text = response.headers.get("retry-after") ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - Date.now());
}

/** Doubles from one attempt to the next; chance keeps clients from coming back all at once. */
export function backOff(attempt: number, delayMaxMs: number): number {
  const delayMs = Math.min(delayMaxMs, DELAY_MIN_MS * 2 ** (attempt - 1));
  return delayMs * (0.5 + Math.random() / 2);
}

export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((settle, reject) => {
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
      settle();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
