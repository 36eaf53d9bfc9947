import type { DeclaredAlert } from "../alerts/declared-alert-store.ts";
import type { WebhookTargetRow } from "../alerts/deliveries/webhook-target-store.ts";
import { isUuid } from "../base/ids.ts";
import type { ViewRow } from "../filters/view-store.ts";
import type { DeclaredConfiguration } from "../pricing/configurations/declared-configuration-store.ts";
import { checkFilters, listingOnlyMembers } from "./check-filters.ts";
import { type Identified, identify, madeIdOf } from "./identify.ts";
import type { Row } from "./parse-manifest.ts";
import { isHttpUrl, toStorable, type Wanted } from "./plan-pricing.ts";
import { type Problem, withHint } from "./problem.ts";

export interface AlertContext {
  readonly stored: readonly DeclaredAlert[];
  /** Ids of alerts that a manifest cannot declare, such as system alerts. */
  readonly foreignIds: ReadonlySet<string>;
  readonly views: readonly ViewRow[];
  readonly configurations: readonly DeclaredConfiguration[];
}

export function planAlerts(
  rows: readonly Row<"alerts">[],
  context: AlertContext,
): Wanted<DeclaredAlert> {
  const { identified, problems } = identify(rows, {
    keyMember: "name",
    keyOf: ({ given }) => given.name,
    makeId: madeIdOf("alert"),
    stored: context.stored,
    storedKeyOf: ({ name }) => name,
  });
  const lookUp = createLookUp(context);
  const foreign = identified
    .filter(({ id }) => context.foreignIds.has(id))
    .map(({ row }) => row.problemAt(["id"], "belongs to an alert that cannot be declared"));
  const findings = rows.map((row) =>
    checkFilters(row, row.given.filters ?? {}, alertMembers(row.given.strategy)),
  );
  return {
    wanted: identified.map((one) => toAlert(one, lookUp)),
    problems: [
      ...problems,
      ...foreign,
      ...findings.flatMap((found) => found.problems),
      ...rows.flatMap((row) => [
        ...checkView(row, lookUp),
        ...checkConfigurations(row, lookUp),
        ...checkResource(row, lookUp),
      ]),
    ],
    notes: findings.flatMap((found) => found.notes),
  };
}

interface LookUp {
  readonly viewByName: ReadonlyMap<string, ViewRow>;
  readonly viewById: ReadonlyMap<string, ViewRow>;
  readonly configurationIdByKey: ReadonlyMap<string, string>;
  readonly configurationIds: ReadonlySet<string>;
}

function createLookUp({ views, configurations }: AlertContext): LookUp {
  return {
    viewByName: new Map(views.map((view) => [view.name, view])),
    viewById: new Map(views.map((view) => [view.id, view])),
    configurationIdByKey: new Map(
      configurations.map(({ configuration_key, id }) => [configuration_key, id]),
    ),
    configurationIds: new Set(configurations.map(({ id }) => id)),
  };
}

/** Members that only the filters of an alert may have. */
function alertMembers(strategy: DeclaredAlert["strategy"] | undefined): readonly string[] {
  return strategy === "price_engine" ? ["resource", "configuration_ids"] : ["resource"];
}

function checkView(row: Row<"alerts">, { viewByName, viewById }: LookUp): readonly Problem[] {
  const { view, view_id } = row.given;
  if (view !== undefined && view_id !== undefined) {
    return [row.problemAt(["view_id"], "declare either view or view_id, not both")];
  }
  if (view !== undefined && !viewByName.has(view)) {
    const problem = row.problemAt(["view"], `there is no view "${view}"`);
    return [withHint(problem, view, viewByName)];
  }
  if (view_id !== undefined && !viewById.has(view_id.toLowerCase())) {
    return [row.problemAt(["view_id"], "there is no view with this id")];
  }
  return [];
}

