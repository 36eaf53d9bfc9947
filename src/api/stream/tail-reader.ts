import { sleep } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import type { ChangeFeed } from "../../db/changes.ts";
import {
  createMatchTail,
  type MatchTail,
  type MatchTailOptions,
  type TailEvent,
} from "./match-tail.ts";

/** Reads new matches into one tail while at least one stream is open, and wakes the streams that wait for them. */
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
        if (await current.advance()) for (const onNewMatches of subscribers) onNewMatches();
      } catch (error) {
        options.log.warn({ err: error }, "cannot read new matches for the streams; retrying");
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
