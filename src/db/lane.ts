import { type Sql, sql } from "./sql.ts";

/**
 * Queues have two lanes. What the gateway sends now is fresh; imports, replays, re-extractions and everything else that can
 * wait are the backlog. A worker takes fresh items first, so a buy is not behind a hundred thousand old messages.
 *
 * Invariant: what a step queues while it works on fresh items is fresh too (`beginStep`, and `is_fresh_work()` in the
 * schema). A row that is queued in both lanes is fresh.
 */
export type Lane = "fresh" | "backlog";

/** The rows of a queue that belong to the lane; without a lane, all of them. */
export function isInLane(lane: Lane | undefined): Sql {
  if (lane === undefined) return sql`true`;
  return lane === "fresh" ? sql`is_fresh` : sql`not is_fresh`;
}
