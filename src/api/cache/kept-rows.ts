/**
 * Keeps rows that many answers are made of, such as the price cells of a configuration, until the change feed announces
 * that they changed. A key without a row is kept too, so that it is not queried again.
 *
 * Invariant: the same as in `answer-cache.ts`. A row is at most a second older than the store, and a row that was read
 * before a change is neither kept nor given to callers who ask after the change.
 *
 * Example: A asks for the keys `7 2023 new` and `8 2020 used`, and one query for both starts. B asks for `8 2020 used`
 * and waits for the same query. Then the feed announces id 7. A and B get their rows, only the row of 8 is kept, and the
 * next caller who asks for `7 2023 new` starts a query.
 */
import { withDeadline } from "../../base/clock.ts";
import type { ChangeFeed } from "../../db/changes.ts";
import { keyId } from "./kept-answers.ts";

interface KeptRows<Row> {
  /** Returns the rows of these keys; a key without a row is left out. */
  find(keys: readonly string[]): Promise<ReadonlyMap<string, Row>>;
}

interface KeptRowsOptions<Row> {
  readonly feed: ChangeFeed;
  /** The topic that announces changes. If it announces ids, each key begins with such an id; see `keyId`. */
  readonly topic: string;
  /** Must read from the primary: a replica may not have the announced change yet. */
  readonly load: (keys: readonly string[]) => Promise<ReadonlyMap<string, Row>>;
}

/** One query for some keys. */
interface Query<Row> {
  readonly rows: Promise<ReadonlyMap<string, Row>>;
  /** Ids that were announced since the query began; their rows are not kept. */
  readonly changedIds: Set<string>;
}

const IDS_MAX = 10_000;
const LOAD_TIMEOUT_MS = 5_000;

export function createKeptRows<Row>({ feed, topic, load }: KeptRowsOptions<Row>): KeptRows<Row> {
  // By id, then by key. The value is undefined if the key is known to have no row.
  const kept = new Map<string, Map<string, Row | undefined>>();
  const inProgress = new Map<string, Query<Row>>();
  feed.subscribe(topic, (ids) => {
    for (const id of ids ?? kept.keys()) kept.delete(id);
    for (const [key, query] of inProgress) {
      if (ids?.includes(keyId(key)) === false) continue;
      query.changedIds.add(keyId(key));
      // A caller who asks after the change must not share this query.
      inProgress.delete(key);
    }
  });

  const keep = (key: string, row: Row | undefined): void => {
    if (kept.size >= IDS_MAX) kept.clear();
    const id = keyId(key);
    kept.set(id, (kept.get(id) ?? new Map<string, Row | undefined>()).set(key, row));
  };

  const startQuery = (keys: readonly string[]): void => {
    const rows = withDeadline(load(keys), LOAD_TIMEOUT_MS);
    const query: Query<Row> = { rows, changedIds: new Set() };
    for (const key of keys) inProgress.set(key, query);
    const finish = (found?: ReadonlyMap<string, Row>): void => {
      for (const key of keys) {
        if (found !== undefined && !query.changedIds.has(keyId(key))) keep(key, found.get(key));
        if (inProgress.get(key) === query) inProgress.delete(key);
      }
    };
    // A failure reaches the callers through `rows`, on which they wait as well.
    rows.then(finish, () => finish());
  };

  return {
    find: async (keys) => {
      if (!feed.isLive()) return withDeadline(load(keys), LOAD_TIMEOUT_MS);
      const found = new Map(
        keys.flatMap((key) => {
          const row = kept.get(keyId(key))?.get(key);
          return row === undefined ? [] : [[key, row] as const];
        }),
      );
      const missing = keys.filter((key) => kept.get(keyId(key))?.has(key) !== true);
      const unqueried = missing.filter((key) => !inProgress.has(key));
      if (unqueried.length > 0) startQuery(unqueried);
      // Every missing key has a query now. They are collected before the first `await`, which may remove them.
      const queries = missing.map((key) => [key, inProgress.get(key)] as const);
      for (const [key, query] of queries) {
        const row = (await query?.rows)?.get(key);
        if (row !== undefined) found.set(key, row);
      }
      return found;
    },
  };
}
