// Rows that many answers are made of: several keys become one query, and rows that rarely change are kept.

import { setImmediate } from "node:timers/promises";
import { withDeadline } from "../../base/clock.ts";
import type { ChangeFeed } from "../../db/changes.ts";
import { createKept } from "../../db/kept.ts";

interface KeptRows<Row> {
  /** Returns the rows of these keys; a key without a row is left out. */
  find(keys: readonly string[]): Promise<ReadonlyMap<string, Row>>;
}

interface KeptRowsOptions<Row> {
  readonly feed: ChangeFeed;
  /** The topic that announces changes. If it announces ids, each key begins with such an id. */
  readonly topic: string;
  /** Must read from the primary: a replica may not have the announced change yet. */
  readonly load: Load<Row>;
}

/** Returns the rows of many keys; a key without a row is left out. */
type Load<Row> = (keys: readonly string[]) => Promise<ReadonlyMap<string, Row>>;

interface Batch<Row> {
  readonly keys: Set<string>;
  readonly rows: Promise<ReadonlyMap<string, Row>>;
}

/** About 65 MB if all are price cells, which take most. */
const ROWS_MAX = 50_000;
/** More than a page of listings has cells. */
const LOADED_MAX = 1_000;
const LOAD_TIMEOUT_MS = 5_000;
/** With more keys in one query, the first caller would wait noticeably for the last. */
const KEYS_MAX = 50;

/**
 * Keeps rows, such as the price cells of a configuration, until the change feed announces that they changed. A key without
 * a row is kept too, so that it is not queried again.
 */
export function createKeptRows<Row>({ feed, topic, load }: KeptRowsOptions<Row>): KeptRows<Row> {
  // Null if the key is known to have no row.
  const kept = createKept<Row | null>({ changes: { feed, topic }, sizeMax: ROWS_MAX });
  const loadRow = createBatchedReads<Row>(
    (keys) => withDeadline(load(keys), LOAD_TIMEOUT_MS),
    LOADED_MAX,
  );
  const readRow = (key: string): Promise<Row | null> =>
    kept.read(key, async () => (await loadRow(key)) ?? null);
  return {
    find: async (keys) => {
      const rows = await Promise.all(keys.map(async (key) => [key, await readRow(key)] as const));
      return new Map(rows.flatMap(([key, row]) => (row === null ? [] : [[key, row] as const])));
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
  keysMax = KEYS_MAX,
): (key: string) => Promise<Row | undefined> {
  let open: Batch<Row> | undefined;
  const openBatch = (): Batch<Row> => {
    const keys = new Set<string>();
    const rows = setImmediate().then(() => {
      if (open === batch) open = undefined;
      return load([...keys]);
    });
    const batch = { keys, rows };
    return batch;
  };
  return async (key) => {
    if (open === undefined || open.keys.size >= keysMax) open = openBatch();
    const { keys, rows } = open;
    keys.add(key);
    return (await rows).get(key);
  };
}
