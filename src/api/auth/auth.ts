import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import { AppError, assert } from "../../base/errors.ts";
import type { Buckets } from "../../base/shares/bucket.ts";
import { budgetUsedUp } from "../../base/shares/caller.ts";
import type { Slots } from "../../base/shares/slots.ts";
import { hasRole, type Role } from "../../people/role.ts";
import {
  type ApiToken,
  isWellFormed,
  sessionSecretOf,
  toBearer,
  toSessionCredential,
} from "../../people/token.ts";
import { countHeader } from "../http/request-frame.ts";
import { needsToken } from "../http/request-path.ts";
import type { Connections } from "../limits/connections.ts";
import type { GuessLimit } from "../limits/guess-limit.ts";
import type { WorkBudget } from "../limits/work-budget.ts";
import { findForgery, findSessionSecret } from "./console-session.ts";
import { ROUTE_ROLES } from "./route-roles.ts";
import type { TokenCheck } from "./token-check.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The valid token of a request below `/v2` or `/console`. */
    apiToken: ApiToken | null;
    /** What proved that token. */
    credential: string | null;
  }
  interface FastifyContextConfig {
    /** The least role that may call the route, of `ROUTE_ROLES`. */
    readonly role?: Role;
    /** True for a POST that changes nothing. */
    readonly isRead?: boolean;
    /** True for a response that stays open as long as the client wants. It does not count as a request in progress. */
    readonly isStream?: boolean;
    /** True for what an owner needs to end an attack, and for signing out: it is done also if the budget of work is used up. */
    readonly isAlwaysDone?: boolean;
    /** True for the route that signs a browser in: it needs no token, but must be called by the console. */
    readonly isSignIn?: boolean;
  }
}

const REALM = 'Bearer realm="assay"';

export interface AuthOptions {
  readonly tokens: TokenCheck;
  /** Requests, by token. */
  readonly rateLimit: Buckets;
  readonly budget: WorkBudget;
  /** Sign-ins and links for other devices, by token: each is a session, and a row of the activity. */
  readonly sessionLimit: Buckets;
  readonly unknownTokens: GuessLimit;
  readonly signIns: GuessLimit;
  /** For look-ups of tokens that were never valid here. */
  readonly lookUps: Slots;
  readonly readers: Slots;
  readonly connections: Connections;
  /** The network of the client, for limits of strangers. */
  readonly networkOf: (request: FastifyRequest) => string;
  /** Of the console's cookie. */
  readonly cookieName: string;
  readonly publicUrl: string | undefined;
}

/** Checks the token or the session before anything else about a request below `/v2` and `/console`, also for unknown paths. */
export function addAuth(app: FastifyInstance, options: AuthOptions): void {
  app.decorateRequest("apiToken", null);
  app.decorateRequest("credential", null);
  app.addHook("onRoute", setRole);
  app.addHook("onRequest", (request, reply, done) => {
    const { url: route = "", config } = request.routeOptions;
    if (config.isSignIn === true) return done(findForgery(request, options.publicUrl));
    // If a route matches, its path decides; otherwise the path of the request does.
    if (!needsToken(route) && !needsToken(request.url)) return done();
    const credential = isRepeated(request) ? undefined : credentialOf(request, options);
    const token = credential === undefined ? undefined : options.tokens.findKept(credential);
    if (credential !== undefined && token !== undefined) {
      return done(findRefusal({ credential, token }, { request, reply }, options));
    }
    authenticate(request, reply, options).then(() => done(), done);
  });
}

/** Gives a route the role that it needs, and tells the contract. */
function setRole(route: RouteOptions): void {
  if (!needsToken(route.url) || route.config?.isSignIn === true) return;
  const [method] = [route.method].flat();
  // Fastify adds a HEAD to every GET.
  const key = `${method === "HEAD" ? "GET" : method} ${route.url}`;
  const role = ROUTE_ROLES[key];
  assert(role !== undefined, `ROUTE_ROLES has no role for ${key}`);
  route.config = { ...route.config, role };
  route.schema = { ...route.schema, security: [{ bearer: [role] }] };
}

