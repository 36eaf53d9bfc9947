import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { sleep } from "../../../base/clock.ts";
import { isMediaOn } from "../../../base/config.ts";
import { AppError } from "../../../base/errors.ts";
import type { Database } from "../../../db/database.ts";
import { createKept } from "../../../db/kept.ts";
import { findPicture, type PictureRow, readFileBytes } from "../../../media/media-store.ts";
import { queuePictures } from "../../../media/media-write-store.ts";
import { SIZES } from "../../../media/picture.ts";
import { isKnownEtag } from "../../http/representation.ts";
import { failures, IdParam, notFound, optional, type RouteContext, typed } from "../schemas.ts";

/** About three thousand thumbnails. */
const KEPT_BYTES_MAX = 32 * 1024 * 1024;
/** How long a request waits for a picture that is fetched for it. Less than the time of a handler. */
const WAIT_MS = 3_000;
const LOOK_MS = 100;

const HEADERS = {
  "content-type": "image/webp",
  "cache-control": "private, max-age=86400",
  "content-security-policy": "sandbox; default-src 'none'",
  "content-disposition": "inline",
} as const;

/** An extension of the contract: a picture, made small by us. What came from the gateway is never sent as it came. */
export function addGetMedia(app: FastifyInstance, { db, read, clock, config }: RouteContext): void {
  // By the hash of the file, so what is kept cannot change.
  const thumbs = createKept<Buffer>({
    sizeMax: KEPT_BYTES_MAX,
    sizeOf: (bytes) => bytes.byteLength,
  });
  const isOn = isMediaOn(config);
  const schema = {
    operationId: "getMedia",
    tags: ["Media"],
    summary: "Get a picture",
    description:
      "A picture of a message, as WebP: 320 (`thumb`) or 1,280 pixels (`full`) at its longer side. One that was not fetched yet is " +
      "fetched now, if the gateway still has it: 404 `media_not_found` while it is not there, 410 `media_gone` with the " +
      "reason if it cannot be had.",
    params: Type.Object({ media_id: IdParam("The picture's id.") }),
    querystring: Type.Object({ size: optional(Type.Enum([...SIZES], { default: "thumb" })) }),
    response: {
      200: {
        description: "The picture.",
        content: { "image/webp": { schema: { type: "string", format: "binary" } } },
      },
      ...failures(400, 401, 404, 410),
    },
  };
  typed(app).get("/v2/media/:media_id", { schema }, async (request, reply) => {
    const { size = "thumb" } = request.query;
    const id = request.params.media_id;
    const found = await read((tx) => findPicture(tx, id));
    const sha256 = await findFile(db, { id, found, isOn, nowMs: clock.nowMs() });
    const etag = `"${sha256.slice(0, 32)}-${size}"`;
    reply.headers({ ...HEADERS, etag });
    if (isKnownEtag(request.headers["if-none-match"], etag)) {
      return reply.code(304).removeHeader("content-type").send();
    }
    const load = async (): Promise<Buffer> => {
      const bytes = await read((tx) => readFileBytes(tx, sha256, size));
      if (bytes === undefined) throw notFound("media");
      return bytes;
    };
    return reply.send(size === "thumb" ? await thumbs.read(sha256, load) : await load());
  });
}

interface Asked {
  readonly id: string;
  readonly found: PictureRow | undefined;
  readonly isOn: boolean;
  readonly nowMs: number;
}

/** Returns the hash of the file. Throws if there is none, after it has asked for the picture and waited for a moment. */
async function findFile(db: Database, { id, found, isOn, nowMs }: Asked): Promise<string> {
  if (found === undefined) throw notFound("media");
  if (found.sha256 !== null) return found.sha256;
  const isWaiting =
    isOn && (found.state === "queued" || (await queuePictures(db, [id], nowMs)) > 0);
  if (!isWaiting) throw toGone(found);
  for (let waitedMs = 0; waitedMs < WAIT_MS; waitedMs += LOOK_MS) {
    await sleep(LOOK_MS);
    const now = await findPicture(db, id);
    if (now === undefined) throw notFound("media");
    if (now.sha256 !== null) return now.sha256;
    if (now.state === "gone") throw toGone(now);
  }
  throw new AppError("media_not_found", "the picture is being fetched; ask again in some seconds");
}

function toGone({ state, reason }: PictureRow): AppError {
  if (state === "gone" && reason !== null) {
    return new AppError("media_gone", `there is no picture: ${reason}`);
  }
  return new AppError("media_not_found", "the picture was not fetched, and ASSAY_MEDIA is off");
}
