import type { OperationsReport } from "../../../client/assay-client.ts";
import { Section } from "../../parts/layout.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { formatAge } from "../../words/formats.ts";
import { operationsWords } from "../../words/operations.ts";

/** A step with what it did and what waits for it. */
interface FlowStep {
  readonly name: string;
  /** Undefined if the service does not count it. */
  readonly doneCount: number | undefined;
  /** Undefined if nothing can wait for it. */
  readonly waitingCount: number | undefined;
  readonly oldestMs: number | undefined;
}

/** The way of every message. The other steps are work beside it. */
const MAIN = ["canonicalize events", "extract listings", "match listings", "record matches"];
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

/** How many of each step, and what waits for it: the way of a message as a picture, and every step as a table. */
export function FlowSection({ report }: { readonly report: OperationsReport }) {
  const { main, all } = toFlow(report);
  return (
    <Section title={operationsWords.flow} note={operationsWords.flowNote}>
      <FlowChart steps={main} />
      <p class="sub">{operationsWords.flowHint}</p>
      <Table
        caption={operationsWords.flowCaption}
        columns={COLUMNS}
        rows={all}
        keyOf={({ name }) => name}
      />
    </Section>
  );
}

/** Steps and queues of the service as one list, in the order in which data passes through them. */
function toFlow({ steps, queues }: Pick<OperationsReport, "steps" | "queues">): {
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

/** The way from event to match as bars of one scale. Each bar has its number beside it; the table below has all steps. */
function FlowChart({ steps }: { readonly steps: readonly FlowStep[] }) {
  const most = Math.max(1, ...steps.map(({ doneCount = 0 }) => doneCount));
  return (
    <ol class="flow" aria-label={operationsWords.flow}>
      {steps.map(({ name, doneCount = 0 }) => (
        <li key={name}>
          <span>{operationsWords.stepOf(name)}</span>
          <b>{operationsWords.count(doneCount)}</b>
          <svg class="flow-bar" width="100%" height="10" aria-hidden="true">
            <rect class="flow-ground" width="100%" height="10" rx="2" />
            <rect
              class="flow-fill"
              width={`${Math.max(doneCount === 0 ? 0 : 0.4, (doneCount / most) * 100)}%`}
              height="10"
              rx="2"
            />
          </svg>
        </li>
      ))}
    </ol>
  );
}

function showWaiting(count: number | undefined): string {
  if (count === undefined) return "–";
  return count < DEPTH_MAX ? operationsWords.count(count) : operationsWords.atLeast(count);
}
