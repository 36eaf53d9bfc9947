import crypto, { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Coding, chooseCoding } from "./content-coding.ts";

/** Adds an ETag to every successful read that has none yet, and answers 304 if the caller already has that answer. */
export function addEtags(app: FastifyInstance): void {
  app.addHook("onSend", (request, reply, payload, done) => {
    if (!isTaggable(request, reply) || typeof payload !== "string") return done(null, payload);
    const own = reply.getHeader("etag");
    const etag = typeof own === "string" ? own : etagOf(payload);
    reply.header("etag", etag);
    if (!isKnownEtag(request.headers["if-none-match"], etag)) return done(null, payload);
    // As the whole response would have it, which is compressed after this hook.
    const coding = chooseCoding(request.headers["accept-encoding"], Buffer.byteLength(payload));
    reply.header("etag", toEtagOf(etag, coding));
    reply.code(304).removeHeader("content-type").removeHeader("content-length");
    done(null, "");
  });
}

export function etagOf(payload: string | Buffer): string {
  return `"${sha1(payload)}"`;
}

/** The tag of the same answer with a coding. A weak tag covers all codings. No tag of ours has a dot of its own. */
export function toEtagOf(etag: string, coding: Coding | undefined): string {
  if (coding === undefined || etag.startsWith("W/")) return etag;
  return etag.replace(/"$/, `.${coding}"`);
}

/** `crypto.hash` of newer Node versions takes a third of the time. */
const sha1: (payload: string | Buffer) => string =
  typeof crypto.hash === "function"
    ? (payload) => crypto.hash("sha1", payload, "base64url")
    : (payload) => createHash("sha1").update(payload).digest("base64url");

function isTaggable(request: FastifyRequest, reply: FastifyReply): boolean {
  return (request.method === "GET" || request.method === "HEAD") && reply.statusCode === 200;
}

/** RFC 9110, 13.1.2: the header is a list of tags. A weak tag equals the strong one, and `*` matches any. */
export function isKnownEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header
    .split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""))
    .some((tag) => tag === etag || tag === "*");
}
