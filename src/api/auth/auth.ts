import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../base/errors.ts";
import type { RateLimit } from "../http/rate-limit.ts";
import { pathOf } from "../http/request-path.ts";
import type { ApiToken } from "./token.ts";
import type { TokenCheck } from "./token-check.ts";

declare module "fastify" {
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
  readonly rateLimit: RateLimit;
}

/** Checks the token before anything else about a request below `/v2`, also for unknown paths. */
export function addAuth(app: FastifyInstance, options: AuthOptions): void {
  app.addHook("onRequest", (request, reply, done) => {
    // If a route matches, its path decides; otherwise the path of the request does.
    const route = request.routeOptions.url ?? "";
    if (!needsToken(route) && !needsToken(request.url)) return done();
    const text = bearerOf(request);
    const keptToken = text === undefined ? undefined : options.tokens.findKept(text);
    if (keptToken !== undefined) return done(findRefusal(keptToken, { request, reply }, options));
    authenticate(request, reply, options).then(() => done(), done);
  });
}

export function needsToken(url: string): boolean {
  const path = url.startsWith("/v2/") && !url.includes("%") ? url : pathOf(url);
  return (path === "/v2" || path.startsWith("/v2/")) && !path.startsWith("/v2/webhooks/");
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
  const text = bearerOf(request);
  const token = text === undefined ? undefined : await options.tokens.find(text);
  if (token === undefined) {
    reply.header("www-authenticate", `${REALM}, error="invalid_token"`);
    throw new AppError("unauthorized", "the token is unknown, revoked or expired");
  }
  const refusal = findRefusal(token, { request, reply }, options);
  if (refusal !== undefined) throw refusal;
}

/** Returns the error if a valid token may not make this request now: too many requests, or a write with a read-only token. */
function findRefusal(
  token: ApiToken,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  options: AuthOptions,
): AppError | undefined {
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
