import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { inflateRawSync } from "node:zlib";
import { OperatorError } from "./errors.ts";

/**
 * Reads single files of a zip archive, which may be large: WhatsApp puts a chat and its media into one. Only the list at
 * the end and the wanted entry are read.
 *
 * The list ("central directory") is found through a record in the last 64 KiB. Each of its items has the name, the sizes
 * and the place of an entry. Sizes come from the file, so all of them are bounded before anything is read.
 */
interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly offset: number;
}

export interface Zip {
  readonly entries: readonly ZipEntry[];
  read(entry: ZipEntry): Buffer;
  close(): void;
}

const END = { signature: 0x06054b50, bytes: 22, commentMax: 65_535 };
const ITEM = { signature: 0x02014b50, bytes: 46 };
const ENTRY = { signature: 0x04034b50, bytes: 30 };
const LIST_BYTES_MAX = 32 * 1024 * 1024;
/** An export has at most 40,000 messages. */
const ENTRY_BYTES_MAX = 256 * 1024 * 1024;
const STORED = 0;
const DEFLATED = 8;

/** Throws an `OperatorError` if the file is not a zip archive that we can read. */
export function openZip(file: string): Zip {
  const handle = openSync(file, "r");
  const read = (offset: number, bytes: number): Buffer => {
    const buffer = Buffer.alloc(bytes);
    const count = readSync(handle, buffer, 0, bytes, offset);
    if (count < bytes) throw broken(file);
    return buffer;
  };
  try {
    const entries = listEntries(file, fstatSync(handle).size, read);
    return {
      entries,
      read: (entry) => readEntry(file, entry, read),
      close: () => closeSync(handle),
    };
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

/** Like `openZip`, for an archive in memory. `name` is for messages. */
export function openZipBytes(name: string, content: Buffer): Zip {
  const read = (offset: number, bytes: number): Buffer => {
    if (offset + bytes > content.length) throw broken(name);
    return content.subarray(offset, offset + bytes);
  };
  return {
    entries: listEntries(name, content.length, read),
    read: (entry) => readEntry(name, entry, read),
    close: () => undefined,
  };
}

type Read = (offset: number, bytes: number) => Buffer;

function listEntries(file: string, size: number, read: Read): readonly ZipEntry[] {
  const tailBytes = Math.min(size, END.bytes + END.commentMax);
  const tail = read(size - tailBytes, tailBytes);
  let at = tail.length - END.bytes;
  while (at >= 0 && tail.readUInt32LE(at) !== END.signature) at -= 1;
  if (at < 0) throw broken(file);
  const listBytes = tail.readUInt32LE(at + 12);
  const offset = tail.readUInt32LE(at + 16);
  if (listBytes > LIST_BYTES_MAX || offset + listBytes > size) throw broken(file);
  const list = read(offset, listBytes);
  const entries: ZipEntry[] = [];
  for (let item = 0; item + ITEM.bytes <= list.length; ) {
    if (list.readUInt32LE(item) !== ITEM.signature) throw broken(file);
    const nameBytes = list.readUInt16LE(item + 28);
    entries.push({
      name: list.toString("utf8", item + ITEM.bytes, item + ITEM.bytes + nameBytes),
      method: list.readUInt16LE(item + 10),
      isEncrypted: (list.readUInt16LE(item + 8) & 1) === 1,
      packedBytes: list.readUInt32LE(item + 20),
      bytes: list.readUInt32LE(item + 24),
      offset: list.readUInt32LE(item + 42),
    });
    item += ITEM.bytes + nameBytes + list.readUInt16LE(item + 30) + list.readUInt16LE(item + 32);
  }
  return entries;
}

function readEntry(file: string, entry: ZipEntry, read: Read): Buffer {
  if (entry.isEncrypted || entry.bytes > ENTRY_BYTES_MAX || entry.packedBytes > ENTRY_BYTES_MAX) {
    throw new OperatorError(`${entry.name} in ${file} is encrypted or too large; unpack it first`);
  }
  const head = read(entry.offset, ENTRY.bytes);
  if (head.readUInt32LE(0) !== ENTRY.signature) throw broken(file);
  const start = entry.offset + ENTRY.bytes + head.readUInt16LE(26) + head.readUInt16LE(28);
  const packed = read(start, entry.packedBytes);
  const content = unpack(file, entry, packed);
  if (content.length !== entry.bytes) throw broken(file);
  return content;
}

function unpack(file: string, { method, bytes }: ZipEntry, packed: Buffer): Buffer {
  if (method === STORED) return packed;
  if (method !== DEFLATED) throw broken(file);
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(bytes, 1) });
  } catch (cause) {
    throw broken(file, cause);
  }
}

function broken(file: string, cause?: unknown): OperatorError {
  return new OperatorError(
    `${file} is not a zip archive that Assay can read; unpack it first`,
    cause,
  );
}
