import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import type { Clock } from "../base/clock.ts";
import type { Config } from "../base/config.ts";
import { AppError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import type { Metrics } from "../base/metrics.ts";
import type { ChangeFeed } from "../db/changes.ts";
import type { Database } from "../db/database.ts";
import { type AuthOptions, addAuth, authenticate, needsToken } from "./auth.ts";
import { answerClientError } from "./client-error.ts";
import { ErrorBody, retryAfterSeconds, STATUS, toAppError, toErrorBody } from "./errors.ts";
import { addEtags } from "./etag.ts";
import { addHealth } from "./health.ts";
import { addNotFound } from "./not-found.ts";
import { addOpenapi } from "./openapi.ts";
import { createOverloadGuard, type OverloadGuard } from "./overload.ts";
import { createRateLimit } from "./rate-limit.ts";
import { requestIdOf } from "./request-id.ts";
import { addSecurityHeaders, setSecurityHeaders } from "./security-headers.ts";
import { createTokenCheck } from "./token-check.ts";
import { addGetConfigurationCells } from "./v2/get-configuration-cells.ts";
import { addGetListing } from "./v2/get-listing.ts";
import { addGetOccurrenceSummary } from "./v2/get-occurrence-summary.ts";
import { addDeleteGroupPreset, addListGroupPresets } from "./v2/group-presets.ts";
import { addListAlertMatches } from "./v2/list-alert-matches.ts";
import { addListAlerts } from "./v2/list-alerts.ts";
import { addListListingMatches } from "./v2/list-listing-matches.ts";
import { addListSessions } from "./v2/list-sessions.ts";
import { addSearchListings } from "./v2/search-listings.ts";
import { compileValidator } from "./validation.ts";

export interface AppOptions {
  readonly config: Config;
  readonly db: Database;
  readonly feed: ChangeFeed;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly isStopping: () => boolean;
}

const HEADERS_BYTES_MAX = 8 * 1024;
const BODY_BYTES_MAX = 256 * 1024;
const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 10_000;
const HANDLER_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_MS = 72_000;
/** How often the two time-outs above are looked at; Node's own default is half a minute. */
const TIMEOUT_CHECK_MS = 1_000;

/** Builds the service's HTTP side; it does not listen. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { config, clock, log } = options;
  const tokens = createTokenCheck(options);
  const rateLimit = createRateLimit({ perMinute: config.rateLimitPerMinute, clock });
  const auth: AuthOptions = { tokens, rateLimit };
  const guard = createOverloadGuard({ inFlightMax: config.requestsInFlightMax });
  const app = createServer(log, auth);
  app.server.headersTimeout = HEADERS_TIMEOUT_MS;
  app.server.maxConnections = config.connectionsMax;
  app.setValidatorCompiler(compileValidator);
  app.setErrorHandler(sendError);
  addJsonBodies(app);
  addNotFound(app);
  addRequestFrame(app, options);
  addOverloadGuard(app, guard, options.metrics);
  addSecurityHeaders(app);
  addHttpChecks(app);
  addAuth(app, auth);
  addEtags(app);
  app.addSchema(ErrorBody);
  addHealth(app, options);
  addMetrics(app, options.metrics);
  await addOpenapi(app);
  addRoutes(app, options);
  app.addHook("onClose", async () => {
    guard.close();
    await tokens.close();
  });
  await app.ready();
  return app;
}

function createServer(log: Logger, auth: AuthOptions): FastifyInstance {
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    requestIdHeader: false,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    handlerTimeout: HANDLER_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: {
      maxHeaderSize: HEADERS_BYTES_MAX,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // Node would answer without our error body; addHttpChecks asks for the header instead.
      requireHostHeader: false,
    },
    // A long id is an id that is not a UUID, and gets the same answer.
    routerOptions: { maxParamLength: HEADERS_BYTES_MAX },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      answerBadUrl(error, { request, reply }, auth);
    },
  });
  // The type of the logger is no concern of the routes.
  return app as unknown as FastifyInstance;
}

/** A path that cannot be decoded never reaches a route or a hook; a token is asked for all the same. */
function answerBadUrl(
  error: Error,
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  auth: AuthOptions,
): void {
  const { request, reply } = exchange;
  setSecurityHeaders(request, reply);
  const check = needsToken(request.url) ? authenticate(request, reply, auth) : Promise.resolve();
  check
    .then(() => sendError(error, request, reply))
    .catch((refusal: unknown) => sendError(refusal, request, reply));
}

function addRoutes(app: FastifyInstance, options: AppOptions): void {
  addListAlerts(app, options);
  addListAlertMatches(app, options);
  addSearchListings(app, options);
  addGetListing(app, options);
  addListListingMatches(app, options);
  addGetConfigurationCells(app, options);
  addGetOccurrenceSummary(app, options);
  addListGroupPresets(app, options);
  addDeleteGroupPreset(app, options);
  addListSessions(app, options);
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = toAppError(error);
  const status = STATUS[failure.code];
  if (status >= 500) request.log.error({ err: error, code: failure.code }, "a request failed");
  const waitSeconds = retryAfterSeconds(failure.code);
  if (waitSeconds !== undefined) reply.header("retry-after", waitSeconds);
  return reply
    .code(status)
    .header("x-request-id", request.id)
    .type("application/json; charset=utf-8")
    .serializer(JSON.stringify)
    .send(toErrorBody(failure, request.id));
}

/** What every exchange gets: its id, a log line, a measurement, and the wish to close while we are stopping. */
function addRequestFrame(app: FastifyInstance, options: AppOptions): void {
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
    if (options.isStopping()) reply.header("connection", "close");
  });
  app.addHook("onResponse", async (request, reply) => {
    // The path as it was declared: ids and tokens that callers put into URLs stay out of logs and metrics.
    const route = request.is404 ? "none" : (request.routeOptions.url ?? "none");
    const facts = { method: request.method, route, status: reply.statusCode };
    options.metrics.requestSeconds.observe(
      { ...facts, status: String(facts.status) },
      reply.elapsedTime / 1000,
    );
    request.log.info({ ...facts, ms: Math.round(reply.elapsedTime * 10) / 10 }, "request");
  });
}