export async function authenticate(
  request: FastifyRequest,
  reply: FastifyReply,
  options: AuthOptions,
): Promise<void> {
  if (isRepeated(request)) {
    throw new AppError("invalid_payload", "send exactly one Authorization header");
  }
  const credential = credentialOf(request, options);
  if (credential === undefined && request.headers.authorization === undefined) {
    reply.header("www-authenticate", REALM);
    throw new AppError("unauthorized", "a bearer token is required: Authorization: Bearer <token>");
  }
  const token =
    credential === undefined ? undefined : await lookUpToken(credential, request, options);
  if (credential === undefined || token === undefined) {
    reply.header("www-authenticate", `${REALM}, error="invalid_token"`);
    const isSession = credential !== undefined && sessionSecretOf(credential) !== undefined;
    throw new AppError(
      "unauthorized",
      isSession
        ? "the session has ended; sign in again"
        : "the token is unknown, revoked or expired",
    );
  }
  const refusal = findRefusal({ credential, token }, { request, reply }, options);
  if (refusal !== undefined) throw refusal;
}

/** Returns the token's text as the request sent it, or else the session of its cookie. */
function credentialOf(
  { headers }: FastifyRequest,
  options: Pick<AuthOptions, "cookieName" | "publicUrl">,
): string | undefined {
  if (headers.authorization !== undefined) return toBearer(headers.authorization);
  const secret = findSessionSecret(headers, options);
  return secret === undefined ? undefined : toSessionCredential(secret);
}

/** True if a request has a credential that was valid a moment ago, also where none is needed. */
export function isKnownCaller(request: FastifyRequest, options: AuthOptions): boolean {
  const credential = credentialOf(request, options);
  return credential !== undefined && options.tokens.findKept(credential) !== undefined;
}

/** A proxy and Assay may read different ones of two headers. */
function isRepeated({ raw }: FastifyRequest): boolean {
  return countHeader(raw, "authorization") > 1;
}

/**
 * A token that is not kept costs a query. So unknown ones are limited for each network, and look-ups have slots of their own,
 * except for tokens that were valid before: their holders must not wait for what others behind the same proxy do.
 */
async function lookUpToken(
  credential: string,
  request: FastifyRequest,
  { tokens, unknownTokens, lookUps, readers }: AuthOptions,
): Promise<ApiToken | undefined> {
  if (!isWellFormed(credential)) return undefined;
  const find = () => tokens.find(credential);
  if (tokens.isFamiliar(credential)) return inSlot(readers, request, find);
  return unknownTokens.check(request, () => inSlot(lookUps, request, find));
}

async function inSlot<Result>(
  slots: Slots,
  { raw }: FastifyRequest,
  work: () => Promise<Result>,
): Promise<Result> {
  // Nobody knows yet whose request it is, so it counts for its connection.
  const key = `${raw.socket.remoteAddress}:${raw.socket.remotePort}`;
  const slot = slots.enterNow({ key, expire: () => void raw.socket.destroy() });
  try {
    return await work();
  } finally {
    slots.leave(slot);
  }
}

/**
 * Returns the error if a valid token may not make this request now: the cookie comes from another site, too many requests, or the
 * route needs another role.
 */
function findRefusal(
  { credential, token }: { readonly credential: string; readonly token: ApiToken },
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  options: AuthOptions,
): AppError | undefined {
  const forgery = token.session === undefined ? undefined : findForgery(request, options.publicUrl);
  if (forgery !== undefined) return forgery;
  request.apiToken = token;
  request.credential = credential;
  options.connections.trust(request.raw.socket);
  const waitSeconds = options.rateLimit.take(token.id);
  if (waitSeconds !== undefined) {
    const message = `too many requests; try again in ${waitSeconds} s`;
    return new AppError("rate_limited", message, undefined, waitSeconds);
  }
  const { role: needed, isAlwaysDone } = request.routeOptions.config;
  const isFree = isAlwaysDone === true && (token.role === "owner" || request.method === "DELETE");
  const workSeconds = isFree ? undefined : options.budget.findWait(token);
  if (workSeconds !== undefined) return budgetUsedUp(workSeconds);
  if (needed !== undefined && !request.is404 && !hasRole(token.role, needed)) {
    reply.header("www-authenticate", `${REALM}, error="insufficient_scope", scope="${needed}"`);
    return new AppError(
      "forbidden",
      `this needs the role ${needed}, and the token has the role ${token.role}`,
    );
  }
  return undefined;
}
