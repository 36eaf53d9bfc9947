import type { BackupHeader, BackupTrailer } from "./contents.ts";
import { openBackup } from "./read-backup.ts";

/** Reads the file to its end. Throws if it is no backup, or not whole. */
export async function verifyBackup(
  path: string,
  onRows?: (count: number) => void,
): Promise<{ readonly header: BackupHeader; readonly trailer: BackupTrailer }> {
  const reader = await openBackup(path);
  try {
    return { header: reader.header, trailer: await reader.readTables(skip, onRows) };
  } finally {
    reader.close();
  }
}

async function skip(_: unknown, rows: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of rows);
}
