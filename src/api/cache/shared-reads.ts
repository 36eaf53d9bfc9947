/**
 * Callers who ask the same question while its read is in progress share the read: when a new buy sends a whole office to the same
 * list, the store reads it once. Nothing is kept, so an answer is at most as much older than its question as the read takes.
 */
export interface SharedReads {
  /** `key` identifies the question. */
  read<Answer>(key: string, ask: () => Promise<Answer>): Promise<Answer>;
}

export function createSharedReads(): SharedReads {
  const inProgress = new Map<string, Promise<unknown>>();
  return {
    read: <Answer>(key: string, ask: () => Promise<Answer>) => {
      const shared = inProgress.get(key);
      if (shared !== undefined) return shared as Promise<Answer>;
      const started = ask().finally(() => inProgress.delete(key));
      inProgress.set(key, started);
      return started;
    },
  };
}
