import { findTargetProblems, toTargetAddress } from "../alerts/deliveries/target-kind.ts";
import type { WebhookTargetRow } from "../alerts/deliveries/webhook-target-store.ts";
import { isUuid } from "../base/ids.ts";
import { identify, madeIdOf } from "./identify.ts";
import type { Row } from "./parse-manifest.ts";
import type { Wanted } from "./plan-pricing.ts";
import { type Problem, withHint } from "./problem.ts";

/** `alertIds` maps names, configuration keys and ids to the alerts as they will be stored. */
export function planWebhooks(
  rows: readonly Row<"webhooks">[],
  stored: readonly WebhookTargetRow[],
  alertIds: ReadonlyMap<string, ReadonlySet<string>>,
): Wanted<WebhookTargetRow> {
  const { identified, problems } = identify(rows, {
    keyMember: "name",
    keyOf: ({ given }) => given.name,
    makeId: madeIdOf("webhook"),
    stored,
    storedKeyOf: ({ name }) => name,
  });
  return {
    wanted: identified.map(({ row, id }) => ({
      id,
      name: row.given.name,
      ...toTargetAddress(row.given),
      quiet_hours: row.given.quiet_hours ?? null,
      alert_ids:
        row.given.alerts === undefined
          ? null
          : [...new Set(row.given.alerts.flatMap((name) => [...find(alertIds, name)]))].sort(),
      managed_by: row.managedBy,
    })),
    problems: [
      ...problems,
      ...rows.flatMap((row) => [...checkTarget(row), ...checkAlerts(row, alertIds)]),
    ],
    notes: [],
  };
}

function checkTarget(row: Row<"webhooks">): readonly Problem[] {
  return findTargetProblems(row.given).map(({ path, text }) => row.problemAt(path, text));
}

function checkAlerts(
  row: Row<"webhooks">,
  alertIds: ReadonlyMap<string, ReadonlySet<string>>,
): readonly Problem[] {
  return (row.given.alerts ?? []).flatMap((name, at) => {
    const count = find(alertIds, name).size;
    if (count === 1) return [];
    const text =
      count > 1
        ? `${count} alerts have the name "${name}"; use an id or a configuration_key`
        : `there is no alert "${name}"`;
    return [withHint(row.problemAt(["alerts", at], text), count > 1 ? "" : name, alertIds)];
  });
}

function find(
  alertIds: ReadonlyMap<string, ReadonlySet<string>>,
  name: string,
): ReadonlySet<string> {
  return alertIds.get(isUuid(name) ? name.toLowerCase() : name) ?? new Set();
}
