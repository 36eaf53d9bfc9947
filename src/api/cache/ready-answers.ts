/**
 * Sends kept answers before Fastify sees the request, because hooks, routing and reply cost more than everything else
 * that such a request needs.
 *
 * Invariant: the response is the same as Fastify's, byte for byte. Therefore this only answers the simple case: a GET with
 * a token that is known, without a body or a condition, whose route has a valid answer. Fastify handles every other
 * request (bad token, cookie instead of a token, If-None-Match, overload, rate limit, stop), so each rule is written in one
 * place. A token wins over a cookie, so a request with both is simple.
 *
 * Example: the first `GET /v2/alerts` goes through Fastify, and the answer cache adds its URL here. The second is
 * answered here with the same bytes. Then an alert changes, and the cache drops the answer: `find` returns undefined,
 * and the third request goes through Fastify again.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { assert } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import type { Metrics } from "../../base/metrics.ts";
import { toBearer } from "../../people/token.ts";
import type { AuthOptions } from "../auth/auth.ts";
import { ROUTE_ROLES } from "../auth/route-roles.ts";
import { type Coding, chooseCoding, toEtagOf } from "../http/representation.ts";
import { DATA_HEADERS, isLogged, toRequestId } from "../http/request-frame.ts";
import type { OverloadGuard } from "../limits/admission.ts";

export interface ReadyAnswers {
  /** Registers a URL that a route has answered; `ready.find` returns undefined once the answer is no longer valid. */
  add(url: string, ready: ReadyRoute): void;
  /** Returns a listener that sends a ready answer if there is one, and otherwise calls `framework`. */
  wrap(framework: RequestListener): RequestListener;
}

interface ReadyAnswer {
  readonly body: Buffer;
  /** The compressed forms that were made already. */
  readonly encoded: { find(coding: Coding): Buffer | undefined };
  readonly etag: string;
}

interface ReadyRoute {
  /** The path as the route declares it, for logs and metrics. */
  readonly route: string;
  find(): ReadyAnswer | undefined;
}

interface ReadyOptions extends AuthOptions {
  readonly guard: OverloadGuard;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly isStopping: () => boolean;
}

/** The headers of a simple request. */
interface SimpleHead {
  readonly bearer: string;
  readonly requestId: string;
  readonly acceptEncoding: string | undefined;
}

const URLS_MAX = 10_000;
const URL_LENGTH_MAX = 500;
const SECURITY_HEADERS = Object.entries(DATA_HEADERS).flat();

export function createReadyAnswers(options: ReadyOptions): ReadyAnswers {
  const { tokens, rateLimit, connections, guard, metrics, log } = options;
  const { readers } = guard;
  const routes = new Map<string, ReadyRoute>();
  const hasLog = isLogged(log);

  /** Returns true if the request was answered. */
  const tryAnswer = (request: IncomingMessage, response: ServerResponse): boolean => {
    const ready = routes.get(request.url ?? "");
    if (ready === undefined || request.method !== "GET" || request.httpVersion !== "1.1")
      return false;
    const startedAtMs = performance.now();
    const answer = ready.find();
    const head = answer === undefined ? undefined : readSimpleHead(request.rawHeaders);
    if (answer === undefined || head === undefined) return false;
    const coding = chooseCoding(head.acceptEncoding, answer.body.byteLength);
    // The first request for a coding goes through Fastify, and the answer cache compresses the answer for all others.
    const body = coding === undefined ? answer.body : answer.encoded.find(coding);
    if (body === undefined) return false;
    // A response without a socket waits for an earlier response on the same connection.
    if (options.isStopping() || response.socket === null || response.socket.destroyed) return false;
    const token = tokens.findKept(head.bearer);
    if (token === undefined || guard.isLoopSlow() || !readers.isOpen()) return false;
    if (rateLimit.take(token.id) !== undefined) return false;
    connections.trust(response.socket);
    const slot = readers.tryEnter({ key: token.id });
    if (slot === undefined) return false;
    // Emitted when the response was sent and also when its connection was lost.
    response.once("close", () => readers.leave(slot));
    const sent = { etag: answer.etag, coding, byteCount: body.byteLength };
    response.writeHead(200, headersOf(sent, head.requestId));
    response.end(body);
    record({ route: ready.route, requestId: head.requestId, ms: performance.now() - startedAtMs });
    return true;
  };

  const record = (sent: {
    readonly route: string;
    readonly requestId: string;
    readonly ms: number;
  }): void => {
    const { route, requestId, ms } = sent;
    const facts = { method: "GET", route, status: 200 };
    metrics.readyAnswers.inc();
    metrics.requestSeconds.observe({ ...facts, status: "200" }, ms / 1000);
    if (hasLog) log.info({ reqId: requestId, ...facts, ms: Math.round(ms * 10) / 10 }, "request");
  };

  return {
    add: (url, ready) => {
      if (url.length > URL_LENGTH_MAX || routes.has(url)) return;
      // Every token may read these, so roles are not looked at here.
      assert(ROUTE_ROLES[`GET ${ready.route}`] === "market", "a ready answer is for every role");
      // Only a caller who invents URLs reaches this bound.
      if (routes.size >= URLS_MAX) routes.clear();
      routes.set(url, ready);
    },
    wrap: (framework) => (request, response) => {
      if (!tryAnswer(request, response)) framework(request, response);
    },
  };
}

function headersOf(
  sent: {
    readonly etag: string;
    readonly coding: Coding | undefined;
    readonly byteCount: number;
  },
  requestId: string,
): string[] {
  const { etag, coding, byteCount } = sent;
  return [
    "x-request-id",
    requestId,
    ...SECURITY_HEADERS,
    "vary",
    "accept-encoding",
    "etag",
    toEtagOf(etag, coding),
    ...(coding === undefined ? [] : ["content-encoding", coding]),
    "content-type",
    "application/json; charset=utf-8",
    "content-length",
    String(byteCount),
  ];
}

/** Returns undefined if a header asks for anything that only Fastify handles. */
function readSimpleHead(rawHeaders: readonly string[]): SimpleHead | undefined {
  let bearer: string | undefined;
  let requestId: string | undefined;
  let acceptEncoding: string | undefined;
  let hostCount = 0;
  // Names and values alternate.
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
      case "accept-encoding":
        // Several lines are one list.
        if (acceptEncoding !== undefined) return undefined;
        acceptEncoding = value;
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
  return { bearer, requestId: toRequestId(requestId), acceptEncoding };
}
