import { isDeepStrictEqual } from "node:util";
import {
  deleteAlerts,
  renewAlertsOfViews,
  saveDeclaredAlerts,
  saveSystemAlerts,
} from "../alerts/declared-alert-store.ts";
import {
  deleteWebhookTargets,
  saveWebhookTargets,
} from "../alerts/deliveries/webhook-target-store.ts";
import { switchSystemAlerts } from "../alerts/system-alert-store.ts";
import type { Database } from "../db/database.ts";
import {
  deleteSavedFilters,
  type FilterOwner,
  listOwnersByGroupName,
  type SavedFilter,
  saveSavedFilters,
} from "../filters/saved-filter-store.ts";
import { deleteViews, saveViews, type ViewRow } from "../filters/view-store.ts";
import { rebuildMembers } from "../matching/rebuild-members.ts";
import { queueRefreshes, removeRefreshes } from "../matching/refresh-queue-store.ts";
import { saveDeclaredGroups } from "../messages/groups/declared-group-store.ts";
import { queueGroups } from "../messages/groups/group-store.ts";
import { saveDeclaredSessions } from "../messages/sessions/declared-session-store.ts";
import { deleteGroupPresets, saveGroupPresets } from "../outbound/group-preset-store.ts";
import { changeRates } from "../pipeline/change-rates.ts";
import { queueAllRefreshes } from "../pricing/cells/refresh-schedule-store.ts";
import {
  type DeclaredConfiguration,
  saveDeclaredConfigurations,
  touchConfigurationsOf,
} from "../pricing/configurations/declared-configuration-store.ts";
import { deleteConfigurations } from "../pricing/configurations/deleted-configuration-store.ts";
import {
  deleteProfiles,
  type ProfileRow,
  saveProfiles,
} from "../pricing/configurations/profile-store.ts";
import type { ChangedFxRate } from "../rates/fx-store.ts";
import { savedRows } from "./identify.ts";
import type { Plan } from "./plan.ts";
import { undeclaredGroup, undeclaredSession } from "./plan-places.ts";
import { alertFilter, configurationFilter, ownersOf, viewFilter } from "./saved-filters.ts";

export interface SaveOptions {
  readonly nowMs: number;
  /** Called with the number of configurations whose members were rebuilt. */
  readonly onProgress?: (count: number) => void;
}

/** Saves a plan and everything that depends on it. Returns the changed rates. The caller must hold the pipeline lock. */
export async function savePlan(
  tx: Database,
  plan: Plan,
  options: SaveOptions,
): Promise<readonly ChangedFxRate[]> {
  const { nowMs } = options;
  await saveMarket(tx, plan, nowMs);
  await saveMatcherFilters(tx, plan);
  const rates = await savePlaces(tx, plan, nowMs);
  const renamed = changedBy(plan.groups, ({ name }) => name);
  const owners = renamed.length > 0 ? await listOwnersByGroupName(tx) : [];
  const rebuilt = listConfigurationsToRebuild(plan, owners);
  await rebuildMembers(tx, rebuilt, options.onProgress);
  const profileIds = plan.profiles.changed
    .filter(({ before, after }) => !isDeepStrictEqual(rulesOf(before), rulesOf(after)))
    .map(({ after }) => after.id);
  const touched = await touchConfigurationsOf(tx, profileIds, nowMs);
  const saved = savedRows(plan.configurations).map(({ id }) => id);
  const pruned = new Set(idsOf(plan.configurations.pruned));
  const isKept = (id: string) => !pruned.has(id);
  if (rebuilt === "all") await queueAllRefreshes(tx, nowMs);
  else await queueRefreshes(tx, [...rebuilt.filter(isKept), ...touched, ...saved], nowMs);
  return rates;
}

async function saveMarket(tx: Database, plan: Plan, nowMs: number): Promise<void> {
  const { profiles, views, configurations, alerts, webhooks } = plan;
  const savedConfigurations = savedRows(configurations);
  await saveProfiles(tx, savedRows(profiles), nowMs);
  await saveViews(tx, savedRows(views), nowMs);
  await saveDeclaredConfigurations(tx, savedConfigurations, nowMs);
  await saveSystemAlerts(tx, savedConfigurations.map(toSystemAlert), nowMs);
  // Those of revived configurations were disabled.
  const created = { configurationIds: idsOf(configurations.created), isEnabled: true };
  await switchSystemAlerts(tx, created, nowMs);
  await saveDeclaredAlerts(tx, savedRows(alerts), nowMs);
  await saveWebhookTargets(tx, savedRows(webhooks), nowMs);
  // Deletes rows before the rows that they refer to.
  await deleteWebhookTargets(tx, idsOf(webhooks.pruned));
  await deleteAlerts(tx, idsOf(alerts.pruned));
  await removeConfigurations(tx, idsOf(configurations.pruned), nowMs);
  await deleteViews(tx, idsOf(views.pruned));
  await deleteProfiles(tx, idsOf(profiles.pruned));
}

