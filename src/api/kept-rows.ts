import { withDeadline } from "../base/deadline.ts";
import type { ChangeFeed } from "../db/changes.ts";

/** Keeps rows that many answers are made of, for as long as nothing is announced that concerns them. */
export interface KeptRows<Row> {
  /** The rows of these keys; a key that has none is left out. */
  find(keys: readonly string[]): Promise<ReadonlyMap<string, Row>>;
}

export interface KeptRowsOptions<Row> {
  readonly feed: ChangeFeed;
  /** What announces their changes. Where it names ids, they are the first words of the keys. */
  readonly topic: string;
  /** Asks the primary: a replica may not yet have what was announced. */
  readonly load: (keys: readonly string[]) => Promise<ReadonlyMap<string, Row>>;
}

const IDS_MAX = 10_000;
const LOAD_TIMEOUT_MS = 5_000;

/** A row is a second old at most, as a kept answer is: see `answer-cache.ts`. */
export function createKeptRows<Row>({ feed, topic, load }: KeptRowsOptions<Row>): KeptRows<Row> {
  // By id, then by key; undefined where it is known that there is none.
  const kept = new Map<string, Map<string, Row | undefined>>();
  /** By id: the question that is under way, if nothing was announced since it was put. */
  const asked = new Map<string, object>();
  feed.subscribe(topic, (ids) => {
    for (const id of ids ?? kept.keys()) kept.delete(id);
    for (const id of ids ?? asked.keys()) asked.delete(id);
  });

  const keep = (key: string, row: Row | undefined): void => {
    if (kept.size >= IDS_MAX) kept.clear();
    const id = idOf(key);
    kept.set(id, (kept.get(id) ?? new Map<string, Row | undefined>()).set(key, row));
  };

  const ask = async (keys: readonly string[]): Promise<ReadonlyMap<string, Row>> => {
    const question = {};
    for (const key of keys) asked.set(idOf(key), question);
    const found = await withDeadline(load(keys), LOAD_TIMEOUT_MS);
    for (const key of keys) if (asked.get(idOf(key)) === question) keep(key, found.get(key));
    for (const key of keys) if (asked.get(idOf(key)) === question) asked.delete(idOf(key));
    return found;
  };

  return {
    find: async (keys) => {
      if (!feed.isLive()) return withDeadline(load(keys), LOAD_TIMEOUT_MS);
      const missing = keys.filter((key) => kept.get(idOf(key))?.has(key) !== true);
      const rows = keys.map((key) => [key, kept.get(idOf(key))?.get(key)] as const);
      const found = missing.length === 0 ? undefined : await ask(missing);
      return new Map(
        rows
          .map(([key, row]) => [key, row ?? found?.get(key)] as const)
          .filter((entry): entry is readonly [string, Row] => entry[1] !== undefined),
      );
    },
  };
}

function idOf(key: string): string {
  const end = key.indexOf(" ");
  return end < 0 ? key : key.slice(0, end);
}
