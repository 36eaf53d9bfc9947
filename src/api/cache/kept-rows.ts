import { withDeadline } from "../../base/deadline.ts";
import type { ChangeFeed } from "../../db/changes.ts";

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
  const underWay = new Map<string, Question<Row>>();
  feed.subscribe(topic, (ids) => {
    for (const id of ids ?? kept.keys()) kept.delete(id);
    // Whoever asks from now on must not be given what was read before the change.
    for (const [key, question] of underWay) {
      if (ids?.includes(idOf(key)) === false) continue;
      question.changedIds.add(idOf(key));
      underWay.delete(key);
    }
  });

  const keep = (key: string, row: Row | undefined): void => {
    if (kept.size >= IDS_MAX) kept.clear();
    const id = idOf(key);
    kept.set(id, (kept.get(id) ?? new Map<string, Row | undefined>()).set(key, row));
  };

  const ask = (keys: readonly string[]): Question<Row> => {
    const answer = withDeadline(load(keys), LOAD_TIMEOUT_MS);
    const question: Question<Row> = { answer, changedIds: new Set() };
    for (const key of keys) underWay.set(key, question);
    const settle = (found?: ReadonlyMap<string, Row>): void => {
      for (const key of keys) {
        if (found !== undefined && !question.changedIds.has(idOf(key))) keep(key, found.get(key));
        if (underWay.get(key) === question) underWay.delete(key);
      }
    };
    answer.then(settle, () => settle());
    return question;
  };

  return {
    find: async (keys) => {
      if (!feed.isLive()) return withDeadline(load(keys), LOAD_TIMEOUT_MS);
      const rows = new Map(
        keys.flatMap((key) => {
          const row = kept.get(idOf(key))?.get(key);
          return row === undefined ? [] : [[key, row] as const];
        }),
      );
      const missing = keys.filter((key) => kept.get(idOf(key))?.has(key) !== true);
      const unasked = missing.filter((key) => !underWay.has(key));
      if (unasked.length > 0) ask(unasked);
      // Each of them is under way now.
      const questions = missing.map((key) => [key, underWay.get(key)] as const);
      for (const [key, question] of questions) {
        const row = (await question?.answer)?.get(key);
        if (row !== undefined) rows.set(key, row);
      }
      return rows;
    },
  };
}

interface Question<Row> {
  readonly answer: Promise<ReadonlyMap<string, Row>>;
  /** Announced since it was put. */
  readonly changedIds: Set<string>;
}

function idOf(key: string): string {
  const end = key.indexOf(" ");
  return end < 0 ? key : key.slice(0, end);
}
