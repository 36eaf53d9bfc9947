import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Logger } from "../../base/log.ts";
import type { Metrics } from "../../base/metrics.ts";
import { type AuthOptions, toBearer } from "../auth/auth.ts";
import type { OverloadGuard } from "../http/overload.ts";
import { isLogged } from "../http/request-frame.ts";
import { toRequestId } from "../http/request-id.ts";
import { DATA_HEADERS } from "../http/security-headers.ts";

/**
 * Serves what a route has ready without the framework, which costs more than all else that is done for such a request.
 * It answers only what the route would answer with 200 and these bytes; whatever is out of the ordinary (no good token, a
 * body, a condition, an overload, a stop) is left to the framework, so each rule has one place.
 */
export interface ReadyAnswers {
  /** A GET of this URL was answered by that route; `find` gives the answer for as long as it is true. */
  know(url: string, ready: Ready): void;
  /** Answers from what is ready, or hands over. */
  wrap(framework: RequestListener): RequestListener;
}

interface ReadyAnswer {
  readonly body: Buffer;
  readonly etag: string;
}

interface Ready {
  /** As it was declared, for logs and metrics. */
  readonly route: string;
  find(): ReadyAnswer | undefined;
}

interface ReadyOptions extends AuthOptions {
  readonly guard: OverloadGuard;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly isStopping: () => boolean;
}

/** What the ordinary request says of itself. */
interface PlainHead {
  readonly bearer: string;
  readonly requestId: string;
}

const URLS_MAX = 10_000;
const URL_LENGTH_MAX = 500;
const SECURITY = Object.entries(DATA_HEADERS).flat();

export function createReadyAnswers(options: ReadyOptions): ReadyAnswers {
  const { tokens, rateLimit, guard, metrics, log } = options;
  const known = new Map<string, Ready>();
  const hasLog = isLogged(log);

  const answer = (request: IncomingMessage, response: ServerResponse): boolean => {
    const ready = known.get(request.url ?? "");
    if (ready === undefined || request.method !== "GET" || request.httpVersion !== "1.1")
      return false;
    const startedAtMs = performance.now();
    const found = ready.find();
    const head = found === undefined ? undefined : readHead(request.rawHeaders);
    if (found === undefined || head === undefined) return false;
    // Without a socket it waits behind another answer on its connection.
    if (options.isStopping() || response.socket === null || response.socket.destroyed) return false;
    const token = tokens.findKept(head.bearer);
    if (token === undefined || !guard.isOpen()) return false;
    if (rateLimit.take(token.id) !== undefined) return false;
    guard.tryEnter();
    // The answer is given, or its connection is gone.
    response.once("close", guard.leave);
    response.writeHead(200, headersOf(found, head.requestId));
    response.end(found.body);
    metrics.readyAnswers.inc();
    const ms = performance.now() - startedAtMs;
    const facts = { method: "GET", route: ready.route, status: 200 };
    metrics.requestSeconds.observe({ ...facts, status: "200" }, ms / 1000);
    if (hasLog)
      log.info({ reqId: head.requestId, ...facts, ms: Math.round(ms * 10) / 10 }, "request");
    return true;
  };

  return {
    know: (url, ready) => {
      if (url.length > URL_LENGTH_MAX || known.has(url)) return;
      // Only a caller who makes up URLs comes here.
      if (known.size >= URLS_MAX) known.clear();
      known.set(url, ready);
    },
    wrap: (framework) => (request, response) => {
      if (!answer(request, response)) framework(request, response);
    },
  };
}

function headersOf({ body, etag }: ReadyAnswer, requestId: string): string[] {
  return [
    "x-request-id",
    requestId,
    ...SECURITY,
    "etag",
    etag,
    "content-type",
    "application/json; charset=utf-8",
    "content-length",
    String(body.byteLength),
  ];
}

/** Undefined: there is something in it that asks for more than the answer. */
function readHead(rawHeaders: readonly string[]): PlainHead | undefined {
  let bearer: string | undefined;
  let requestId: string | undefined;
  let hostCount = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const value = rawHeaders[at + 1] ?? "";
    switch ((rawHeaders[at] ?? "").toLowerCase()) {
      case "host":
        hostCount += 1;
        break;
      case "authorization":
        bearer = bearer === undefined ? toBearer(value) : undefined;
        if (bearer === undefined) return undefined;
        break;
      case "x-request-id":
        requestId = value;
        break;
      case "content-length":
      case "transfer-encoding":
      case "content-encoding":
      case "expect":
      case "if-none-match":
      case "upgrade":
        return undefined;
      default:
    }
  }
  if (bearer === undefined || hostCount !== 1) return undefined;
  return { bearer, requestId: toRequestId(requestId) };
}
