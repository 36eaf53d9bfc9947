import { totalmem } from "node:os";

const MEGABYTE = 1024 * 1024;

/** PostgreSQL's own default. */
const BUFFERS_MIN = 128 * MEGABYTE;
/** More helps little, because the operating system caches the files too. */
const BUFFERS_MAX = 1024 * MEGABYTE;

/** An eighth of the memory for the server's page cache: the indexes of a large market are much larger than its default. */
export function toSharedBuffers(memoryBytes: number): string {
  const bytes = Math.min(Math.max(memoryBytes / 8, BUFFERS_MIN), BUFFERS_MAX);
  return `${Math.floor(bytes / MEGABYTE)}MB`;
}

/** The memory of the machine, or the limit of the container if that is lower. */
export function availableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
