import { useMemo } from "preact/hooks";
import type { WebhookTarget } from "../../../client/assay-client.ts";
import { Empty } from "../../parts/states.tsx";
import { moveRowFocus, Table } from "../../parts/table.tsx";
import { navigate } from "../../router.ts";
import { useCommands, useKeys } from "../../state/commands.ts";
import type { Load } from "../../state/load.ts";
import { canWrite } from "../../state/session.ts";
import { alertsWords } from "../../words/alerts.ts";
import { type AlertRow, alertColumns, withName } from "./alert-rows.tsx";

const LINKS = "tbody a.alert-name";

/** The alerts of one kind: those of the reader, or those that Assay made for prices. */
export function AlertList(props: {
  readonly load: Load<readonly AlertRow[]>;
  readonly rows: readonly AlertRow[];
  readonly isOwn: boolean;
  readonly text: string;
  /** Undefined while they are read. */
  readonly targets: readonly WebhookTarget[] | undefined;
  readonly onClear: () => void;
}) {
  const { load, rows, isOwn, text, targets } = props;
  const columns = useMemo(
    () =>
      alertColumns(
        (changed) =>
          load.change((all) =>
            all.map((row) => (row.alert.id === changed.alert.id ? changed : row)),
          ),
        targets,
      ),
    [load, targets],
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

/** The keys of the list. The row with the focus is the chosen one, so Enter opens it as the link that it is. */
export function useAlertsKeys(): void {
  const mayWrite = canWrite.value;
  const create = useMemo(
    () => ({ key: "n", label: alertsWords.create, run: () => navigate("/alerts/new") }),
    [],
  );
  useKeys(
    useMemo(
      () => [
        { key: "j", label: alertsWords.next, run: () => moveRowFocus(LINKS, 1) },
        { key: "k", label: alertsWords.previous, run: () => moveRowFocus(LINKS, -1) },
        { key: "Enter", label: alertsWords.open, run: () => moveRowFocus(LINKS, 1) },
        ...(mayWrite ? [create] : []),
      ],
      [mayWrite],
    ),
  );
  useCommands(
    useMemo(
      () => [{ id: "alerts-new", title: alertsWords.create, run: create.run, isWrite: true }],
      [],
    ),
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
