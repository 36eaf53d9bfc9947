import { statfs } from "node:fs/promises";

export interface Disk {
  readonly bytes: number;
  readonly freeBytes: number;
}

/** The disk that a folder is on. What is left is what a user without special rights may fill. */
export async function findDisk(folder: string): Promise<Disk> {
  const { blocks, bavail, bsize } = await statfs(folder);
  return { bytes: blocks * bsize, freeBytes: bavail * bsize };
}
