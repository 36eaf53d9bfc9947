// Reads of requests that come at the same time: equal ones share one read, and those of single rows become one query.

/**
 * Callers who ask the same question while its read is in progress share the read: when a new buy sends a whole office to the same
 * list, the store reads it once. Nothing is kept, so an answer is at most as much older than its question as the read takes.
 */
interface SharedReads {
  /** `key` identifies the question. */
  read<Answer>(key: string, ask: () => Promise<Answer>): Promise<Answer>;
}

/** Returns the rows of many keys; a key without a row is left out. */
type Load<Row> = (keys: readonly string[]) => Promise<ReadonlyMap<string, Row>>;

interface Batch<Row> {
  readonly keys: Set<string>;
  readonly rows: Promise<ReadonlyMap<string, Row>>;
  readonly resolve: (rows: ReadonlyMap<string, Row>) => void;
  readonly reject: (error: unknown) => void;
}

/** With more keys in one query, the first caller would wait noticeably for the last. */
const KEYS_MAX = 50;

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

/**
 * Collects the keys that requests ask for in one turn of the event loop, and loads them with one query: under load, the
 * round trip to the store costs more than the query itself. A request that asks alone is not delayed by others.
 *
 * Invariant: every caller gets the row of its own key, and a failed query fails all callers of its batch.
 *
 * Example: three requests of the same turn ask for the keys a, b and a. When the turn ends, `load(["a", "b"])` runs
 * once, and each request gets its row. A request of the next turn starts a new batch.
 */
export function createBatchedReads<Row>(
  load: Load<Row>,
): (key: string) => Promise<Row | undefined> {
  let open: Batch<Row> | undefined;
  const openBatch = (): Batch<Row> => {
    const batch: Batch<Row> = newBatch();
    setImmediate(() => {
      if (open === batch) open = undefined;
      Promise.resolve([...batch.keys])
        .then(load)
        .then(batch.resolve, batch.reject);
    });
    return batch;
  };
  return (key) => {
    if (open === undefined || open.keys.size >= KEYS_MAX) open = openBatch();
    const { keys, rows } = open;
    keys.add(key);
    return rows.then((found) => found.get(key));
  };
}

function newBatch<Row>(): Batch<Row> {
  let resolve: Batch<Row>["resolve"] = () => undefined;
  let reject: Batch<Row>["reject"] = () => undefined;
  const rows = new Promise<ReadonlyMap<string, Row>>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { keys: new Set(), rows, resolve, reject };
}
