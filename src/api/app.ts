import type { RequestListener } from "node:http";
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import { type Clock, withDeadline } from "../base/clock.ts";
import type { Config } from "../base/config.ts";
import { AppError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import type { Metrics } from "../base/metrics.ts";
import type { ChangeFeed } from "../db/changes.ts";
import type { Database, DatabasePool } from "../db/database.ts";
import type { Hosts } from "../db/driver/hosts.ts";
import type { Read } from "../db/reads.ts";
import type { Catalogue } from "../extraction/catalogue/catalogue.ts";
import type { Intake } from "../intake/receive-event.ts";
import type { AgeCheck } from "../messages/privacy/event-age.ts";
import { type AuthOptions, addAuth, authenticate, isKnownCaller } from "./auth/auth.ts";
import { createAuth, startRemovingExpired } from "./auth/create-auth.ts";
import { createTokenCheck } from "./auth/token-check.ts";
import { createHeavyReads, type HeavyReads } from "./cache/heavy-reads.ts";
import { createReadyAnswers, type ReadyAnswers } from "./cache/ready-answers.ts";
import { addConsoleSessions } from "./console/console-sessions.ts";
import { addConsole } from "./console/serve-console.ts";
import { addSignIn } from "./console/sign-in.ts";
import {
  answerUnsupportedRequests,
  createClientErrorHandler,
  TIMEOUTS,
  type Timeouts,
} from "./http/client-error.ts";
import {
  createLater,
  createSerializerBuilder,
  createValidatorCompiler,
  type Later,
} from "./http/compile-schemas.ts";
import { ErrorBody, nameSlowRead, sendError } from "./http/errors.ts";
import { addHealth, addMetrics } from "./http/health.ts";
import { addOpenapi } from "./http/openapi.ts";
import { addCompression, addContentNegotiation, addEtags } from "./http/representation.ts";
import {
  addHostCheck,
  addHttpChecks,
  addRequestFrame,
  addSecurityHeaders,
  requestIdOf,
  setSecurityHeaders,
} from "./http/request-frame.ts";
import { addNotFound, needsToken } from "./http/request-path.ts";
import {
  addAdmission,
  addOverloadGuard,
  addVisitorLimit,
  admitStrangers,
  createOverloadGuard,
  refuseWhileClosing,
} from "./limits/admission.ts";
import { createConnections } from "./limits/connections.ts";
import { addCallers } from "./limits/work-budget.ts";
import { createEventStreams } from "./stream/event-streams.ts";
import { addStreamEvents } from "./v2/alerts/stream-events.ts";
import { describeListings } from "./v2/market/listing-body.ts";
import { addRoutes } from "./v2/routes.ts";
import type { RouteContext } from "./v2/schemas.ts";
import { addWebhooks } from "./v2/webhooks.ts";

export interface AppOptions {
  readonly config: Config;
  readonly db: DatabasePool;
  /** For tokens and sessions, with connections that requests cannot take. */
  readonly access: DatabasePool;
  /** For health checks, with connections that requests cannot take. */
  readonly checks: Database;
  readonly hosts: Pick<Hosts, "urls" | "state">;
  readonly read: Read;
  readonly readFigures: Read;
  readonly intake: Intake;
  readonly ages: AgeCheck;
  readonly feed: ChangeFeed;
  readonly clock: Clock;
  readonly catalogue: () => Promise<Catalogue>;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly isStopping: () => boolean;
  /** Where the compiled schemas of the routes are made. */
  readonly later?: Later;
  /** Shorter in tests. */
  readonly timeouts?: Timeouts;
}

/** Two levels below the root, in the sources as in the build. */
const CONSOLE_FOLDER = new URL("../../dist/console/", import.meta.url);

const HEADERS_BYTES_MAX = 8 * 1024;

const BODY_BYTES_MAX = 256 * 1024;

const HANDLER_TIMEOUT_MS = 5_000;

const KEEP_ALIVE_MS = 72_000;

const METHODS_WITH_BODY: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/**
 * Builds the HTTP application; the caller makes it listen. Fastify runs hooks in the order in which they were added, so
 * the order of the calls below is the order of the checks on a request: request id and log, security headers, stop, host,
 * token and rate limit, overload, HTTP checks, then the route.
 */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { config, log, metrics, later = createLater(), timeouts = TIMEOUTS } = options;
  const { requestsInFlightMax: inFlightMax, connectionsMax } = config;
  const tokens = createTokenCheck({ ...options, db: options.access });
  const guard = createOverloadGuard({ inFlightMax, slotMs: timeouts.slotMs });
  const connections = createConnections({ connectionsMax, metrics });
  const auth = await createAuth({ ...options, tokens, connections, guard });
  const app = createFramework({ log, auth, later, timeouts });
  connections.limit(app.server);
  const ready = createReadyAnswers({ ...options, ...auth, guard });
  addReadyAnswers(app, ready);
  app.setValidatorCompiler(createValidatorCompiler(app, later));
  app.setErrorHandler((error, request, reply) =>
    sendError(nameSlowRead(error, request, options.feed), request, reply),
  );
  addHandlerTimeouts(app);
  addCallers(app, { budget: auth.budget, timeoutMs: HANDLER_TIMEOUT_MS });
  addJsonBodies(app);
  addRequestFrame(app, options);
  addSecurityHeaders(app);
  // Added before the hooks that close the streams and wait for the requests in progress.
  refuseWhileClosing(app);
  const streams = createEventStreams({ ...options, describeListings });
  // Added before the overload guard's hook, which closes all connections that are still open.
  app.addHook("preClose", () => streams.close());
  const admission = addAdmission(app, guard, metrics);
  addHostCheck(app, config);
  addContentNegotiation(app);
  addAuth(app, auth);
  addVisitorLimit(app, {
    clock: options.clock,
    guard,
    networkOf: auth.networkOf,
    isKnown: (request) => isKnownCaller(request, auth),
  });
  addOverloadGuard(app, guard, admission);
  addHttpChecks(app);
  addNotFound(app);
  addEtags(app);
  addCompression(app);
  app.addSchema(ErrorBody);
  addHealth(app, { ...options, db: options.checks });
  addMetrics(app, options.metrics);
  await addOpenapi(app);
  addConsole(app, { folder: CONSOLE_FOLDER, log });
  const heavy = createHeavyReads({
    read: options.readFigures,
    clock: options.clock,
    isBusy: () => options.intake.isBusy(),
  });
  const context = { ...options, ...toRouteStore(options, heavy), sessionLimit: auth.sessionLimit };
  addRoutes(app, { ...context, ready, tokens });
  await addWebhooks(app, { ...options, connections, admission, slots: guard.events });
  addStreamEvents(app, { ...context, ready, streams, tokens });
  const strangers = admitStrangers(admission, guard.signIns);
  addSignIn(app, { ...options, db: options.access, auth, admission: strangers });
  addConsoleSessions(app, { ...options, db: options.access, auth });
  const removal = startRemovingExpired({ ...options, db: options.access });
  app.addHook("onClose", async () => {
    guard.close();
    await removal.stop();
    await tokens.close();
  });
  answerUnsupportedRequests(app, timeouts);
  await app.ready();
  return app;
}

