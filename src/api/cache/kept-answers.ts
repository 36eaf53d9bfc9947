/**
 * What the caches keep: answers up to a bound of bytes, the compressed forms of each, and the keys under which a change finds
 * them.
 */
import { type Coding, compress } from "../http/representation.ts";

interface BoundedAnswers<Answer> {
  find(key: string): Answer | undefined;
  /** Drops the oldest answers if there is no room. Does not keep an answer that is larger than the whole bound. */
  keep(key: string, answer: Answer): void;
  /** Counts bytes that this answer takes in addition, if it is still kept. */
  grow(key: string, answer: Answer, byteCount: number): void;
  /** Drops the answers of these ids; without ids, all answers. */
  drop(ids: readonly string[] | undefined): void;
}

interface Entry<Answer> {
  readonly answer: Answer;
  byteCount: number;
}

/** The compressed forms of one body, each made at most once and only if a client accepts it. */
export interface EncodedBody {
  find(coding: Coding): Buffer | undefined;
  /** Requests that ask at the same time share the work. `onMade` is called once for each coding, with its size. */
  make(coding: Coding, onMade: (byteCount: number) => void): Promise<Buffer>;
}

/** Roughly the memory that an answer takes in addition to its body. */
const ENTRY_BYTES = 500;

/**
 * A cache key is an id, optionally followed by a space and more words, such as `<alert id> 0 50 false`. The change feed
 * announces ids, so a cache finds all keys of a changed row by this first word.
 */
export function keyId(key: string): string {
  const end = key.indexOf(" ");
  return end < 0 ? key : key.slice(0, end);
}

export function createBoundedAnswers<Answer extends { readonly body: Buffer }>(
  bytesMax: number,
): BoundedAnswers<Answer> {
  // In the order in which they were kept, so the oldest is first.
  const entries = new Map<string, Entry<Answer>>();
  const keysById = new Map<string, Set<string>>();
  let totalBytes = 0;

  const dropKey = (key: string): void => {
    const entry = entries.get(key);
    if (entry === undefined) return;
    totalBytes -= entry.byteCount;
    entries.delete(key);
    const id = keyId(key);
    const keys = keysById.get(id);
    keys?.delete(key);
    if (keys?.size === 0) keysById.delete(id);
  };
  const dropOldest = (): void => {
    for (const oldest of entries.keys()) {
      if (totalBytes <= bytesMax) return;
      dropKey(oldest);
    }
  };

  return {
    find: (key) => entries.get(key)?.answer,
    keep: (key, answer) => {
      dropKey(key);
      const byteCount = answer.body.byteLength + ENTRY_BYTES;
      if (byteCount > bytesMax) return;
      entries.set(key, { answer, byteCount });
      totalBytes += byteCount;
      keysById.set(keyId(key), (keysById.get(keyId(key)) ?? new Set()).add(key));
      dropOldest();
    },
    grow: (key, answer, byteCount) => {
      const entry = entries.get(key);
      if (entry?.answer !== answer) return;
      entry.byteCount += byteCount;
      totalBytes += byteCount;
      dropOldest();
    },
    drop: (ids) => {
      if (ids === undefined) for (const key of entries.keys()) dropKey(key);
      else for (const id of ids) for (const key of keysById.get(id) ?? []) dropKey(key);
    },
  };
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
