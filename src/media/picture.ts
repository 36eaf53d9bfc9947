import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../base/clock.ts";
import { toStableId } from "../base/ids.ts";

/** The kinds of files that are read. What a file is called counts for nothing. */
export type PictureType = "jpeg" | "png" | "webp";

/** Why there is no picture, or only its thumbnail. Part of the API. */
export const MEDIA_REASONS = [
  /** The gateway no longer has the file, nor can it download it again. */
  "not_at_gateway",
  /** The gateway answered with an error, or not at all, each time. */
  "gateway_failed",
  /** More bytes than are read, or more pixels on a side than are decoded. */
  "too_large",
  /** Neither JPEG nor PNG nor WebP. */
  "not_a_picture",
  /** It could not be decoded within the limits. */
  "unreadable",
  /** Removed, because newer pictures needed the space. */
  "over_budget",
  /** Its message has as many pictures as are kept. */
  "too_many",
  /** The event that had its address was removed. */
  "no_event",
] as const;
export type MediaReason = (typeof MEDIA_REASONS)[number];

export const SIZES = ["thumb", "full"] as const;
export type PictureSize = (typeof SIZES)[number];

/** The longer side, in pixels. */
export const SIDES: Readonly<Record<PictureSize, number>> = { thumb: 320, full: 1_280 };

export const PICTURE_BYTES_MAX = 16 * 1024 * 1024;
export const PICTURES_PER_MESSAGE_MAX = 10;
/** Dealers send pictures and the text about them within this time. */
export const BESIDE_MS = 120 * SECOND_MS;
/** So long a picture waits for the listing that it belongs to. The gateway keeps files for three minutes. */
export const LISTING_WAIT_MS = 150 * SECOND_MS;
/** A picture of an older message is fetched only when a person asks for it. */
export const FRESH_MS = 15 * MINUTE_MS;

/**
 * Pictures that people ask for, in all processes. Each may have the gateway download a file from WhatsApp again, and an account that does so
 * without a pause looks like a robot.
 */
export const ASKED_PER_MINUTE_MAX = 20;

/** After that, a picture in the queue is left until a person asks for it: the service was off, or had no pictures. */
export const QUEUED_MAX_MS = HOUR_MS;

/** The same after a replay, so nothing is fetched twice. */
export function mediaIdOf(groupId: string, rawId: string, second: number): string {
  return toStableId("media", groupId, rawId, String(second));
}

/** By the first bytes of the file. */
export function typeOf(bytes: Uint8Array): PictureType | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 12));
  const text = head.toString("latin1");
  if (text.startsWith("\xff\xd8\xff")) return "jpeg";
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  return text.startsWith("RIFF") && text.slice(8) === "WEBP" ? "webp" : undefined;
}

/** Pictures leave so much of the disk to the market. Of the embedded store: the disk of a server of your own only it knows. */
export const DISK_RESERVE_BYTES = 2_000_000_000;

const RETRY_MIN_MS = 2 * SECOND_MS;
const RETRY_MAX_MS = 30 * SECOND_MS;
/** Together a minute and a half, while the gateway still has the file: longer than it takes to start again. */
export const ATTEMPTS_MAX = 7;

export function retryDelayMs(attemptCount: number): number {
  return Math.min(RETRY_MIN_MS * 2 ** (attemptCount - 1), RETRY_MAX_MS);
}