/** The ways to the store that routes have: in the turn of the request's token, or once for all. */
function toRouteStore(
  { db, access, read }: Pick<AppOptions, "db" | "access" | "read">,
  heavy: HeavyReads,
): Pick<RouteContext, "db" | "access" | "read" | "heavy" | "forAll"> {
  return {
    db: ({ caller }) => db.as(caller),
    access: ({ caller }) => access.as(caller),
    read: ({ caller }, ask) => read(ask, caller),
    heavy: { read: ({ caller }, key, ask) => heavy.read(key, ask, caller) },
    forAll: { db, read },
  };
}

function createFramework(options: {
  readonly log: Logger;
  readonly auth: AuthOptions;
  readonly later: Later;
  readonly timeouts: Timeouts;
}): FastifyInstance {
  const { log, auth, later, timeouts } = options;
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger per request costs more than most requests log. Log calls pass the request id instead.
    childLoggerFactory: (logger) => logger,
    genReqId: requestIdOf,
    requestIdHeader: false,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: timeouts.requestMs,
    // Without any byte in either direction. Node sets the time between two requests by `keepAliveTimeout`.
    connectionTimeout: timeouts.requestMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: {
      maxHeaderSize: HEADERS_BYTES_MAX,
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: timeouts.checkMs,
      // Node would answer without our error body, so addHttpChecks checks the header instead.
      requireHostHeader: false,
    },
    // Fastify would answer without our error body, so refuseWhileClosing refuses instead.
    return503OnClosing: false,
    // A very long id then gets the same error as any other id that is not a UUID.
    routerOptions: { maxParamLength: HEADERS_BYTES_MAX },
    schemaController: { compilersFactory: { buildSerializer: createSerializerBuilder(later) } },
    clientErrorHandler: createClientErrorHandler(timeouts),
    frameworkErrors: (error, request, reply) => {
      answerBadUrl(error, { request, reply }, auth);
    },
  });
  // Hides the logger's type parameter, which the routes do not need.
  return app as unknown as FastifyInstance;
}

/**
 * Lets ready answers see each request before Fastify does. For `localhost`, Fastify also listens at a second address with
 * a server of its own; requests there go to Fastify directly.
 */
function addReadyAnswers({ server }: FastifyInstance, ready: ReadyAnswers): void {
  const listeners = server.listeners("request") as RequestListener[];
  server.removeAllListeners("request");
  for (const framework of listeners) server.on("request", ready.wrap(framework));
}

/**
 * Sets a time-out for every route, except routes with a deadline of their own: Fastify's costs a fifth of the time of a small
 * request. Fastify's time-out ends once the request's body has arrived, so handlers of requests with a body get a second
 * one.
 */
function addHandlerTimeouts(app: FastifyInstance): void {
  app.addHook("onRoute", (route) => {
    if (route.config?.hasDeadline === true) return;
    route.handlerTimeout ??= HANDLER_TIMEOUT_MS;
    if (!METHODS_WITH_BODY.has(String(route.method))) return;
    const { handler, handlerTimeout } = route;
    route.handler = function handle(request, reply) {
      const answer = Promise.resolve(handler.call(this, request, reply));
      return withDeadline(answer, handlerTimeout);
    };
  });
}

/** A path that cannot be decoded reaches no route and no hook, so the token is checked here. */
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

/** Treats an empty body as no body, whatever its Content-Type: many clients send that header with every request. */
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
