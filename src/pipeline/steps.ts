import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { DatabasePool } from "../db/database.ts";
import type { FilterIndex } from "../filters/index/filter-index.ts";
import { extractListings } from "../listings/extract-listings.ts";
import type { Catalogue } from "../listings/extraction/catalogue/catalogue.ts";
import { canonicalizeEvents } from "../messages/canonicalize-events.ts";
import { mergeContacts } from "../messages/contacts/merge-contacts.ts";
import { queueGroupMessages } from "../messages/groups/queue-group-messages.ts";
import type { RefreshReport } from "../pricing/cells/refresh-configurations.ts";
import { matchListings } from "./match-listings.ts";
import { type RefreshOptions, refreshCells } from "./refresh-cells.ts";
import { startRequestedReplay } from "./replay.ts";

export interface StepContext {
  readonly pool: DatabasePool;
  readonly clock: Clock;
  readonly log: Logger;
  /** A message that arrives later than this after it was sent fires no alerts. */
  readonly alertWindowMs: number;
  readonly catalogue: Catalogue;
  readonly index: FilterIndex;
}

/** One step of the pipeline: takes a batch and saves the results. Running it twice has the same effect as once. */
export interface Step {
  readonly name: string;
  readonly batchMax: number;
  run(context: StepContext, batchMax: number): Promise<{ readonly takenCount: number }>;
}

/** In the order in which data passes through them. */
export const STEPS: readonly Step[] = [
  {
    name: "start requested replay",
    batchMax: 1,
    run: (context) => startRequestedReplay(context),
  },
  {
    name: "canonicalize events",
    // Larger batches save little time and hold their locks longer.
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
  {
    name: "refresh cells",
    // Each batch is one read and one write. Batches of 500 took two thirds of the time of 100, but hold their locks longer.
    batchMax: 300,
    run: (context, batchMax) => runRefresh(context, { batchMax }),
  },
];

/** The last step. `assay refresh` also runs it on its own. */
export function runRefresh(
  { pool, clock, log, index }: StepContext,
  options: Pick<RefreshOptions, "batchMax" | "configurationIds">,
): Promise<RefreshReport> {
  return refreshCells(pool, { ...options, clock, log, index });
}
