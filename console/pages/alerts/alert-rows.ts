/** The alerts with what they matched, as the list shows them. */
import type { Alert, AlertActivity } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";

export interface AlertRow {
  readonly alert: Alert;
  /** Absent for an alert that was just created. */
  readonly state: AlertActivity | undefined;
}

/** In the order of their names, so that a row stays where it is while matches arrive. */
export async function readAlertRows(signal: AbortSignal): Promise<readonly AlertRow[]> {
  const [alerts, states] = await Promise.all([
    api.listAlerts({}, { signal }),
    api.listAlertStates({}, { signal }),
  ]);
  const names = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  const stateOf = new Map(states.items.map((state) => [state.alert_id, state]));
  return alerts.items
    .map((alert) => ({ alert, state: stateOf.get(alert.id) }))
    .toSorted(({ alert: left }, { alert: right }) => names.compare(left.name, right.name));
}

export function withName(rows: readonly AlertRow[], text: string): readonly AlertRow[] {
  const words = text.toLowerCase().split(/\s+/);
  return rows.filter(({ alert }) => {
    const name = alert.name.toLowerCase();
    return words.every((word) => name.includes(word));
  });
}
