/** The pictures in an event of WAHA: where the gateway has each, and the thumbnail that the event itself has. */
import { isPicture } from "./page-content.ts";
import { at, type Json, parseObject, textAt, timeAt, toList, toObject } from "./payload.ts";
import { type PictureContent, readProtoPicture } from "./proto-content.ts";

import { isGroup, parseMessageId, toRawId } from "./waha-fields.ts";

export interface GatewayPicture {
  readonly group: string;
  readonly rawId: string;
  readonly sentAtMs: number;
  readonly session: string;
  /** The id of the message as the gateway knows it. */
  readonly messageId: string;
  /** Path of the file at the gateway. Absent if the gateway did not download it. */
  readonly path?: string;
  /** Raw id of the head of its album. */
  readonly albumRawId?: string;
  readonly thumbnail?: Buffer;
}

/** Larger than any thumbnail. */
const THUMBNAIL_LENGTH_MAX = 200_000;

/** Pictures that may be looked at only once are left out, and second uploads of the same picture. */
export function readPictures(body: Uint8Array): readonly GatewayPicture[] {
  const root = parseObject(body);
  const session = textAt(root, "session");
  if (session === undefined) return [];
  const isPull = textAt(root, "assay_pull") === "messages";
  const payloads = isPull ? toList(at(root, "data")) : [at(root, "payload")];
  return payloads.flatMap((payload) => readPicture(toObject(payload), session) ?? []);
}

/** Reads the answer to a request for one message. */
export function readPicturePath(answer: unknown): string | undefined {
  return toFilePath(textAt(answer, "media", "url"));
}

function readPicture(payload: Json | undefined, session: string): GatewayPicture | undefined {
  const messageId = textAt(payload, "id");
  const id = parseMessageId(messageId);
  const sentAtMs = timeAt(payload, "timestamp");
  if (payload === undefined || messageId === undefined || !isGroup(id?.chat)) return undefined;
  const content = readPictureContent(payload);
  if (content === undefined || sentAtMs === undefined) return undefined;
  const path = readPicturePath(payload);
  const albumRawId = toRawId(content.albumRawId);
  const thumbnail = toBytes(content.thumbnail);
  return {
    group: id.chat,
    rawId: id.rawId,
    sentAtMs,
    session,
    messageId,
    ...(path === undefined ? {} : { path }),
    ...(albumRawId === undefined ? {} : { albumRawId }),
    ...(thumbnail === undefined ? {} : { thumbnail }),
  };
}

/** By the record of the engine. One without content, as of a listed message, counts as what the gateway says about the file. */
function readPictureContent(payload: Json): PictureContent | undefined {
  const data = at(payload, "_data");
  const message = at(data, "Message") ?? at(data, "message");
  if (message !== undefined) return readProtoPicture(message);
  const mimetype = textAt(payload, "media", "mimetype") ?? textAt(data, "mimetype") ?? "";
  const isImage = /^image\//.test(mimetype) || at(data, "type") === "image";
  if (!isImage || at(data, "isViewOnce") === true) return undefined;
  const isInAlbum = /album/i.test(textAt(data, "associationType") ?? "");
  const parent = textAt(data, "parentMsgKey", "id") ?? textAt(data, "parentMsgKey", "_serialized");
  return {
    thumbnail: textAt(data, "body"),
    albumRawId: isInAlbum ? parent : undefined,
  };
}

/**
 * Returns the path below the gateway's address. The host of the event counts for nothing: it is often one that only the gateway
 * itself knows, and the key must go nowhere else. Nor does its query: it is a secret of someone else.
 */
function toFilePath(url: string | undefined): string | undefined {
  const found =
    /^https?:\/\/[^/?#\\]{1,300}(?:\/[^?#\\]{0,200})?(\/api\/files\/[^?#\\]{3,400})(?:[?#]|$)/.exec(
      url ?? "",
    )?.[1];
  const parts = found?.split("/").slice(1) ?? [];
  const isPlain = parts.every((part) => /^[\w.@~=%+:-]+$/.test(part) && !/^\.+$/.test(part));
  const hasEscape = /%(?!40|3A|2B)/i.test(found ?? "");
  return parts.length === 4 && isPlain && !hasEscape ? found : undefined;
}

function toBytes(base64: string | undefined): Buffer | undefined {
  if (base64 === undefined || base64.length > THUMBNAIL_LENGTH_MAX) return undefined;
  return isPicture(base64) ? Buffer.from(base64.replace(/^data:[^,]*,/, ""), "base64") : undefined;
}