/** Their members are removed when they are selected again, because they have no saved filter any more. */
async function removeConfigurations(
  tx: Database,
  ids: readonly string[],
  nowMs: number,
): Promise<void> {
  await deleteConfigurations(tx, ids, nowMs);
  await switchSystemAlerts(tx, { configurationIds: ids, isEnabled: false }, nowMs);
  await removeRefreshes(tx, ids);
}

function toSystemAlert({ id, label, configuration_key }: DeclaredConfiguration) {
  return { name: label ?? configuration_key, configuration_id: id };
}

/** Saves the filters of changed items, and of alerts whose view changed. */
async function saveMatcherFilters(tx: Database, plan: Plan): Promise<void> {
  const { views, configurations, alerts } = plan;
  const viewById = new Map(views.after.map((view) => [view.id, view]));
  const changedViewIds = new Set(idsOf(changedBy(views, ({ filters }) => filters)));
  const savedAlertIds = new Set(idsOf(savedRows(alerts)));
  const touchedAlerts = alerts.after.filter(
    ({ id, view_id }) => savedAlertIds.has(id) || changedViewIds.has(view_id ?? ""),
  );
  const wanted: readonly SavedFilter[] = [
    ...savedRows(configurations).map(configurationFilter),
    ...savedRows(views).flatMap((view) => viewFilter(view) ?? []),
    ...touchedAlerts.flatMap((alert) => alertFilter(alert, viewById) ?? []),
  ];
  const kept = new Set(wanted.map(keyOf));
  const possible: readonly FilterOwner[] = [
    ...ownersOf("configuration", idsOf(configurations.pruned)),
    ...ownersOf("view", [...idsOf(savedRows(views)), ...idsOf(views.pruned)]),
    ...ownersOf("alert", [...idsOf(touchedAlerts), ...idsOf(alerts.pruned)]),
  ];
  if (changedViewIds.size > 0) await renewAlertsOfViews(tx, [...changedViewIds]);
  await saveSavedFilters(tx, wanted);
  await deleteSavedFilters(
    tx,
    possible.filter((owner) => !kept.has(keyOf(owner))),
  );
}

async function savePlaces(
  tx: Database,
  plan: Plan,
  nowMs: number,
): Promise<readonly ChangedFxRate[]> {
  const { sessions, groups, presets } = plan;
  await saveDeclaredSessions(tx, [
    ...savedRows(sessions),
    ...sessions.pruned.map(undeclaredSession),
  ]);
  await saveDeclaredGroups(tx, [...savedRows(groups), ...groups.pruned.map(undeclaredGroup)]);
  const read = changedBy(groups, ({ default_currency, name }) => `${default_currency} ${name}`);
  await queueGroups(tx, idsOf(read));
  await saveGroupPresets(tx, savedRows(presets), nowMs);
  await deleteGroupPresets(tx, idsOf(presets.pruned));
  return changeRates(tx, plan.fxRates);
}

/** Returns the configurations whose members may have changed. */
function listConfigurationsToRebuild(
  plan: Plan,
  byGroupName: readonly FilterOwner[],
): readonly string[] | "all" {
  const isSource = ({ source_market }: ViewRow) => source_market !== null;
  const reads = ({ filters, source_market }: ViewRow) => ({ filters, source_market });
  const sources = plan.views.changed.filter(
    ({ before, after }) =>
      (isSource(before) || isSource(after)) && !isDeepStrictEqual(reads(before), reads(after)),
  );
  const isMarketChanged =
    sources.length > 0 ||
    [...plan.views.created, ...plan.views.pruned].some(isSource) ||
    byGroupName.some(({ owner_kind }) => owner_kind.startsWith("view_"));
  if (isMarketChanged) return "all";
  const changed = changedBy(plan.configurations, (one) => configurationFilter(one).filters);
  const byName = byGroupName.filter(({ owner_kind }) => owner_kind === "configuration");
  const ids = new Set([...idsOf(changed), ...byName.map(({ owner_id }) => owner_id)]);
  return [...ids].sort();
}

/** Returns the members of a profile that affect calculations. */
function rulesOf({ name: _, ...rules }: ProfileRow): Omit<ProfileRow, "name"> {
  return rules;
}

/** Returns the rows whose value of `read` changed, appeared or disappeared. */
function changedBy<Stored>(
  difference: {
    readonly created: readonly Stored[];
    readonly changed: readonly { readonly before: Stored; readonly after: Stored }[];
    readonly pruned: readonly Stored[];
  },
  read: (row: Stored) => unknown,
): readonly Stored[] {
  const changed = difference.changed
    .filter(({ before, after }) => !isDeepStrictEqual(read(before), read(after)))
    .map(({ after }) => after);
  const others = [...difference.created, ...difference.pruned];
  return [...changed, ...others.filter((row) => read(row) !== null)];
}

function idsOf(rows: readonly { readonly id: string }[]): readonly string[] {
  return rows.map(({ id }) => id);
}

function keyOf({ owner_kind, owner_id }: FilterOwner): string {
  return `${owner_kind}:${owner_id}`;
}
