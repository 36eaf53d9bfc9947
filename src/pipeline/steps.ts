import { matchListings } from "../alerts/match-listings.ts";
import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { DatabasePool } from "../db/database.ts";
import type { FilterIndex } from "../filters/filter-index.ts";
import { extractListings } from "../listings/extract-listings.ts";
import type { Catalogue } from "../listings/extraction/catalogue/catalogue.ts";
import { canonicalizeEvents } from "../messages/canonicalize-events.ts";
import { mergeContacts } from "../messages/merge-contacts.ts";
import { queueGroupMessages } from "../messages/queue-group-messages.ts";

export interface StepContext {
  readonly pool: DatabasePool;
  readonly clock: Clock;
  readonly log: Logger;
  /** A message that came later than this after it was sent fires no alerts. */
  readonly alertWindowMs: number;
  readonly catalogue: Catalogue;
  readonly index: FilterIndex;
}

/** One way that the data goes: takes a batch, saves what becomes of it, and can be run twice with the same effect. */
export interface Step {
  readonly name: string;
  readonly batchMax: number;
  run(context: StepContext, batchMax: number): Promise<{ readonly takenCount: number }>;
}

/** In the order of the data. */
export const STEPS: readonly Step[] = [
  {
    name: "canonicalize events",
    // Larger batches gain little and hold their locks longer.
    batchMax: 500,
    run: ({ pool, clock, alertWindowMs }, batchMax) =>
      canonicalizeEvents(pool, { batchMax, clock, alertWindowMs }),
  },
  {
    name: "merge contacts",
    batchMax: 500,
    run: ({ pool }, batchMax) => mergeContacts(pool, { batchMax }),
  },
  {
    name: "queue group messages",
    batchMax: 2_000,
    run: ({ pool }, batchMax) => queueGroupMessages(pool, { batchMax }),
  },
  {
    name: "extract listings",
    batchMax: 200,
    run: ({ pool, clock, log, catalogue }, batchMax) =>
      extractListings(pool, { batchMax, clock, log, catalogue }),
  },
  {
    name: "match listings",
    batchMax: 500,
    run: ({ pool, clock, index }, batchMax) => matchListings(pool, { batchMax, clock, index }),
  },
];
