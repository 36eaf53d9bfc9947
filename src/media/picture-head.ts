/**
 * The size that the head of a file says, without a decoder. A decoder works row by row, so a picture of a few columns and many millions of
 * rows takes it ten seconds, however few pixels it has.
 *
 * Example: a PNG of 1 by 64,000,000 pixels has 62 kB. Its size is in its bytes 16 to 23, and it is refused.
 */
import { typeOf } from "./picture.ts";

/** WebP itself allows no more, and no phone takes longer ones. */
export const SIDE_MAX = 16_384;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Returns true if a side is longer than `SIDE_MAX`. A file whose head does not say its size is the decoder's matter. */
export function isTooLong(file: Uint8Array): boolean {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const size = sizeOf(bytes);
  return size !== undefined && Math.max(size.width, size.height) > SIDE_MAX;
}

function sizeOf(bytes: Buffer): Size | undefined {
  switch (typeOf(bytes)) {
    case "png":
      return sizeOfPng(bytes);
    case "webp":
      return sizeOfWebp(bytes);
    case "jpeg":
      return sizeOfJpeg(bytes);
    default:
      return undefined;
  }
}

/** The first chunk has it. */
function sizeOfPng(bytes: Buffer): Size | undefined {
  if (bytes.length < 24) return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** A still picture cannot have longer sides; the canvas of one with several parts can. */
function sizeOfWebp(bytes: Buffer): Size | undefined {
  if (bytes.length < 30 || bytes.toString("latin1", 12, 16) !== "VP8X") return undefined;
  return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
}

/** Markers of a frame, which have the size. Three of their numbers mean something else. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** Markers without a length: padding, restarts, start and end. */
function isBare(marker: number): boolean {
  return marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd9);
}

/** An honest file has some dozens before its size. */
const MARKERS_MAX = 1_000;

/** Goes from marker to marker, as a decoder does, and over what is between them. Pictures in the metadata are passed over. */
function sizeOfJpeg(bytes: Buffer): Size | undefined {
  let at = 2;
  for (let count = 0; count < MARKERS_MAX; count += 1) {
    at = bytes.indexOf(0xff, at);
    while (at !== -1 && bytes[at] === 0xff) at += 1;
    const marker = bytes[at];
    if (at === -1 || marker === undefined || at + 8 > bytes.length) return undefined;
    at += 1;
    if (isFrame(marker)) {
      return { height: bytes.readUInt16BE(at + 3), width: bytes.readUInt16BE(at + 5) };
    }
    if (marker === 0xda) return undefined;
    if (!isBare(marker)) at += bytes.readUInt16BE(at);
  }
  return undefined;
}
