/**
 * The newest matches, kept in memory and shared by all streams of a process, so that each match is read from the store
 * once and not once per stream. A reader keeps the tail up to date while a stream is open, and wakes the streams that wait.
 *
 * Invariant: `kept` holds every event with `keptAfter < sequence <= readUpTo`, in order.
 *
 * Example: with `KEPT_MAX` = 1,000 the tail started after 40 and has read up to 1,100, so `keptAfter` is 100. A stream at
 * position 1,098 gets 1,099 and 1,100 from memory. A stream at position 50 gets the page after 50 from the store,
 * because 51 to 100 are no longer in memory.
 */
import {
  type DescribeListings,
  type MatchEvent,
  toMatchEvents,
} from "../../alerts/describe-matches.ts";
import {
  findPresentSequences,
  findSilenced,
  listMatchesAfter,
  type Silence,
} from "../../alerts/match-store.ts";
import type { Clock } from "../../base/clock.ts";
import { sleep } from "../../base/clock.ts";
import { type Logger, logSeries } from "../../base/log.ts";
import type { ChangeFeed } from "../../db/changes.ts";
import type { Database } from "../../db/database.ts";

export interface TailEvent {
  readonly sequence: number;
  readonly alertId: string;
  /** It follows from a profile in shadow. Only streams that ask for such matches send it. */
  readonly isShadow: boolean;
  /** Of a blocked dealer no stream sends anything, and what was passed goes only to streams that may not read deals. */
  readonly silence: Silence | undefined;
  readonly event: MatchEvent;
}

interface MatchTail {
  /** Reads the next page of the matches that are new in the store. Returns true if there were any. */
  advance(): Promise<boolean>;
  /**
   * Returns the next events after `sequence`: from memory if none is missing there, otherwise one page from the store. A match
   * that was deleted since it was read is left out, because its person may be erased.
   */
  readAfter(sequence: number): Promise<readonly TailEvent[]>;
}

interface MatchTailOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly describeListings: DescribeListings;
}

export interface TailReader {
  /** Starts to read the matches after `startSequence`. Does nothing if the reader runs already. */
  start(startSequence: number): void;
  /** Returns the next events after `sequence`; empty if there are none yet. */
  readAfter(sequence: number): Promise<readonly TailEvent[]>;
  /** Calls `onNewMatches` after each read that found some. Returns the function that unsubscribes. */
  subscribe(onNewMatches: () => void): () => void;
  /** Reads now instead of at the next poll. */
  readNow(): void;
}

interface TailReaderOptions extends MatchTailOptions {
  readonly feed: ChangeFeed;
  readonly log: Logger;
  /** The reader stops at the next poll once this returns false. */
  readonly hasStreams: () => boolean;
}

const PAGE_MAX = 200;
const KEPT_MAX = 1_000;
/** A NOTIFY can be lost with its connection, so the store is also polled. */
const POLL_MS = 1_000;

export function createTailReader(options: TailReaderOptions): TailReader {
  const subscribers = new Set<() => void>();
  let tail: MatchTail | undefined;
  let pause = new AbortController();
  const readNow = (): void => pause.abort();
  options.feed.subscribe("alert_match", readNow);

  const readWhileNeeded = async (current: MatchTail): Promise<void> => {
    while (options.hasStreams()) {
      // Renewed before the read: a notification that arrives during the read must cause another one.
      pause = new AbortController();
      try {
        // After each page: matches that come faster than they are read must not keep the streams waiting.
        while (await current.advance()) for (const onNewMatches of subscribers) onNewMatches();
      } catch (error) {
        logSeries(options.log, { err: error }, "new matches could not be read for the streams");
      }
      await sleep(POLL_MS, pause.signal);
    }
    tail = undefined;
  };

  return {
    start: (startSequence) => {
      if (tail !== undefined) return;
      tail = createMatchTail(options, startSequence);
      void readWhileNeeded(tail);
    },
    readAfter: async (sequence) => (await tail?.readAfter(sequence)) ?? [],
    subscribe: (onNewMatches) => {
      subscribers.add(onNewMatches);
      return () => subscribers.delete(onNewMatches);
    },
    readNow,
  };
}

/** `startSequence`: the tail keeps the matches after this one. */
export function createMatchTail(
  { db, clock, describeListings }: MatchTailOptions,
  startSequence: number,
): MatchTail {
  let keptAfter = startSequence;
  let readUpTo = startSequence;
  let kept: readonly TailEvent[] = [];

  const readPage = async (afterSequence: number): Promise<readonly TailEvent[]> => {
    const page = await listMatchesAfter(db, { afterSequence, limit: PAGE_MAX });
    const matches = page.map(({ match }) => match);
    const events = await toMatchEvents(db, matches, { describeListings, nowMs: clock.nowMs() });
    const silenced = await findSilenced(db, matches);
    return events.map((event, at) => {
      const isShadow = page[at]?.isShadow ?? false;
      return {
        sequence: matches[at]?.sequence ?? 0,
        alertId: event.data.alert.id,
        isShadow,
        silence: silenced.get(event.data.match.resource_id),
        event: isShadow ? { ...event, data: { ...event.data, is_shadow: true } } : event,
      };
    });
  };

  const append = (page: readonly TailEvent[], lastSequence: number): void => {
    readUpTo = lastSequence;
    const events = [...kept, ...page];
    const dropCount = Math.max(0, events.length - KEPT_MAX);
    keptAfter = events[dropCount - 1]?.sequence ?? keptAfter;
    kept = events.slice(dropCount);
  };

  return {
    advance: async () => {
      const page = await readPage(readUpTo);
      const last = page.at(-1);
      if (last === undefined) return false;
      append(page, last.sequence);
      return true;
    },
    readAfter: async (sequence) => {
      if (sequence < keptAfter) return readPage(sequence);
      const events = kept.filter((event) => event.sequence > sequence);
      const present = await findPresentSequences(
        db,
        events.map((event) => event.sequence),
      );
      return events.filter((event) => present.has(event.sequence));
    },
  };
}
