import { type Entry, fromBufferPromise, openPromise, type ZipFile } from "yauzl";
import { OperatorError } from "./errors.ts";

/** An archive on disk, or one in memory with a name for messages. */
type Archive = string | { readonly name: string; readonly content: Buffer };

interface Choice {
  /** Returns the wanted one of the names, or undefined. */
  readonly choose: (names: readonly string[]) => string | undefined;
  readonly bytesMax: number;
}

/** A chat with all its media has a few thousand files. */
const ENTRIES_MAX = 100_000;

/**
 * Returns the content of one file of an archive, or undefined if `choose` returns undefined. Only the list of names and this file are
 * read, because WhatsApp puts a chat and its media into one archive. What the archive says of sizes is checked while it is unpacked.
 */
export async function readZipFile(
  archive: Archive,
  { choose, bytesMax }: Choice,
): Promise<Buffer | undefined> {
  const name = typeof archive === "string" ? archive : archive.name;
  // Entries can be read after all of them were listed only if the archive is not closed by then.
  const options = { lazyEntries: true, autoClose: false };
  let zip: ZipFile | undefined;
  try {
    zip = await (typeof archive === "string"
      ? openPromise(archive, options)
      : fromBufferPromise(archive.content, options));
    const entries = await listEntries(zip);
    const entry = entries.get(choose([...entries.keys()]) ?? "");
    return entry && (await readEntry(zip, entry, { name, bytesMax }));
  } catch (error) {
    if (error instanceof OperatorError || isSystemError(error)) throw error;
    const text = `${name} is not a zip archive that Assay can read; unpack it first`;
    throw new OperatorError(text, error);
  } finally {
    zip?.close();
  }
}

async function listEntries(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    if (entries.size >= ENTRIES_MAX) throw new Error(`more than ${ENTRIES_MAX} files`);
    entries.set(entry.fileName, entry);
  }
  return entries;
}

async function readEntry(
  zip: ZipFile,
  entry: Entry,
  { name, bytesMax }: { readonly name: string; readonly bytesMax: number },
): Promise<Buffer> {
  if (!entry.canDecodeFileData() || entry.uncompressedSize > bytesMax) {
    const text = `${entry.fileName} in ${name} is encrypted or too large; unpack it first`;
    throw new OperatorError(text);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** A missing file or permission: the caller explains it. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
