import type { OperationsReport } from "../../../client/assay-client.ts";
import { formatAge } from "../../parts/format-age.ts";
import { Section } from "../../parts/section.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { operationsWords } from "../../words/operations.ts";
import { FlowChart } from "./flow-chart.tsx";
import { type FlowStep, toFlow } from "./to-flow.ts";

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

/** The service counts no further. */
const DEPTH_MAX = 100_000;

function showWaiting(count: number | undefined): string {
  if (count === undefined) return "–";
  return count < DEPTH_MAX ? operationsWords.count(count) : operationsWords.atLeast(count);
}
