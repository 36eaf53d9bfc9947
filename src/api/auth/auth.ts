import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import { AppError, assert } from "../../base/errors.ts";
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
import { overloaded } from "../limits/admission.ts";
import type { Connections } from "../limits/connections.ts";
import type { Exchange, GuessLimit } from "../limits/guess-limit.ts";
import type { RateLimit } from "../limits/rate-limit.ts";
import type { RequestSlots } from "../limits/request-slots.ts";
import { findCookie, findForgery } from "./console-session.ts";
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
    /** True for the route that signs a browser in: it needs no token, but must be called by the console. */
    readonly isSignIn?: boolean;
  }
}

const REALM = 'Bearer realm="assay"';

export interface AuthOptions {
  readonly tokens: TokenCheck;
  /** By token. */
  readonly rateLimit: RateLimit;
  readonly unknownTokens: GuessLimit;
  readonly signIns: GuessLimit;
  /** For look-ups of tokens that were never valid here. */
  readonly lookUps: RequestSlots;
  readonly readers: RequestSlots;
  readonly connections: Connections;
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
    credential === undefined
      ? undefined
      : await lookUpToken(credential, { request, reply }, options);
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
  { cookieName }: Pick<AuthOptions, "cookieName">,
): string | undefined {
  if (headers.authorization !== undefined) return toBearer(headers.authorization);
  const secret = findCookie(headers.cookie, cookieName);
  return secret === undefined ? undefined : toSessionCredential(secret);
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
  exchange: Exchange,
  { tokens, unknownTokens, lookUps, readers }: AuthOptions,
): Promise<ApiToken | undefined> {
  if (!isWellFormed(credential)) return undefined;
  const find = () => tokens.find(credential);
  if (tokens.isFamiliar(credential)) return inSlot(readers, exchange.request, find);
  return unknownTokens.check(exchange, () => inSlot(lookUps, exchange.request, find));
}

async function inSlot<Result>(
  slots: RequestSlots,
  { raw }: FastifyRequest,
  work: () => Promise<Result>,
): Promise<Result> {
  const slot = slots.tryEnter(raw.socket);
  if (slot === undefined) throw overloaded();
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
  { request, reply }: Exchange,
  options: AuthOptions,
): AppError | undefined {
  const forgery = token.session === undefined ? undefined : findForgery(request, options.publicUrl);
  if (forgery !== undefined) return forgery;
  request.apiToken = token;
  request.credential = credential;
  options.connections.trust(request.raw.socket);
  const waitSeconds = options.rateLimit.take(token.id);
  if (waitSeconds !== undefined) {
    reply.header("retry-after", waitSeconds);
    return new AppError("rate_limited", `too many requests; try again in ${waitSeconds} s`);
  }
  const { role: needed } = request.routeOptions.config;
  if (needed !== undefined && !request.is404 && !hasRole(token.role, needed)) {
    reply.header("www-authenticate", `${REALM}, error="insufficient_scope", scope="${needed}"`);
    return new AppError(
      "forbidden",
      `this needs the role ${needed}, and the token has the role ${token.role}`,
    );
  }
  return undefined;
}
