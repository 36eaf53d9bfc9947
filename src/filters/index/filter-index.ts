import { sleep } from "../../base/clock.ts";
import { type Logger, logSeries } from "../../base/log.ts";
import type { ChangeFeed } from "../../db/changes.ts";
import type { Database } from "../../db/database.ts";
import type { ListingFacts } from "../../listings/listing.ts";
import { sampleListingFacts } from "../../listings/listing-store.ts";
import { createRateTable, type RateOf } from "../../rates/fx.ts";
import { listFxRates } from "../../rates/fx-store.ts";
import { parseFilters } from "../language/filter.ts";
import { type FilterChange, type FilterOwner, listFilterChanges } from "../saved-filter-store.ts";
import { createReverseIndex, type IndexStats } from "./reverse-index.ts";

/**
 * All saved filters of the database, and the exchange rates that they need, in memory. Each process has one.
 *
 * It stays current by reading the log of changes (`saved_filter_change`) from the last sequence number it knows. A
 * notification only says that the log has new entries, so a lost notification delays a change and never loses it.
 *
 * Example: the index has read up to number 41. An alert is saved, which is change 42, and PostgreSQL notifies. The
 * index reads the changes after 41, replaces the filter of `alert:<id>`, and continues after 42.
 */
export interface FilterIndex {
  /**
   * Reads the log of changes to its end. A matcher calls it in its own transaction before it matches. Then it knows
   * every filter and rate that was committed before. Do not call it in a transaction that changed a filter or a rate.
   */
  catchUp(db: Database): Promise<void>;
  /** Returns the owners of all filters that match, each once. */
  match(listing: ListingFacts): readonly FilterOwner[];
  stats(): IndexStats;
  close(): Promise<void>;
}

interface FilterIndexOptions {
  readonly db: Database;
  readonly feed: ChangeFeed;
  readonly log: Logger;
}

const RETRY_DELAY_MS = 250;
const CHANGES_BATCH_MAX = 5_000;
/** Owner kind under which rate changes appear in the log. */
const RATES_OWNER_KIND = "fx_rate";
/** Enough listings to distinguish rare values from common ones. A larger sample would slow down every start. */
const SAMPLE = { limit: 1_000, textMax: 2_000 };

/** Loads all filters, then follows their changes until `close`. */
export async function openFilterIndex(options: FilterIndexOptions): Promise<FilterIndex> {
  const { db, feed, log } = options;
  const state: State = {
    index: createReverseIndex({
      rateOf: (currency, atMs) => state.rateOf(currency, atMs),
      onFailure: (id, error) =>
        log.error(
          { err: error, filter: id },
          "a filter threw while matching a listing; it counts as no match",
        ),
    }),
    rateOf: createRateTable([]),
    areRatesStale: true,
    lastSequence: 0,
    log,
  };
  const stop = new AbortController();
  const queue = createQueue();
  const followChanges = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        await queue.run(() => readChanges(state, db));
        return;
      } catch (error) {
        logSeries(log, { err: error }, "the filter index could not read the database");
        await sleep(RETRY_DELAY_MS, stop.signal);
      }
    }
  };
  // Subscribed before the first read, so that no change is missed between the two.
  feed.subscribe("saved_filter", () => void followChanges());
  await queue.run(async () => {
    await observeSample(state, db);
    await readChanges(state, db);
  });
  return {
    // One read at a time: an older read must not overwrite the result of a newer one.
    catchUp: (tx) => queue.run(() => readChanges(state, tx)),
    match: (listing) => state.index.match(listing).map(toOwner),
    stats: () => state.index.stats(),
    close: async () => {
      stop.abort();
      await queue.run(async () => undefined);
    },
  };
}

interface State {
  readonly index: ReturnType<typeof createReverseIndex>;
  rateOf: RateOf;
  /** The rates have changed since they were read, or were never read. */
  areRatesStale: boolean;
  /** The last change that was applied. */
  lastSequence: number;
  readonly log: Logger;
}

/** The sample only makes matching faster. Without it a filter is stored under a value that may be common. */
async function observeSample({ index, log }: State, db: Database): Promise<void> {
  try {
    for (const listing of await sampleListingFacts(db, SAMPLE)) index.observe(listing);
  } catch (error) {
    log.warn({ err: error }, "the filter index starts without a sample of listings");
  }
}

async function readChanges(state: State, db: Database): Promise<void> {
  for (;;) {
    const changes = await listFilterChanges(db, {
      afterSequence: state.lastSequence,
      limit: CHANGES_BATCH_MAX,
    });
    for (const change of changes) {
      if (change.owner_kind === RATES_OWNER_KIND) state.areRatesStale = true;
      else applyChange(state, change);
    }
    state.lastSequence = changes.at(-1)?.sequence ?? state.lastSequence;
    if (changes.length < CHANGES_BATCH_MAX) break;
  }
  // Read after the log, so that the rates are at least as new as the last change.
  if (state.areRatesStale) {
    state.rateOf = createRateTable(await listFxRates(db));
    state.areRatesStale = false;
  }
}

/** A filter that does not parse is logged and removed from the index. The other changes are still applied. */
function applyChange({ index, log }: State, change: FilterChange): void {
  const id = toId(change);
  if (change.filters === null) {
    index.remove(id);
    return;
  }
  try {
    const { filters, reads_duplicates, sets } = change;
    index.save(id, parseFilters(filters, { readsDuplicates: reads_duplicates === true, sets }));
  } catch (error) {
    index.remove(id);
    log.error(
      { err: error, filter: id },
      "a saved filter does not parse and matches nothing; save it again",
    );
  }
}

function toId({ owner_kind, owner_id }: FilterOwner): string {
  return `${owner_kind}:${owner_id}`;
}

function toOwner(id: string): FilterOwner {
  const at = id.indexOf(":");
  return { owner_kind: id.slice(0, at), owner_id: id.slice(at + 1) };
}

/** Runs one task after the other. A failed task rejects its own promise and does not stop the next one. */
function createQueue() {
  let previous: Promise<unknown> = Promise.resolve();
  return {
    run: (task: () => Promise<void>): Promise<void> => {
      const current = previous.then(task);
      previous = current.catch(() => undefined);
      return current;
    },
  };
}