function addOverloadGuard(app: FastifyInstance, guard: OverloadGuard, metrics: Metrics): void {
  const admitted = new WeakSet<FastifyRequest>();
  metrics.addGauge("assay_http_requests_in_flight", "Requests under way.", guard.inFlightCount);
  app.addHook("onRequest", async (request) => {
    // Whether we are alive must be heard even when nothing else gets through.
    if (request.url.startsWith("/health/") || request.url === "/metrics") return;
    if (!guard.tryEnter()) {
      metrics.requestsShed.inc();
      throw new AppError("overloaded", "too many requests are under way; try again");
    }
    admitted.add(request);
  });
  app.addHook("onResponse", async (request) => {
    if (admitted.has(request)) guard.leave();
  });
}

/** What Node's parser lets pass and we do not. */
function addHttpChecks(app: FastifyInstance): void {
  app.addHook("onRequest", async (request) => {
    const names = request.raw.rawHeaders.filter((_, at) => at % 2 === 0);
    const hostCount = names.filter((name) => name.toLowerCase() === "host").length;
    if (hostCount > 1 || (hostCount === 0 && request.raw.httpVersion === "1.1")) {
      throw new AppError("invalid_payload", "there must be one Host header");
    }
    const encoding = request.headers["content-encoding"];
    if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
      throw new AppError("unsupported_media_type", "bodies must not be compressed");
    }
  });
}

/** An empty body is no body, whatever its Content-Type says: many clients send that header with every request. */
function addJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "string" },
    async (_request: FastifyRequest, body: string) => {
      if (body === "") return undefined;
      try {
        return JSON.parse(body) as unknown;
      } catch (cause) {
        throw new AppError("invalid_payload", "the body is not valid JSON", cause);
      }
    },
  );
}

function addMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.get("/metrics", { schema: { hide: true } }, async (_request, reply) => {
    const { contentType, text } = await metrics.render();
    return reply.type(contentType).send(text);
  });
}
