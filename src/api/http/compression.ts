/**
 * Compresses responses for clients that accept it. Kept answers (`src/api/cache/`) are compressed once and arrive here
 * with their coding; everything else is compressed as it is sent.
 *
 * Each coding of a body is a representation of its own, so it has an ETag of its own: `"x"` as it is, `"x.gzip"` with gzip.
 * The codings say the same, so a tag of any of them is as good in a condition: the suffixes are removed from
 * `If-None-Match` and `If-Match` before anything else reads them.
 */
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
import type { FastifyInstance, FastifyReply } from "fastify";
import { type Coding, chooseCoding } from "./content-coding.ts";
import { toEtagOf } from "./etag.ts";

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

export async function compress(bytes: Buffer, coding: Coding): Promise<Buffer> {
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

function isCompressible(reply: FastifyReply): boolean {
  const { statusCode } = reply;
  if (statusCode < 200 || statusCode === 204 || statusCode === 206 || statusCode === 304)
    return false;
  return (
    !reply.hasHeader("content-encoding") &&
    COMPRESSIBLE.test(String(reply.getHeader("content-type") ?? ""))
  );
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

function isStream(payload: unknown): payload is Readable {
  return typeof (payload as { pipe?: unknown } | null | undefined)?.pipe === "function";
}

function withoutCodings(tags: string): string {
  return tags.replaceAll(/\.(?:br|gzip)"/g, '"');
}
