import type { OperationsReport, QuarantineEntry } from "../../../../client/assay-client.ts";
import { api } from "../../../api.ts";
import { Button } from "../../../parts/button.tsx";
import { CopyLine, ForEngineers } from "../../../parts/copy.tsx";
import { Age } from "../../../parts/figures.tsx";
import { Section } from "../../../parts/layout.tsx";
import { WhenLoaded } from "../../../parts/states.tsx";
import { type Column, Table } from "../../../parts/table.tsx";
import { usePages } from "../../../state/load.ts";
import { operationsWords } from "../../../words/operations.ts";
import { words } from "../../../words/words.ts";

const PAGE_ROWS = 20;

/** Events and items that could not be processed, with the reason. Read again when their number changes. */
export function QuarantineSection({
  quarantine: { event_count, item_count },
}: Pick<OperationsReport, "quarantine">) {
  const { load, more } = usePages([event_count, item_count], (cursor, options) =>
    api.listQuarantine({ limit: PAGE_ROWS, ...cursor }, options),
  );
  return (
    <Section title={operationsWords.quarantineTitle}>
      <WhenLoaded load={load} rows={2}>
        {({ items, next_cursor }) =>
          items.length === 0 ? (
            <p class="soft">{operationsWords.noQuarantine}</p>
          ) : (
            <>
              <Table
                caption={operationsWords.quarantineCaption}
                columns={COLUMNS}
                rows={items}
                keyOf={({ id }) => id}
              />
              {next_cursor === undefined ? null : <Button onPress={more}>{words.more}</Button>}
              <ForEngineers>
                <p class="sub">{operationsWords.quarantineHelp}</p>
                <CopyLine text={operationsWords.quarantineCommand} />
              </ForEngineers>
            </>
          )
        }
      </WhenLoaded>
    </Section>
  );
}

const COLUMNS: readonly Column<QuarantineEntry>[] = [
  { id: "id", title: operationsWords.entry, cell: ({ id }) => <code>{id}</code> },
  {
    id: "reason",
    title: operationsWords.reason,
    isWide: true,
    cell: ({ reason, step, origin, attempt_count }) => (
      <>
        <div class="wrap">{operationsWords.reasonOf(reason)}</div>
        <div class="sub facts">
          {origin === undefined ? null : <span>{origin}</span>}
          {step === undefined ? null : <span>{operationsWords.stepOf(step)}</span>}
          {attempt_count === undefined ? null : (
            <span>{operationsWords.attempts(attempt_count)}</span>
          )}
        </div>
      </>
    ),
  },
  {
    id: "since",
    title: operationsWords.since,
    isNumber: true,
    cell: ({ quarantined_at_ms }) => <Age atMs={quarantined_at_ms} />,
  },
];
