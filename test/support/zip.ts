import { deflateRawSync } from "node:zlib";

/** A file of an archive. The claims are what the archive says about it, if that is not true. */
export interface ZipFile {
  readonly name: string;
  readonly content: Buffer;
  readonly isStored?: boolean;
  readonly claimedBytes?: number;
  readonly isEncrypted?: boolean;
}

/** Builds a zip archive as phones make them, with the sizes in the list at its end. */
export function buildZip(files: readonly ZipFile[], comment = ""): Buffer {
  const entries: Buffer[] = [];
  const items: Buffer[] = [];
  let offset = 0;
  for (const file of files) {
    const name = Buffer.from(file.name);
    const packed = file.isStored === true ? file.content : deflateRawSync(file.content);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(name.length, 26);
    const item = Buffer.alloc(46);
    item.writeUInt32LE(0x02014b50, 0);
    item.writeUInt16LE(file.isEncrypted === true ? 1 : 0, 8);
    item.writeUInt16LE(file.isStored === true ? 0 : 8, 10);
    item.writeUInt32LE(packed.length, 20);
    item.writeUInt32LE(file.claimedBytes ?? file.content.length, 24);
    item.writeUInt16LE(name.length, 28);
    item.writeUInt32LE(offset, 42);
    entries.push(head, name, packed);
    items.push(item, name);
    offset += head.length + name.length + packed.length;
  }
  const list = Buffer.concat(items);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...entries, list, end, Buffer.from(comment)]);
}
