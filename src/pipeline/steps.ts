import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { DatabasePool } from "../db/database.ts";
import type { FilterIndex } from "../filters/filter-index.ts";
import type { Catalogue } from "../listings/extraction/catalogue/catalogue.ts";
import { canonicalizeEvents } from "../messages/canonicalize-events.ts";
import { mergeContacts } from "../messages/merge-contacts.ts";
import { type RefreshOptions, type RefreshReport, refreshCells } from "../pricing/refresh-cells.ts";

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
    name: "refresh cells",
    // A batch is one reading and one writing: 500 took two thirds of the time of 100, and holds its locks longer.
    batchMax: 300,
    run: (context, batchMax) => runRefresh(context, { batchMax }),
  },
];

/** The last step, which `assay refresh` runs by itself too. */
export function runRefresh(
  { pool, clock, log }: StepContext,
  options: Pick<RefreshOptions, "batchMax" | "configurationIds">,
): Promise<RefreshReport> {
  return refreshCells(pool, { ...options, clock, log });
}
