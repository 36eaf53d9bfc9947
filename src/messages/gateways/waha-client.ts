import { sleep } from "../../base/clock.ts";
import { readBody } from "../../base/read-body.ts";

/** The requests that we send to WAHA. The answers are stored unchanged, and `waha.ts` reads them. */
export interface WahaClient {
  listSessions(): Promise<unknown>;
  listGroups(session: string): Promise<unknown>;
  listLids(session: string, page: Page): Promise<unknown>;
  /** Lists the messages of one chat, or of all chats, since a time, oldest first. */
  listMessages(query: MessageQuery, page: Page): Promise<unknown>;
  /** Lists the newest messages of one chat, the newest first. */
  listNewestMessages(query: Omit<MessageQuery, "sinceMs">, limit: number): Promise<unknown>;
  /** Returns one message. The gateway downloads its file first, if it can. */
  getMessageWithMedia(message: MessageKey): Promise<unknown>;
  /** Returns a file of the gateway; undefined if it has more than `bytesMax` bytes. It is read no further then. */
  getFile(path: string, bytesMax: number): Promise<Buffer | undefined>;
}

interface MessageKey {
  readonly session: string;
  readonly chat: string;
  /** The whole id, as the gateway writes it. */
  readonly messageId: string;
}

interface Page {
  readonly limit: number;
  readonly offset: number;
}

export interface MessageQuery {
  readonly session: string;
  readonly chat: string;
  readonly sinceMs: number;
}

interface WahaClientOptions {
  readonly url: string;
  readonly apiKey?: string;
  /** Ends requests and their retries when the service stops. */
  readonly signal?: AbortSignal;
  /** Smaller in tests. */
  readonly timeoutMs?: number;
  readonly retryDelayMs?: number;
  readonly answerBytesMax?: number;
}

const TIMEOUT_MS = 30_000;
const RETRY_DELAY_MS = 1_000;
const ATTEMPTS = 3;
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

export function createWahaClient(options: WahaClientOptions): WahaClient {
  const get = (path: string, query: Readonly<Record<string, string | number>> = {}) =>
    getJson(path, query, options);
  const at = (session: string) => `/api/${encodeURIComponent(session)}`;
  const messagesOf = ({ session, chat }: Omit<MessageQuery, "sinceMs">) =>
    `${at(session)}/chats/${encodeURIComponent(chat)}/messages`;
  return {
    listSessions: () => get("/api/sessions", { all: "true" }),
    listGroups: (session) =>
      get(`${at(session)}/groups`, { exclude: "participants", limit: 10_000 }),
    listLids: (session, page) => get(`${at(session)}/lids`, { ...page }),
    listMessages: (query, page) =>
      get(messagesOf(query), {
        ...page,
        downloadMedia: "false",
        sortOrder: "asc",
        "filter.timestamp.gte": Math.floor(query.sinceMs / 1000),
      }),
    listNewestMessages: (query, limit) =>
      get(messagesOf(query), { limit, offset: 0, downloadMedia: "false", sortOrder: "desc" }),
    getMessageWithMedia: ({ messageId, ...chat }) =>
      get(`${messagesOf(chat)}/${encodeURIComponent(messageId)}`, { downloadMedia: "true" }),
    getFile: (path, bytesMax) => getBytes(toUrl(path, options), { ...options, bytesMax }),
  };
}

/** The address may have a path of its own, if the gateway is behind a proxy. */
function toUrl(path: string, options: Pick<WahaClientOptions, "url">): URL {
  const url = new URL(options.url);
  url.pathname = url.pathname.replace(/\/+$/, "") + path;
  return url;
}

// Retries network errors, 429 and 5xx. Other errors would stay the same.
async function getJson(
  path: string,
  query: Readonly<Record<string, string | number>>,
  options: WahaClientOptions,
): Promise<unknown> {
  const url = toUrl(path, options);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await getOnce(url, options);
    } catch (error) {
      const isPermanent = error instanceof GatewayError && !error.isTemporary;
      if (isPermanent || attempt === ATTEMPTS || options.signal?.aborted === true) throw error;
    }
    const delayMs = (options.retryDelayMs ?? RETRY_DELAY_MS) * 2 ** (attempt - 1);
    await sleep(delayMs * (0.5 + Math.random()), options.signal);
  }
}

async function getOnce(url: URL, options: WahaClientOptions): Promise<unknown> {
  const bytesMax = options.answerBytesMax ?? ANSWER_BYTES_MAX;
  const body = await getBytes(url, { ...options, bytesMax });
  if (body === undefined) {
    throw new GatewayError(url.pathname, 200, `more than ${bytesMax} bytes`);
  }
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    // Without the parser's error, which quotes the answer: it may have a key or a text, and errors are logged and stored.
    throw new Error(`the gateway's answer to ${url.pathname} is no JSON`);
  }
}

/** The key goes to this address only: a redirection is an error. */
async function getBytes(
  url: URL,
  options: WahaClientOptions & { readonly bytesMax: number },
): Promise<Buffer | undefined> {
  const timeout = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  const response = await fetch(url, {
    headers: options.apiKey === undefined ? {} : { "x-api-key": options.apiKey },
    signal: options.signal === undefined ? timeout : AbortSignal.any([timeout, options.signal]),
    redirect: "error",
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new GatewayError(url.pathname, response.status);
  }
  return readBody(response, options.bytesMax);
}

/** Returns true if the gateway answered that it does not have the chat, the message or the file. */
export function isNotFound(error: unknown): boolean {
  return error instanceof GatewayError && error.status === 404;
}

class GatewayError extends Error {
  readonly status: number;
  readonly isTemporary: boolean;

  constructor(path: string, status: number, answer: string = String(status)) {
    super(`the gateway answered ${answer} to ${path}`);
    this.name = "GatewayError";
    this.status = status;
    this.isTemporary = status === 429 || status >= 500;
  }
}
