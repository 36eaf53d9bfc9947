import { keyId } from "./cache-key.ts";

export interface BoundedAnswers<Answer> {
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

/** Roughly the memory that an answer takes in addition to its body. */
const ENTRY_BYTES = 500;

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
