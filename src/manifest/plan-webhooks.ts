import {
  findTargetProblems,
  keepSecret,
  toTargetAddress,
} from "../alerts/deliveries/target-kind.ts";
import type { WebhookTargetRow } from "../alerts/deliveries/webhook-target-store.ts";
import { isUuid } from "../base/ids.ts";
import { identify, madeIdOf } from "./identify.ts";
import type { Row } from "./parse-manifest.ts";
import type { Wanted } from "./plan-pricing.ts";
import { type Problem, withHint } from "./problem.ts";

type AlertIds = ReadonlyMap<string, ReadonlySet<string>>;

/** `alertIds` maps names, configuration keys and ids to the alerts as they will be stored. */
export function planWebhooks(
  rows: readonly Row<"webhooks">[],
  stored: readonly WebhookTargetRow[],
  alertIds: AlertIds,
): Wanted<WebhookTargetRow> {
  const { identified, problems } = identify(rows, {
    keyMember: "name",
    keyOf: ({ given }) => given.name,
    makeId: madeIdOf("webhook"),
    stored,
    storedKeyOf: ({ name }) => name,
  });
  const storedById = new Map(stored.map((target) => [target.id, target]));
  // The API always sends all members, so that it can remove a token.
  const keptOf = ({ managedBy }: Row<"webhooks">, id: string) =>
    managedBy === "manifest" ? storedById.get(id) : undefined;
  return {
    wanted: identified.map(({ row, id }) => ({
      id,
      name: row.given.name,
      ...keepSecret(toTargetAddress(row.given), keptOf(row, id)),
      quiet_hours: row.given.quiet_hours ?? null,
      alert_ids:
        row.given.alerts === undefined
          ? null
          : [...new Set(row.given.alerts.flatMap((name) => toAlertIds(alertIds, name)))].sort(),
      managed_by: row.managedBy,
    })),
    problems: [
      ...problems,
      ...identified.flatMap(({ row, id }) => checkTarget(row, keptOf(row, id))),
      ...rows.flatMap((row) => checkAlerts(row, alertIds)),
    ],
    notes: rows.flatMap((row) => findUnknownIds(row, alertIds)),
  };
}

/** Problems never show a secret. */
function checkTarget(
  row: Row<"webhooks">,
  stored: WebhookTargetRow | undefined,
): readonly Problem[] {
  return findTargetProblems(row.given, stored).map(({ path, text }) => row.problemAt(path, text));
}

function checkAlerts(row: Row<"webhooks">, alertIds: AlertIds): readonly Problem[] {
  return (row.given.alerts ?? []).flatMap((name, at) => {
    const count = find(alertIds, name).size;
    if (count === 1 || mayBeUnknown(row, name)) return [];
    const text =
      count > 1
        ? `${count} alerts have the name "${name}"; use an id or a configuration_key`
        : `there is no alert "${name}"`;
    return [withHint(row.problemAt(["alerts", at], text), count > 1 ? "" : name, alertIds)];
  });
}

/** A manifest that was exported may name an alert that does not exist: a target keeps the ids of deleted alerts. */
function mayBeUnknown({ managedBy }: Row<"webhooks">, name: string): boolean {
  return managedBy === "manifest" && isUuid(name);
}

function findUnknownIds(row: Row<"webhooks">, alertIds: AlertIds): readonly Problem[] {
  return (row.given.alerts ?? []).flatMap((name, at) =>
    mayBeUnknown(row, name) && find(alertIds, name).size === 0
      ? [row.problemAt(["alerts", at], "there is no alert with this id")]
      : [],
  );
}

function toAlertIds(alertIds: AlertIds, name: string): readonly string[] {
  const found = find(alertIds, name);
  return found.size === 0 && isUuid(name) ? [name.toLowerCase()] : [...found];
}

function find(alertIds: AlertIds, name: string): ReadonlySet<string> {
  return alertIds.get(isUuid(name) ? name.toLowerCase() : name) ?? new Set();
}