function checkConfigurations(row: Row<"alerts">, lookUp: LookUp): readonly Problem[] {
  const { configurations, strategy, filters = {} } = row.given;
  if (strategy !== "price_engine") {
    const text = 'works only with the strategy "price_engine"';
    return [
      ...(configurations === undefined ? [] : [row.problemAt(["configurations"], text)]),
      ...(Object.hasOwn(filters, "configuration_ids")
        ? [row.problemAt(["filters", "configuration_ids"], text)]
        : []),
    ];
  }
  const unknownKeys = (configurations ?? []).flatMap((key, at) => {
    if (lookUp.configurationIdByKey.has(key)) return [];
    const problem = row.problemAt(["configurations", at], `there is no configuration "${key}"`);
    return [withHint(problem, key, lookUp.configurationIdByKey)];
  });
  const ids: unknown = (filters as { configuration_ids?: unknown }).configuration_ids ?? [];
  if (!Array.isArray(ids)) {
    return [...unknownKeys, row.problemAt(["filters", "configuration_ids"], "must be a list")];
  }
  const unknownIds = ids.flatMap((id: unknown, at) => {
    const isKnown = typeof id === "string" && lookUp.configurationIds.has(id.toLowerCase());
    if (isKnown) return [];
    return [
      row.problemAt(["filters", "configuration_ids", at], "there is no configuration with this id"),
    ];
  });
  return [...unknownKeys, ...unknownIds];
}

/** Alerts on messages may use only members that apply to messages, in their own filters and in those of their view. */
function checkResource(row: Row<"alerts">, lookUp: LookUp): readonly Problem[] {
  const filters = (row.given.filters ?? {}) as { readonly resource?: unknown };
  const { resource } = filters;
  if (resource === undefined || resource === "watch_listings") return [];
  if (resource !== "messages") {
    return [row.problemAt(["filters", "resource"], "must be one of watch_listings, messages")];
  }
  if (row.given.strategy === "price_engine") {
    return [
      row.problemAt(["filters", "resource"], "must be watch_listings for a price_engine alert"),
    ];
  }
  const view = findView(row, lookUp);
  return [
    ...listingOnlyMembers(filters).map((member) =>
      row.problemAt(["filters", member], "does not apply to messages"),
    ),
    ...(view === undefined ? [] : listingOnlyMembers(view.filters)).map((member) =>
      row.problemAt(["view"], `the view uses ${member}, which does not apply to messages`),
    ),
  ];
}

function findView(row: Row<"alerts">, { viewByName, viewById }: LookUp): ViewRow | undefined {
  const { view, view_id } = row.given;
  return view === undefined ? viewById.get(view_id?.toLowerCase() ?? "") : viewByName.get(view);
}

function toAlert({ row, id }: Identified<"alerts">, lookUp: LookUp): DeclaredAlert {
  const { given } = row;
  return {
    id,
    name: given.name,
    is_enabled: given.enabled ?? true,
    filters: toAlertFilters(row, lookUp),
    strategy: given.strategy ?? "market_filter",
    view_id: findView(row, lookUp)?.id ?? null,
    created_by: given.created_by ?? "apply",
    updated_by: given.updated_by ?? "apply",
    managed_by: row.managedBy,
  };
}

/** Replaces the keys of configurations with their ids, as the API shows them. */
function toAlertFilters({ given }: Row<"alerts">, lookUp: LookUp) {
  const filters = toStorable(given.filters ?? {});
  if (given.configurations === undefined) return filters;
  const named = given.configurations.flatMap((key) => lookUp.configurationIdByKey.get(key) ?? []);
  const ids = filters["configuration_ids"];
  const all = [...(Array.isArray(ids) ? ids.map(String) : []), ...named];
  return { ...filters, configuration_ids: [...new Set(all)].sort() };
}

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
      url: row.given.url,
      secret: row.given.secret,
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

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
const SECRET_BYTES = { min: 24, max: 64 };

/** The secret has the format of the Standard Webhooks specification. Problems never show it. */
function checkTarget(row: Row<"webhooks">): readonly Problem[] {
  const { url, secret } = row.given;
  const [, base64 = ""] = SECRET.exec(secret) ?? [];
  const { byteLength } = Buffer.from(base64, "base64");
  const isSecret = byteLength >= SECRET_BYTES.min && byteLength <= SECRET_BYTES.max;
  return [
    ...(isHttpUrl(url) ? [] : [row.problemAt(["url"], "must be an http or https address")]),
    ...(isSecret
      ? []
      : [
          row.problemAt(
            ["secret"],
            "must be whsec_ and then 24 to 64 random bytes in base64, such as from: openssl rand -base64 32",
          ),
        ]),
  ];
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
