import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { DatabasePool } from "../db/database.ts";
import type { Lane, Queue } from "../db/queue.ts";
import type { Catalogue } from "../extraction/catalogue/catalogue.ts";
import type { FilterIndex } from "../filters/index/filter-index.ts";

export interface StepContext {
  readonly pool: DatabasePool;
  readonly clock: Clock;
  readonly log: Logger;
  /** A message that arrives later than this after it was sent fires no alerts. */
  readonly alertWindowMs: number;
  readonly catalogue: Catalogue;
  readonly index: FilterIndex;
}

export interface StepReport {
  readonly takenCount: number;
}

/** What a step takes at once. */
export interface Batch {
  readonly batchMax: number;
  readonly lane?: Lane;
}

/** Steps of one track run one after another, tracks side by side. */
export type TrackName = "messages" | "listings" | "matches" | "prices";

/** One step of the pipeline: takes a batch and saves the results. Running it twice has the same effect as once. */
export interface Step {
  readonly name: string;
  readonly track: TrackName;
  readonly batchMax: number;
  /** While work piles up, it rests after each batch, because the same items are queued again with every message. */
  readonly rests?: boolean;
  /** True if its queue has lanes. The queues of the other steps hold nothing that a match waits for. */
  readonly hasLanes: boolean;
  /** Without a lane it takes items of both. */
  run(context: StepContext, batch: Batch): Promise<StepReport>;
  /** How far its queue has come. Items that are being processed count as queued. */
  readonly waiting: Pick<Queue, "last" | "isUpTo">;
  /** Absent if the step itself stores which of its items failed. */
  readonly queue?: ItemQueue;
}

/** The queue of a step, item by item. */
export interface ItemQueue extends Pick<Queue, "list" | "remove" | "restore"> {
  /** Processes only this item. */
  run(context: StepContext, key: string): Promise<StepReport>;
}
