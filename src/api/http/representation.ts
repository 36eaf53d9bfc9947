/**
 * The forms in which a response is sent: compressed for clients that accept it, with an ETag, or as 304 for a client that has
 * it already. Kept answers (`src/api/cache/`) are compressed once and arrive here with their coding; everything else is
 * compressed as it is sent.
 *
 * Each coding of a body is a representation of its own, so it has an ETag of its own: `"x"` as it is, `"x.gzip"` with gzip.
 * The codings say the same, so a tag of any of them is as good in a condition: the suffixes are removed from
 * `If-None-Match` and `If-Match` before anything else reads them.
 */
import crypto, { createHash } from "node:crypto";
import { pipeline, type Readable } from "node:stream";
import {
  type BrotliOptions,
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
  type ZlibOptions,
} from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createSingleFlight } from "../../base/single-flight.ts";

/** The content codings that responses may have, in the order of our preference. */
const CODINGS = ["br", "gzip"] as const;
export type Coding = (typeof CODINGS)[number];

/** The compressed forms of one body, each made at most once and only if a client accepts it. */
export interface EncodedBody {
  find(coding: Coding): Buffer | undefined;
  /** Requests that ask at the same time share the work. `onMade` is called once for each coding, with its size. */
  make(coding: Coding, onMade: (byteCount: number) => void): Promise<Buffer>;
}

interface Choice {
  /** Absent: the client accepts none of ours, or prefers a body without a coding. */
  readonly coding?: Coding;
  readonly isIdentityRefused: boolean;
}

/** A smaller body fits into one packet anyway. */
const COMPRESSED_BYTES_MIN = 1024;
/** Clients send few different headers, and parsing one takes longer than sending a kept answer. */
const KNOWN_CHOICES_MAX = 100;
/** Higher levels take several times as long for a tenth less: docs/decisions/0010-compression.md. */
const GZIP: ZlibOptions = { level: 4 };
const BROTLI: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
/** About half a millisecond. A thread of its own costs almost as much, and a larger body would hold up other requests. */
const SYNC_BYTES_MAX = 8 * 1024;
const COMPRESSIBLE =
  /^(?:application\/(?:json|javascript)|image\/svg\+xml|text\/(?!event-stream))/i;

/** Call this before the hooks that read conditions, so that they see tags without a coding. */
export function addContentNegotiation(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("vary", "accept-encoding");
    const { headers } = request;
    for (const name of ["if-none-match", "if-match"] as const) {
      const tags = headers[name];
      if (tags?.includes(".") === true) headers[name] = withoutCodings(tags);
    }
    done();
  });
}

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

/** Call this after the hook that sets ETags. */
export function addCompression(app: FastifyInstance): void {
  app.addHook("onSend", (request, reply, payload, done) => {
    if (!isCompressible(reply)) return done(null, payload);
    const accepted = request.headers["accept-encoding"];
    if (isStream(payload)) {
      const coding = chooseCoding(accepted, Number.POSITIVE_INFINITY);
      if (coding === undefined) return done(null, payload);
      setCoding(reply, coding);
      return done(null, compressStream(payload, coding));
    }
    if (typeof payload !== "string" && !Buffer.isBuffer(payload)) return done(null, payload);
    const coding = chooseCoding(accepted, Buffer.byteLength(payload));
    if (coding === undefined || payload.length === 0) return done(null, payload);
    setCoding(reply, coding);
    compress(Buffer.from(payload), coding).then(
      (bytes) => done(null, bytes),
      (error: Error) => done(error),
    );
  });
}

export function createEncodedBody(body: Buffer): EncodedBody {
  const made = new Map<Coding, Buffer>();
  const flight = createSingleFlight();
  return {
    find: (coding) => made.get(coding),
    make: async (coding, onMade) =>
      made.get(coding) ??
      flight.share(coding, async () => {
        const bytes = await compress(body, coding);
        made.set(coding, bytes);
        onMade(bytes.byteLength);
        return bytes;
      }),
  };
}

/** A body that does not change, with its tag and its compressed forms. */
export interface MadeBody {
  readonly body: Buffer;
  readonly etag: string;
  readonly encoded: EncodedBody;
}

export function toMadeBody(body: Buffer): MadeBody {
  return { body, etag: etagOf(body), encoded: createEncodedBody(body) };
}

/** Sends the form that the client accepts, or 304. Compresses the body if no earlier request has. */
export function sendMade(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { body, etag, encoded }: MadeBody,
  onMade: (byteCount: number) => void = () => undefined,
): FastifyReply | Promise<FastifyReply> {
  const { headers } = request;
  const coding = chooseCoding(headers["accept-encoding"], body.byteLength);
  reply.header("etag", toEtagOf(etag, coding));
  if (isKnownEtag(headers["if-none-match"], etag)) return reply.code(304).send();
  reply.header("content-type", "application/json; charset=utf-8");
  if (coding === undefined) return reply.send(body);
  reply.header("content-encoding", coding);
  const found = encoded.find(coding);
  if (found !== undefined) return reply.send(found);
  return encoded.make(coding, onMade).then((bytes) => reply.send(bytes));
}

