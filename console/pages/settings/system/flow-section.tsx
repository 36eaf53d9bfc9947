import type { OperationsReport } from "../../../../client/assay-client.ts";
import { Section } from "../../../parts/layout.tsx";
import { type Column, Table } from "../../../parts/table.tsx";
import { formatAge } from "../../../words/formats.ts";
import { operationsWords } from "../../../words/operations.ts";

/** A step with what it did and what waits for it. */
interface FlowStep {
  readonly name: string;
  /** Undefined if the service does not count it. */
  readonly doneCount: number | undefined;
  /** Undefined if nothing can wait for it. */
  readonly waitingCount: number | undefined;
  readonly oldestMs: number | undefined;
}

/** The service counts no further. */
const DEPTH_MAX = 100_000;

const COLUMNS: readonly Column<FlowStep>[] = [
  {
    id: "step",
    title: operationsWords.step,
    isWide: true,
    cell: ({ name }) => operationsWords.stepOf(name),
  },
  {
    id: "done",
    title: operationsWords.done,
    isNumber: true,
    cell: ({ doneCount }) => (doneCount === undefined ? "–" : operationsWords.count(doneCount)),
  },
  {
    id: "queue",
    title: operationsWords.queue,
    isNumber: true,
    cell: ({ waitingCount }) => showWaiting(waitingCount),
  },
  {
    id: "oldest",
    title: operationsWords.oldest,
    isNumber: true,
    cell: ({ oldestMs }) => (oldestMs === undefined ? "–" : formatAge(oldestMs)),
  },
];

/** How many of each step, and what waits for it. They count different things, so nothing is drawn to one scale. */
export function FlowSection({ report }: { readonly report: OperationsReport }) {
  return (
    <Section title={operationsWords.flow} note={operationsWords.flowNote}>
      <p class="sub">{operationsWords.flowHint}</p>
      <Table
        caption={operationsWords.flowCaption}
        columns={COLUMNS}
        rows={toFlow(report)}
        keyOf={({ name }) => name}
      />
    </Section>
  );
}

/** Steps and queues of the service as one list, in the order in which data passes through them. */
function toFlow({
  steps,
  queues,
}: Pick<OperationsReport, "steps" | "queues">): readonly FlowStep[] {
  const names = new Set([...steps, ...queues].map(({ step }) => step));
  return [...names].map((name) => {
    const queue = queues.find(({ step }) => step === name);
    return {
      name,
      doneCount: steps.find(({ step }) => step === name)?.item_count,
      waitingCount: queue?.depth,
      oldestMs: queue?.oldest_age_ms,
    };
  });
}

function showWaiting(count: number | undefined): string {
  if (count === undefined) return "–";
  return count < DEPTH_MAX ? operationsWords.count(count) : operationsWords.atLeast(count);
}
