import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { sleep } from "../../../base/clock.ts";
import { canFetchMedia } from "../../../base/config.ts";
import { AppError } from "../../../base/errors.ts";
import type { Database } from "../../../db/database.ts";
import { createKept } from "../../../db/kept.ts";
import { findPicture, type PictureRow, readFileBytes } from "../../../media/media-store.ts";
import { queuePictures } from "../../../media/media-write-store.ts";
import { SIZES } from "../../../media/picture.ts";
import { isKnownEtag } from "../../http/representation.ts";
import {
  type Asker,
  failures,
  IdParam,
  notFound,
  optional,
  type RouteContext,
  typed,
} from "../schemas.ts";

/** About three thousand thumbnails. */
const KEPT_BYTES_MAX = 32 * 1024 * 1024;
/** How long a request waits for a picture that is fetched for it. Less than the time of a handler. */
const WAIT_MS = 3_000;
const LOOK_MS = 250;

const HEADERS = {
  "content-type": "image/webp",
  "content-security-policy": "sandbox; default-src 'none'",
  "content-disposition": "inline",
} as const;
const CACHED = "private, max-age=86400";
/** The picture itself may come in place of its thumbnail. */
const CACHED_THUMBNAIL = "private, max-age=60";

/** An extension of the contract: a picture, made small by us. What came from the gateway is never sent as it came. */
export function addGetMedia(app: FastifyInstance, { db, read, clock, config }: RouteContext): void {
  // By the hash of the file, so what is kept cannot change.
  const thumbs = createKept<Buffer>({
    sizeMax: KEPT_BYTES_MAX,
    sizeOf: (bytes) => bytes.byteLength,
  });
  const isOn = canFetchMedia(config);
  /** What a replica does not have yet, the primary may have. */
  const onEither = async <Found>(
    request: Asker,
    find: (from: Database) => Promise<Found | undefined>,
  ) => (await read(request, find)) ?? (await find(db(request)));
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
    const findRow = (from: Database) => findPicture(from, id);
    const gone = new AbortController();
    reply.raw.once("close", () => gone.abort());
    const asked = { id, isOn, nowMs: clock.nowMs(), signal: gone.signal };
    const { sha256, is_thumbnail_only } = await findFile(
      db(request),
      asked,
      await onEither(request, findRow),
    );
    const etag = `"${sha256.slice(0, 32)}-${size}"`;
    const cached = is_thumbnail_only ? CACHED_THUMBNAIL : CACHED;
    reply.headers({ ...HEADERS, "cache-control": cached, etag });
    if (isKnownEtag(request.headers["if-none-match"], etag)) {
      return reply.code(304).removeHeader("content-type").send();
    }
    const load = async (): Promise<Buffer> => {
      const bytes = await onEither(request, (from) => readFileBytes(from, sha256, size));
      if (bytes === undefined) throw notFound("media");
      return bytes;
    };
    return reply.send(size === "thumb" ? await thumbs.read(sha256, load) : await load());
  });
}

interface Asked {
  readonly id: string;
  readonly isOn: boolean;
  readonly nowMs: number;
  /** Aborted once no one waits any more. */
  readonly signal: AbortSignal;
}

type StoredPicture = PictureRow & { readonly sha256: string };

/** Returns the picture with its file. Throws if there is none, after it has asked for it and waited for a moment. */
async function findFile(
  db: Database,
  { id, isOn, nowMs, signal }: Asked,
  found: PictureRow | undefined,
): Promise<StoredPicture> {
  if (found === undefined) throw notFound("media");
  if (hasFile(found)) return found;
  const isWaiting =
    isOn && ((await queuePictures(db, [id], nowMs)) > 0 || found.state === "queued");
  if (!isWaiting) throw toGone(found);
  for (let waitedMs = 0; waitedMs < WAIT_MS && !signal.aborted; waitedMs += LOOK_MS) {
    await sleep(LOOK_MS, signal);
    const now = await findPicture(db, id);
    if (now === undefined) throw notFound("media");
    if (hasFile(now)) return now;
    if (now.state === "gone") throw toGone(now);
  }
  throw new AppError("media_not_found", "the picture is being fetched; ask again in some seconds");
}

function hasFile(row: PictureRow): row is StoredPicture {
  return row.sha256 !== null;
}

function toGone({ state, reason }: PictureRow): AppError {
  if (state === "gone" && reason !== null) {
    return new AppError("media_gone", `there is no picture: ${reason}`);
  }
  return new AppError(
    "media_not_found",
    "the picture was not fetched: ASSAY_MEDIA is off, or ASSAY_WAHA_URL is not set",
  );
}
