import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../base/errors.ts";
import { overloaded } from "../http/admission.ts";
import { networkOf } from "../http/client-network.ts";
import type { Connections } from "../http/connections.ts";
import { countHeader } from "../http/count-header.ts";
import type { RateLimit } from "../http/rate-limit.ts";
import { needsToken } from "../http/request-path.ts";
import type { RequestSlots } from "../http/request-slots.ts";
import { type ApiToken, isTokenText } from "./token.ts";
import type { TokenCheck } from "./token-check.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The valid token of a request below `/v2`. */
    apiToken: ApiToken | null;
  }
  interface FastifyContextConfig {
    /** True for a POST that changes nothing: a read-only token may call it. */
    readonly isRead?: boolean;
    /** True for a response that stays open as long as the client wants. It does not count as a request in progress. */
    readonly isStream?: boolean;
  }
}

const REALM = 'Bearer realm="assay"';
const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

export interface AuthOptions {
  readonly tokens: TokenCheck;
  /** By token. */
  readonly rateLimit: RateLimit;
  /** By network of the client. Look-ups that find a token do not count. */
  readonly unknownTokens: RateLimit;
  /** For look-ups of tokens that were never valid here. */
  readonly lookUps: RequestSlots;
  readonly readers: RequestSlots;
  readonly connections: Connections;
}

/** Checks the token before anything else about a request below `/v2`, also for unknown paths. */
export function addAuth(app: FastifyInstance, options: AuthOptions): void {
  app.decorateRequest("apiToken", null);
  app.addHook("onRequest", (request, reply, done) => {
    // If a route matches, its path decides; otherwise the path of the request does.
    const route = request.routeOptions.url ?? "";
    if (!needsToken(route) && !needsToken(request.url)) return done();
    const text = isRepeated(request) ? undefined : bearerOf(request);
    const keptToken = text === undefined ? undefined : options.tokens.findKept(text);
    if (keptToken !== undefined) return done(findRefusal(keptToken, { request, reply }, options));
    authenticate(request, reply, options).then(() => done(), done);
  });
}

export async function authenticate(
  request: FastifyRequest,
  reply: FastifyReply,
  options: AuthOptions,
): Promise<void> {
  const header = request.headers.authorization;
  if (header === undefined) {
    reply.header("www-authenticate", REALM);
    throw new AppError("unauthorized", "a bearer token is required: Authorization: Bearer <token>");
  }
  if (isRepeated(request)) {
    throw new AppError("invalid_payload", "send exactly one Authorization header");
  }
  const token = await lookUpToken(request, reply, options);
  if (token === undefined) {
    reply.header("www-authenticate", `${REALM}, error="invalid_token"`);
    throw new AppError("unauthorized", "the token is unknown, revoked or expired");
  }
  const refusal = findRefusal(token, { request, reply }, options);
  if (refusal !== undefined) throw refusal;
}

/** A proxy and Assay may read different ones of two headers. */
function isRepeated({ raw }: FastifyRequest): boolean {
  return countHeader(raw, "authorization") > 1;
}

/**
 * A token that is not kept costs a query. So look-ups are limited for each network, and have slots of their own, except for
 * tokens that were valid before: their holders must not wait for what others behind the same proxy do.
 */
async function lookUpToken(
  request: FastifyRequest,
  reply: FastifyReply,
  { tokens, unknownTokens, lookUps, readers }: AuthOptions,
): Promise<ApiToken | undefined> {
  const text = bearerOf(request);
  if (text === undefined || !isTokenText(text)) return undefined;
  const network = tokens.isFamiliar(text) ? undefined : networkOf(request.ip);
  const waitSeconds = network === undefined ? undefined : unknownTokens.take(network);
  if (waitSeconds !== undefined) {
    reply.header("retry-after", waitSeconds);
    throw new AppError(
      "rate_limited",
      `too many unknown tokens from this address; try again in ${waitSeconds} s`,
    );
  }
  const slots = network === undefined ? readers : lookUps;
  const slot = slots.tryEnter(request.raw.socket);
  if (slot === undefined) throw overloaded();
  try {
    const token = await tokens.find(text);
    if (token !== undefined && network !== undefined) unknownTokens.giveBack(network);
    return token;
  } finally {
    slots.leave(slot);
  }
}

/** Returns the error if a valid token may not make this request now: too many requests, or a write with a read-only token. */
function findRefusal(
  token: ApiToken,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  options: AuthOptions,
): AppError | undefined {
  request.apiToken = token;
  options.connections.trust(request.raw.socket);
  const waitSeconds = options.rateLimit.take(token.id);
  if (waitSeconds !== undefined) {
    reply.header("retry-after", waitSeconds);
    return new AppError("rate_limited", `too many requests; try again in ${waitSeconds} s`);
  }
  if (token.isReadOnly && !request.is404 && !isRead(request)) {
    reply.header("www-authenticate", `${REALM}, error="insufficient_scope"`);
    return new AppError("forbidden", "this token may only read");
  }
  return undefined;
}

/** Returns the token's text as the request sent it. */
export function bearerOf({ headers }: Pick<FastifyRequest, "headers">): string | undefined {
  return toBearer(headers.authorization ?? "");
}

export function toBearer(authorization: string): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1];
}

function isRead(request: FastifyRequest): boolean {
  return SAFE_METHODS.has(request.method) || request.routeOptions.config.isRead === true;
}
