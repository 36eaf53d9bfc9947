/** The plans of alerts, and of the webhooks that send their matches. */
import type { DeclaredAlert } from "../alerts/alert-write-store.ts";
import {
  completeAddress,
  findTargetProblems,
  keepSecret,
  toDeclaredAddress,
  toTargetAddress,
} from "../alerts/deliveries/target.ts";
import type { WebhookTargetRow } from "../alerts/deliveries/target-store.ts";
import { isUuid } from "../base/ids.ts";
import type { ViewRow } from "../filters/view-store.ts";
import type { DeclaredConfiguration } from "../pricing/configurations/configuration-write-store.ts";
import {
  checkFilters,
  type FilterFindings,
  listingOnlyMembers,
  toStorable,
} from "./declared-filters.ts";
import { type Identified, identifyByName, type Wanted } from "./identify.ts";
import type { Row } from "./parse-manifest.ts";
import { type Problem, withHint } from "./problem.ts";

interface AlertContext {
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
  const { identified, problems } = identifyByName(rows, "alert", context.stored);
  const lookUp = createLookUp(context);
  const foreign = identified
    .filter(({ id }) => context.foreignIds.has(id))
    .map(({ row }) => row.problemAt(["id"], "belongs to an alert that cannot be declared"));
  const findings = rows.flatMap((row) => [
    checkFilters(row, row.given.filters ?? {}, alertMembers(row.given.strategy)),
    checkConfigurations(row, lookUp),
  ]);
  return {
    wanted: identified.map((one) => toAlert(one, lookUp)),
    problems: [
      ...problems,
      ...foreign,
      ...findings.flatMap((found) => found.problems),
      ...rows.flatMap((row) => [...checkView(row, lookUp), ...checkResource(row, lookUp)]),
    ],
    notes: findings.flatMap((found) => found.notes),
  };
}

interface LookUp {
  readonly viewByName: ReadonlyMap<string, ViewRow>;
  readonly viewById: ReadonlyMap<string, ViewRow>;
  readonly configurationIdByKey: ReadonlyMap<string, string>;
  readonly configurationIds: ReadonlySet<string>;
  readonly storedById: ReadonlyMap<string, DeclaredAlert>;
}

function createLookUp({ stored, views, configurations }: AlertContext): LookUp {
  return {
    viewByName: new Map(views.map((view) => [view.name, view])),
    viewById: new Map(views.map((view) => [view.id, view])),
    configurationIdByKey: new Map(
      configurations.map(({ configuration_key, id }) => [configuration_key, id]),
    ),
    configurationIds: new Set(configurations.map(({ id }) => id)),
    storedById: new Map(stored.map((alert) => [alert.id, alert])),
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

/** An id may name a configuration that does not exist: a deleted one, which its key brings back. */
function checkConfigurations(row: Row<"alerts">, lookUp: LookUp): FilterFindings {
  const { configurations, strategy, filters = {} } = row.given;
  const ids: unknown = (filters as { configuration_ids?: unknown }).configuration_ids;
  const atIds = (at: readonly number[], text: string) =>
    row.problemAt(["filters", "configuration_ids", ...at], text);
  if (strategy !== "price_engine") {
    const text = 'works only with the strategy "price_engine"';
    const problems = [
      ...(configurations === undefined ? [] : [row.problemAt(["configurations"], text)]),
      ...(Object.hasOwn(filters, "configuration_ids") ? [atIds([], text)] : []),
    ];
    return { problems, notes: [] };
  }
  const unknownKeys = (configurations ?? []).flatMap((key, at) => {
    if (lookUp.configurationIdByKey.has(key)) return [];
    const problem = row.problemAt(["configurations", at], `there is no configuration "${key}"`);
    return [withHint(problem, key, lookUp.configurationIdByKey)];
  });
  if (ids !== undefined && ids !== null && !Array.isArray(ids)) {
    return { problems: [...unknownKeys, atIds([], "must be a list")], notes: [] };
  }
  const unknown = (ids ?? []).flatMap((id: unknown, at: number) => {
    const isKnown = typeof id === "string" && lookUp.configurationIds.has(id.toLowerCase());
    return isKnown ? [] : [{ id, finding: atIds([at], "there is no configuration with this id") }];
  });
  const isAllowed = ({ id }: { readonly id: unknown }) =>
    typeof id === "string" &&
    isUuid(id) &&
    mayConfigurationBeUnknown(row, id.toLowerCase(), lookUp);
  return {
    problems: [
      ...unknownKeys,
      ...unknown.filter((one) => !isAllowed(one)).map((one) => one.finding),
    ],
    notes: unknown.filter(isAllowed).map((one) => one.finding),
  };
}

/** A manifest that was exported may name a deleted configuration. Through the API an alert only keeps such an id. */
function mayConfigurationBeUnknown(
  { managedBy, given }: Row<"alerts">,
  id: string,
  lookUp: LookUp,
): boolean {
  if (managedBy === "manifest") return true;
  const ids = lookUp.storedById.get(given.id?.toLowerCase() ?? "")?.filters["configuration_ids"];
  return Array.isArray(ids) && ids.includes(id);
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

type AlertIds = ReadonlyMap<string, ReadonlySet<string>>;

/** `alertIds` maps names, configuration keys and ids to the alerts as they will be stored. */
export function planWebhooks(
  rows: readonly Row<"webhooks">[],
  stored: readonly WebhookTargetRow[],
  alertIds: AlertIds,
): Wanted<WebhookTargetRow> {
  const { identified: named, problems } = identifyByName(rows, "webhook", stored);
  const storedById = new Map(stored.map((target) => [target.id, target]));
  // The API always sends all members, so that it can remove a token.
  const keptOf = ({ managedBy }: Row<"webhooks">, id: string) =>
    managedBy === "manifest" ? storedById.get(id) : undefined;
  const identified = named.map(({ row, id }) => {
    const known = storedById.get(id);
    if (known === undefined) return { row, id };
    return { row: { ...row, given: completeAddress(row.given, toDeclaredAddress(known)) }, id };
  });
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
    const count = findAlertIds(alertIds, name).size;
    if (count === 1 || mayAlertBeUnknown(row, name)) return [];
    const text =
      count > 1
        ? `${count} alerts have the name "${name}"; use an id or a configuration_key`
        : `there is no alert "${name}"`;
    return [withHint(row.problemAt(["alerts", at], text), count > 1 ? "" : name, alertIds)];
  });
}

/** A manifest that was exported may name an alert that does not exist: a target keeps the ids of deleted alerts. */
function mayAlertBeUnknown({ managedBy }: Row<"webhooks">, name: string): boolean {
  return managedBy === "manifest" && isUuid(name);
}

function findUnknownIds(row: Row<"webhooks">, alertIds: AlertIds): readonly Problem[] {
  return (row.given.alerts ?? []).flatMap((name, at) =>
    mayAlertBeUnknown(row, name) && findAlertIds(alertIds, name).size === 0
      ? [row.problemAt(["alerts", at], "there is no alert with this id")]
      : [],
  );
}

function toAlertIds(alertIds: AlertIds, name: string): readonly string[] {
  const found = findAlertIds(alertIds, name);
  return found.size === 0 && isUuid(name) ? [name.toLowerCase()] : [...found];
}

function findAlertIds(alertIds: AlertIds, name: string): ReadonlySet<string> {
  return alertIds.get(isUuid(name) ? name.toLowerCase() : name) ?? new Set();
}
