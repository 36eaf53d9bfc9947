import type { Logger } from "../../base/log.ts";
import { sleep } from "../../base/sleep.ts";
import type { ChangeFeed } from "../../db/changes.ts";
import type { Database } from "../../db/database.ts";
import type { ListingFacts } from "../../listings/listing.ts";
import { listListingFacts } from "../../listings/listing-store.ts";
import { createRateTable, type RateOf } from "../../rates/fx.ts";
import { listFxRates } from "../../rates/fx-store.ts";
import { joinFilters, parseFilter } from "../language/filter.ts";
import { type FilterChange, type FilterOwner, listFilterChanges } from "../saved-filter-store.ts";
import { createReverseIndex, type IndexStats } from "./reverse-index.ts";

/** All saved filters of the store, and the rates that they read, in memory, kept up to date. One for each process. */
export interface FilterIndex {
  /**
   * Reads the log of changes to its end. A matcher calls it in its own transaction before it matches, so that it
   * sees every filter and every rate that was committed before; never in a transaction that itself changed some.
   */
  catchUp(db: Database): Promise<void>;
  match(listing: ListingFacts): readonly FilterOwner[];
  stats(): IndexStats;
  close(): Promise<void>;
}

export interface FilterIndexOptions {
  readonly db: Database;
  readonly feed: ChangeFeed;
  readonly log: Logger;
}

const RETRY_DELAY_MS = 250;
const CHANGES_BATCH_MAX = 5_000;
/** As whose change the log tells of rates. */
const RATES = "fx_rate";
/** Enough to tell rare values from common ones; more would be felt at every start. */
const SAMPLE_SIZE = 1_000;

/** Loads the filters, then follows their changes: a notification is only a hint to read the log. */
export async function openFilterIndex(options: FilterIndexOptions): Promise<FilterIndex> {
  const { db, feed, log } = options;
  const state: State = {
    index: createReverseIndex({
      rateOf: (currency, atMs) => state.rateOf(currency, atMs),
      onFailure: (id, error) => log.error({ err: error, filter: id }, "a filter failed"),
    }),
    rateOf: createRateTable([]),
    hasOldRates: true,
    readUpTo: 0,
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
        log.warn({ err: error }, "the filter index could not read the store; trying again");
        await sleep(RETRY_DELAY_MS, stop.signal);
      }
    }
  };
  // Before the first reading, so that no change falls between the two.
  feed.subscribe("saved_filter", () => void followChanges());
  await queue.run(async () => {
    for (const listing of await listListingFacts(db, SAMPLE_SIZE)) state.index.observe(listing);
    await readChanges(state, db);
  });
  return {
    // One reading after the other: an older one must not put back what a newer one has replaced.
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
  /** The log said that they have changed, or they were never read. */
  hasOldRates: boolean;
  readUpTo: number;
  readonly log: Logger;
}

async function readChanges(state: State, db: Database): Promise<void> {
  for (;;) {
    const changes = await listFilterChanges(db, {
      afterSequence: state.readUpTo,
      limit: CHANGES_BATCH_MAX,
    });
    for (const change of changes) {
      if (change.owner_kind === RATES) state.hasOldRates = true;
      else applyChange(state, change);
    }
    state.readUpTo = changes.at(-1)?.sequence ?? state.readUpTo;
    if (changes.length < CHANGES_BATCH_MAX) break;
  }
  // Behind the log, so that they are no older than what it said.
  if (state.hasOldRates) {
    state.rateOf = createRateTable(await listFxRates(db));
    state.hasOldRates = false;
  }
}

/** A filter that cannot be read is left out and told of; the others go on. */
function applyChange({ index, log }: State, change: FilterChange): void {
  const id = toId(change);
  if (change.filters === null) {
    index.remove(id);
    return;
  }
  try {
    const options = { readsDuplicates: change.reads_duplicates === true };
    index.save(id, joinFilters(change.filters.map((filter) => parseFilter(filter, options))));
  } catch (error) {
    index.remove(id);
    log.error({ err: error, filter: id }, "a saved filter cannot be read and matches nothing");
  }
}

function toId({ owner_kind, owner_id }: FilterOwner): string {
  return `${owner_kind}:${owner_id}`;
}

function toOwner(id: string): FilterOwner {
  const at = id.indexOf(":");
  return { owner_kind: id.slice(0, at), owner_id: id.slice(at + 1) };
}

/** Runs one piece of work after the other; one that fails does not stop those behind it. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run: (work: () => Promise<void>): Promise<void> => {
      const next = last.then(work);
      last = next.catch(() => undefined);
      return next;
    },
  };
}
