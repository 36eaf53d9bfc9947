import type { WebhookTargetRow } from "../alerts/deliveries/webhook-target-store.ts";
import { isUuid } from "../base/ids.ts";
import { identify, madeIdOf } from "./identify.ts";
import type { Row } from "./parse-manifest.ts";
import { isHttpUrl, type Wanted } from "./plan-pricing.ts";
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
  const secrets = new Map(stored.map(({ id, secret }) => [id, secret]));
  return {
    wanted: identified.map(({ row, id }) => ({
      id,
      name: row.given.name,
      url: row.given.url,
      secret: row.given.secret ?? secrets.get(id) ?? "",
      alert_ids:
        row.given.alerts === undefined
          ? null
          : [...new Set(row.given.alerts.flatMap((name) => toAlertIds(alertIds, name)))].sort(),
      managed_by: row.managedBy,
    })),
    problems: [
      ...problems,
      ...identified
        .filter(({ row, id }) => row.given.secret === undefined && !secrets.has(id))
        .map(({ row }) => row.problemAt([], "secret is missing, and none is stored")),
      ...rows.flatMap((row) => [...checkTarget(row), ...checkAlerts(row, alertIds)]),
    ],
    notes: rows.flatMap((row) => findUnknownIds(row, alertIds)),
  };
}

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
const SECRET_BYTES = { min: 24, max: 64 };

/** The secret has the format of the Standard Webhooks specification. Problems never show it. */
function checkTarget(row: Row<"webhooks">): readonly Problem[] {
  const { url, secret } = row.given;
  const [, base64 = ""] = SECRET.exec(secret ?? "") ?? [];
  const { byteLength } = Buffer.from(base64, "base64");
  const isSecret = byteLength >= SECRET_BYTES.min && byteLength <= SECRET_BYTES.max;
  return [
    ...(isHttpUrl(url) ? [] : [row.problemAt(["url"], "must be an http or https address")]),
    ...(isSecret || secret === undefined
      ? []
      : [
          row.problemAt(
            ["secret"],
            "must be whsec_ and then 24 to 64 random bytes in base64, such as from: openssl rand -base64 32",
          ),
        ]),
  ];
}

function checkAlerts(row: Row<"webhooks">, alertIds: AlertIds): readonly Problem[] {
  return (row.given.alerts ?? []).flatMap((name, at) => {
    const count = find(alertIds, name).size;
    if (count === 1 || isUuid(name)) return [];
    const text =
      count > 1
        ? `${count} alerts have the name "${name}"; use an id or a configuration_key`
        : `there is no alert "${name}"`;
    return [withHint(row.problemAt(["alerts", at], text), count > 1 ? "" : name, alertIds)];
  });
}

/** An id may name an alert that does not exist: a target keeps the ids of deleted alerts. */
function findUnknownIds(row: Row<"webhooks">, alertIds: AlertIds): readonly Problem[] {
  return (row.given.alerts ?? []).flatMap((name, at) =>
    isUuid(name) && find(alertIds, name).size === 0
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
