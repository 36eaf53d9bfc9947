import {
  type DescribeListings,
  listMatchesAfter,
  type MatchEvent,
  toMatchEvents,
} from "../../alerts/match-event-store.ts";
import type { Database } from "../../db/database.ts";

export interface TailEvent {
  readonly sequence: number;
  readonly alertId: string;
  readonly event: MatchEvent;
}

/** The end of the feed of matches, which all streams of a process share, so that it is read once for all of them. */
export interface MatchTail {
  /** Reads what is new; gives whether there was something. */
  advance(): Promise<boolean>;
  /** The next events behind a number, from memory if it has them all, else from the store. */
  readAfter(sequence: number): Promise<readonly TailEvent[]>;
}

const PAGE = 200;
const KEPT_MAX = 1_000;

export function createMatchTail(options: {
  readonly db: Database;
  readonly describeListings: DescribeListings;
  /** Everything behind it is read. */
  readonly startSequence: number;
}): MatchTail {
  const { db, describeListings } = options;
  // All events behind `keptAfter` up to `readUpTo` are in `kept`.
  let keptAfter = options.startSequence;
  let readUpTo = options.startSequence;
  let kept: TailEvent[] = [];

  const readPage = async (afterSequence: number): Promise<readonly TailEvent[]> => {
    const matches = await listMatchesAfter(db, { afterSequence, limit: PAGE });
    const events = await toMatchEvents(db, matches, describeListings);
    return events.map((event, at) => ({
      sequence: matches[at]?.sequence ?? 0,
      alertId: event.data.alert.id,
      event,
    }));
  };

  return {
    advance: async () => {
      let isNew = false;
      for (;;) {
        const page = await readPage(readUpTo);
        const last = page.at(-1);
        if (last === undefined) return isNew;
        isNew = true;
        kept.push(...page);
        readUpTo = last.sequence;
        const surplus = kept.slice(0, Math.max(0, kept.length - KEPT_MAX));
        keptAfter = surplus.at(-1)?.sequence ?? keptAfter;
        kept = kept.slice(surplus.length);
      }
    },
    readAfter: async (sequence) => {
      if (sequence < keptAfter) return readPage(sequence);
      return kept.filter((event) => event.sequence > sequence);
    },
  };
}