async function compress(bytes: Buffer, coding: Coding): Promise<Buffer> {
  if (bytes.byteLength <= SYNC_BYTES_MAX) {
    return coding === "br" ? brotliCompressSync(bytes, BROTLI) : gzipSync(bytes, GZIP);
  }
  return new Promise((settle, reject) => {
    const finish = (error: Error | null, encoded: Buffer): void => {
      if (error === null) settle(encoded);
      else reject(error);
    };
    if (coding === "br") brotliCompress(bytes, BROTLI, finish);
    else gzip(bytes, GZIP, finish);
  });
}

export function etagOf(payload: string | Buffer): string {
  return `"${sha1(payload)}"`;
}

/** `crypto.hash` of newer Node versions takes a third of the time. */
const sha1: (payload: string | Buffer) => string =
  typeof crypto.hash === "function"
    ? (payload) => crypto.hash("sha1", payload, "base64url")
    : (payload) => createHash("sha1").update(payload).digest("base64url");

/** The tag of the same answer with a coding. A weak tag covers all codings. No tag of ours has a dot of its own. */
export function toEtagOf(etag: string, coding: Coding | undefined): string {
  if (coding === undefined || etag.startsWith("W/")) return etag;
  return etag.replace(/"$/, `.${coding}"`);
}

/** RFC 9110, 13.1.2: the header is a list of tags. A weak tag equals the strong one, and `*` matches any. */
export function isKnownEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header
    .split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""))
    .some((tag) => tag === etag || tag === "*");
}

/** Returns the coding for a body of this size, or undefined if it must be sent as it is (RFC 9110, 12.5.3). */
export function chooseCoding(accepted: string | undefined, byteCount: number): Coding | undefined {
  if (accepted === undefined) return undefined;
  const { coding, isIdentityRefused } = choiceOf(accepted);
  return byteCount > COMPRESSED_BYTES_MIN || isIdentityRefused ? coding : undefined;
}

const knownChoices = new Map<string, Choice>();

function choiceOf(accepted: string): Choice {
  const found = knownChoices.get(accepted);
  if (found !== undefined) return found;
  if (knownChoices.size >= KNOWN_CHOICES_MAX) knownChoices.clear();
  const choice = parseAccepted(accepted);
  knownChoices.set(accepted, choice);
  return choice;
}

/**
 * If no coding is acceptable and identity is refused too, the body is sent as it is: RFC 9110 allows that, and an error
 * would help the client less.
 */
function parseAccepted(accepted: string): Choice {
  const weights = new Map(accepted.split(",").map(parseElement));
  const weightOf = (name: string): number | undefined => weights.get(name) ?? weights.get("*");
  const identity = weightOf("identity");
  let best: Coding | undefined;
  for (const coding of CODINGS) {
    if ((weightOf(coding) ?? 0) > (best === undefined ? 0 : (weightOf(best) ?? 0))) best = coding;
  }
  const isPreferred = best !== undefined && (weightOf(best) ?? 0) >= (identity ?? 0);
  return {
    ...(best !== undefined && isPreferred ? { coding: best } : {}),
    isIdentityRefused: identity === 0,
  };
}

/** A weight that is not valid refuses its coding. */
function parseElement(element: string): readonly [name: string, weight: number] {
  const [name = "", ...parameters] = element.split(";").map((part) => part.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
  const weight = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(q) ? Number(q) : 0;
  return [name === "x-gzip" ? "gzip" : name, weight];
}

function withoutCodings(tags: string): string {
  return tags.replaceAll(/\.(?:br|gzip)"/g, '"');
}

function isTaggable(request: FastifyRequest, reply: FastifyReply): boolean {
  return (request.method === "GET" || request.method === "HEAD") && reply.statusCode === 200;
}

function isCompressible(reply: FastifyReply): boolean {
  const { statusCode } = reply;
  if (statusCode < 200 || statusCode === 204 || statusCode === 206 || statusCode === 304)
    return false;
  return (
    !reply.hasHeader("content-encoding") &&
    COMPRESSIBLE.test(String(reply.getHeader("content-type") ?? ""))
  );
}

function isStream(payload: unknown): payload is Readable {
  return typeof (payload as { pipe?: unknown } | null | undefined)?.pipe === "function";
}

function setCoding(reply: FastifyReply, coding: Coding): void {
  reply.header("content-encoding", coding);
  reply.removeHeader("content-length").removeHeader("accept-ranges");
  const etag = reply.getHeader("etag");
  if (typeof etag === "string") reply.header("etag", toEtagOf(etag, coding));
}

/** Every chunk that comes in goes out at once, so the client sees rows as they are read. A failure breaks the transfer. */
function compressStream(source: Readable, coding: Coding): Readable {
  const encoder =
    coding === "br"
      ? createBrotliCompress({ ...BROTLI, flush: constants.BROTLI_OPERATION_FLUSH })
      : createGzip({ ...GZIP, flush: constants.Z_SYNC_FLUSH });
  // Fastify reports the error of the encoder, which gets it from the source.
  pipeline(source, encoder, () => undefined);
  return encoder;
}
