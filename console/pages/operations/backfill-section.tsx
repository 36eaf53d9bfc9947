import type { OperationsBackfill } from "../../../client/assay-client.ts";
import { Age } from "../../parts/figures.tsx";
import { Section } from "../../parts/layout.tsx";
import { type Column, Table, Tag } from "../../parts/table.tsx";
import { formatTime } from "../../words/formats.ts";
import { operationsWords } from "../../words/operations.ts";

/** Whether the messages that a session missed were fetched from the gateway. */
export function BackfillSection({
  backfills,
}: {
  readonly backfills: readonly OperationsBackfill[];
}) {
  return (
    <Section title={operationsWords.backfill}>
      {backfills.length === 0 ? (
        <p class="soft">{operationsWords.noBackfill}</p>
      ) : (
        <Table
          caption={operationsWords.backfillCaption}
          columns={COLUMNS}
          rows={backfills}
          keyOf={({ session_name }) => session_name}
        />
      )}
    </Section>
  );
}

const COLUMNS: readonly Column<OperationsBackfill>[] = [
  {
    id: "session",
    title: operationsWords.session,
    isWide: true,
    cell: ({ session_name, last_error }) => (
      <>
        <div class="cut">
          <bdi>{session_name}</bdi>
        </div>
        {last_error === undefined ? null : <div class="sub wrap">{last_error}</div>}
      </>
    ),
  },
  {
    id: "state",
    title: operationsWords.health,
    cell: (backfill) => <State {...backfill} />,
  },
  {
    id: "fetched",
    title: operationsWords.fetched,
    isNumber: true,
    cell: ({ fetched_at_ms }) =>
      fetched_at_ms === undefined ? operationsWords.notFetched : <Age atMs={fetched_at_ms} />,
  },
];

function State({ is_fine, failing_since_ms, failing_count, retry_at_ms }: OperationsBackfill) {
  if (is_fine) return <Tag tone="good">{operationsWords.complete}</Tag>;
  return (
    <>
      <Tag tone="warn">{operationsWords.failing}</Tag>
      <div class="sub facts">
        {failing_since_ms === undefined ? null : (
          <span>
            {operationsWords.failingSince} {formatTime(failing_since_ms)}
          </span>
        )}
        <span>{operationsWords.chats(failing_count)}</span>
        {retry_at_ms === undefined ? null : (
          <span>
            {operationsWords.nextTry} {formatTime(retry_at_ms)}
          </span>
        )}
      </div>
    </>
  );
}
