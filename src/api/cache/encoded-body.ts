import { compress } from "../http/compression.ts";
import type { Coding } from "../http/content-coding.ts";

/** The compressed forms of one body, each made at most once and only if a client accepts it. */
export interface EncodedBody {
  find(coding: Coding): Buffer | undefined;
  /** Requests that ask at the same time share the work. `onMade` is called once for each coding, with its size. */
  make(coding: Coding, onMade: (byteCount: number) => void): Promise<Buffer>;
}

export function createEncodedBody(body: Buffer): EncodedBody {
  const made = new Map<Coding, Buffer>();
  const inProgress = new Map<Coding, Promise<Buffer>>();
  return {
    find: (coding) => made.get(coding),
    make: (coding, onMade) => {
      const shared = inProgress.get(coding);
      if (shared !== undefined) return shared;
      const started = compress(body, coding).then((bytes) => {
        made.set(coding, bytes);
        onMade(bytes.byteLength);
        return bytes;
      });
      inProgress.set(coding, started);
      return started;
    },
  };
}
