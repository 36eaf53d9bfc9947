import { useMemo } from "preact/hooks";
import { Empty } from "../../parts/empty.tsx";
import { Table } from "../../parts/table.tsx";
import type { Load } from "../../state/load.ts";
import { canWrite } from "../../state/session.ts";
import { alertsWords } from "../../words/alerts.ts";
import { alertColumns } from "./alert-columns.tsx";
import { type AlertRow, withName } from "./alert-rows.ts";

/** The alerts of one kind: those of the reader, or those that Assay made for prices. */
export function AlertList(props: {
  readonly load: Load<readonly AlertRow[]>;
  readonly rows: readonly AlertRow[];
  readonly isOwn: boolean;
  readonly text: string;
  readonly onClear: () => void;
}) {
  const { load, rows, isOwn, text } = props;
  const columns = useMemo(
    () =>
      alertColumns((changed) =>
        load.change((all) => all.map((row) => (row.alert.id === changed.alert.id ? changed : row))),
      ),
    [load],
  );
  const shown = withName(rows, text);
  if (rows.length === 0) return isOwn ? <NoAlerts /> : <NoPrices />;
  if (shown.length === 0) {
    return (
      <Empty title={alertsWords.noneFound}>
        <button type="button" class="button" onClick={props.onClear}>
          {alertsWords.showAll}
        </button>
      </Empty>
    );
  }
  return (
    <div class={isOwn ? "" : "one-line"}>
      <Table
        caption={alertsWords.caption}
        columns={columns}
        rows={shown}
        keyOf={({ alert }) => alert.id}
      />
    </div>
  );
}

function NoAlerts() {
  return (
    <Empty title={alertsWords.none}>
      <p class="soft">{alertsWords.noneHint}</p>
      <div class="row">
        {canWrite.value ? (
          <a class="button main" href="/alerts/new">
            {alertsWords.create}
          </a>
        ) : null}
        <a class="button" href="/market">
          {alertsWords.toMarket}
        </a>
      </div>
    </Empty>
  );
}

function NoPrices() {
  return (
    <Empty title={alertsWords.nonePrices}>
      <p class="soft">{alertsWords.nonePricesHint}</p>
    </Empty>
  );
}
