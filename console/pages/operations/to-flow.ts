import type { OperationsReport } from "../../../client/assay-client.ts";

/** A step with what it did and what waits for it. */
export interface FlowStep {
  readonly name: string;
  /** Undefined if the service does not count it. */
  readonly doneCount: number | undefined;
  /** Undefined if nothing can wait for it. */
  readonly waitingCount: number | undefined;
  readonly oldestMs: number | undefined;
}

/** The way of every message. The other steps are work beside it. */
const MAIN = ["canonicalize events", "extract listings", "match listings", "record matches"];

/** Steps and queues of the service as one list, in the order in which data passes through them. */
export function toFlow({ steps, queues }: Pick<OperationsReport, "steps" | "queues">): {
  readonly main: readonly FlowStep[];
  readonly all: readonly FlowStep[];
} {
  const names = new Set([...steps, ...queues].map(({ step }) => step));
  const all = [...names].map((name) => {
    const queue = queues.find(({ step }) => step === name);
    return {
      name,
      doneCount: steps.find(({ step }) => step === name)?.item_count,
      waitingCount: queue?.depth,
      oldestMs: queue?.oldest_age_ms,
    };
  });
  return { main: all.filter(({ name }) => MAIN.includes(name)), all };
}
