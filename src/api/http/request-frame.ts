/**
 * What every request and response has, whatever its route: an id, a log line, a measurement and security headers. Also the
 * checks that Node's parser leaves to us.
 *
 * The hooks use callbacks and not promises: sending a cached answer costs less than five promises.
 */
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isLoopback } from "../../base/address.ts";
import type { Config } from "../../base/config.ts";
import { AppError } from "../../base/errors.ts";
import type { Metrics } from "../../base/metrics.ts";

/** For data: a browser must not run it, frame it or guess its type. */
export const DATA_HEADERS = {
  "cache-control": "private, no-cache",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

/** The documentation page has its own scripts and styles, and contacts only this service. */
const DOCS_POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const SAFE_ID = /^[A-Za-z0-9_.-]{1,128}$/;

/** Adds to every request its id, a log line, a measurement and, while the service stops, `Connection: close`. */
export function addRequestFrame(
  app: FastifyInstance,
  options: { readonly metrics: Metrics; readonly isStopping: () => boolean },
): void {
  const hasLog = isLogged(app.log);
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    if (options.isStopping()) reply.header("connection", "close");
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const { method } = request;
    const route = routeOf(request);
    const status = reply.statusCode;
    const ms = reply.elapsedTime;
    options.metrics.requestSeconds.observe({ method, route, status: String(status) }, ms / 1000);
    if (hasLog) logRequest(request, { method, route, status, ms: Math.round(ms * 10) / 10 });
    done();
  });
}

export function addSecurityHeaders(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    setSecurityHeaders(request, reply);
    done();
  });
}

export function setSecurityHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(DATA_HEADERS);
  if (request.url.startsWith("/docs")) reply.header("content-security-policy", DOCS_POLICY);
}

/** What is below these paths needs a proof that no other page has, or tells nothing. A gateway and a load balancer may use any name. */
const ANY_HOST = /^\/(?:v2|health)\//;

/**
 * On a loopback HOST, refuses requests for names that are not of this machine. Any web page can give its own name the address
 * 127.0.0.1 (DNS rebinding), and the browser would let it read our answers as those of its own site.
 */
export function addHostCheck(
  app: FastifyInstance,
  { host, publicUrl }: Pick<Config, "host" | "publicUrl">,
): void {
  if (!isLoopback(host)) return;
  const publicName = publicUrl === undefined ? undefined : new URL(publicUrl).hostname;
  app.addHook("onRequest", (request, _reply, done) => {
    const { host: asked } = request.headers;
    if (asked === undefined || ANY_HOST.test(request.url)) return done();
    const name = hostNameOf(asked);
    if (name !== undefined && (name === publicName || isLoopbackName(name))) return done();
    done(
      new AppError(
        "unknown_host",
        `Assay listens on ${host} only, so it answers to localhost, to loopback addresses and to the host of ASSAY_PUBLIC_URL: set ` +
          "ASSAY_PUBLIC_URL to the address at which you open Assay, and restart",
      ),
    );
  });
}

/** Returns the name without the port, as a browser would write it; undefined if it is none. */
function hostNameOf(host: string): string | undefined {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined;
}

/** Browsers and resolvers take these names for this machine, whatever a name server says. */
export function isLoopbackName(name: string): boolean {
  const plain = name.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  return isLoopback(plain) || plain.endsWith(".localhost");
}

/** Refuses requests that Node's parser accepts: several Host headers or none, and compressed bodies. */
export function addHttpChecks(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const hostCount = countHeader(request.raw, "host");
    if (hostCount > 1 || (hostCount === 0 && request.raw.httpVersion === "1.1")) {
      return done(new AppError("invalid_payload", "send exactly one Host header"));
    }
    const encoding = request.headers["content-encoding"];
    if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
      return done(new AppError("unsupported_media_type", "bodies must not be compressed"));
    }
    done();
  });
}

/** How often a request has a header. Node keeps only the first of most headers, so only the raw list tells. */
export function countHeader(
  { rawHeaders }: Pick<IncomingMessage, "rawHeaders">,
  wanted: string,
): number {
  let count = 0;
  // Names and values alternate.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.length === wanted.length && name.toLowerCase() === wanted) count += 1;
  }
  return count;
}

/** Returns the caller's id if it is safe in headers and logs, otherwise a new one. */
export function requestIdOf(request: Pick<IncomingMessage, "headers">): string {
  return toRequestId(request.headers["x-request-id"]);
}

export function toRequestId(header: string | readonly string[] | undefined): string {
  return typeof header === "string" && SAFE_ID.test(header) ? header : newRequestId();
}

export function newRequestId(): string {
  return `req_${randomUUID()}`;
}

export function isLogged({ level }: { readonly level: string }): boolean {
  return level === "info" || level === "debug" || level === "trace";
}

export function logAbort(request: FastifyRequest): void {
  const facts = { reqId: request.id, method: request.method, route: routeOf(request) };
  request.log.info(facts, "the client disconnected before the response");
}

/** A pipelined response that waits for an earlier one gets no event when the connection closes, so this ends its body. */
export function endWithSocket(body: Readable, socket: Socket): void {
  const end = () => body.destroy();
  socket.setMaxListeners(socket.getMaxListeners() + 1);
  socket.once("close", end);
  body.once("close", () => {
    socket.off("close", end);
    socket.setMaxListeners(socket.getMaxListeners() - 1);
  });
  if (socket.destroyed) setImmediate(end);
}

function logRequest(request: FastifyRequest, facts: object): void {
  request.log.info({ reqId: request.id, ...facts }, "request");
}

/** The path as the route declares it, so that ids and tokens in URLs stay out of logs and metrics. */
function routeOf(request: FastifyRequest): string {
  return request.is404 ? "none" : (request.routeOptions.url ?? "none");
}
