import { isDeepStrictEqual } from "node:util";
import {
  deleteAlerts,
  renewAlertsOfViews,
  saveDeclaredAlerts,
  saveSystemAlerts,
  switchSystemAlerts,
} from "../alerts/alert-write-store.ts";
import { deleteWebhookTargets, saveWebhookTargets } from "../alerts/deliveries/target-store.ts";
import { beginMatches } from "../alerts/match-write-store.ts";
import type { Database } from "../db/database.ts";
import type { Stamp } from "../db/row.ts";
import { effectiveSets } from "../filters/language/sets.ts";
import {
  deleteSavedFilters,
  type FilterOwner,
  listOwnersByGroupName,
  type SavedFilter,
  saveComparedSets,
  saveSavedFilters,
} from "../filters/saved-filter-store.ts";
import { deleteViews, saveViews, type ViewRow } from "../filters/view-store.ts";
import { queueMembers } from "../matching/member-queue-store.ts";
import { rebuildMembers } from "../matching/rebuild-members.ts";
import { queueRefreshes, removeRefreshes } from "../matching/refresh-queue-store.ts";
import { queueGroups, saveDeclaredGroups } from "../messages/group-store.ts";
import { saveDeclaredSessions } from "../messages/session-store.ts";
import { deleteGroupPresets, saveGroupPresets } from "../outbound/group-preset-store.ts";
import { changeRates } from "../pipeline/change-rates.ts";
import { queueAllRefreshes } from "../pricing/cells/schedule-store.ts";
import {
  type ComparedSets,
  deleteConfigurations,
  listConfigurationsOf,
  listDeclaredSets,
  renewConfigurations,
  saveDeclaredConfigurations,
  saveSetsMarks,
  touchConfigurations,
} from "../pricing/configurations/configuration-write-store.ts";
import {
  deleteProfiles,
  type ProfileRow,
  saveProfiles,
} from "../pricing/configurations/profile-store.ts";
import type { ChangedFxRate } from "../rates/fx-store.ts";
import {
  alertFilter,
  configurationFilter,
  ownersOf,
  populationFilters,
  viewFilter,
} from "./declared-filters.ts";
import { savedRows } from "./identify.ts";
import type { Plan } from "./plan.ts";
import { undeclaredGroup, undeclaredSession } from "./plan-places.ts";
import type { PlannedConfiguration } from "./stored-declarations.ts";

interface SaveOptions {
  readonly stamp: Stamp;
  /**
   * Who selects the members of changed configurations. `now`: this transaction, which must hold the pipeline lock. `queued`:
   * a step of the pipeline; until it has run, the configurations are stale.
   */
  readonly rebuild: "now" | "queued";
  /** Called with the number of configurations whose members were rebuilt. */
  readonly onProgress?: (count: number) => void;
}

/**
 * Saves a plan and everything that depends on it. Returns the changed rates. The caller must hold the lock of declarations.
 *
 * Without the pipeline lock, steps run at the same time. They take rows of `member_queue`, then of `refresh_queue`, then of
 * configurations, so rows of configurations that exist are queued here before they are saved.
 */
export async function savePlan(
  tx: Database,
  plan: Plan,
  options: SaveOptions,
): Promise<readonly ChangedFxRate[]> {
  const { stamp, rebuild } = options;
  const effects = await findEffects(tx, plan);
  if (rebuild === "queued") await queueMembers(tx, effects.rebuilt);
  await queueRefreshes(tx, effects.recalculated, stamp.nowMs);
  await saveMarket(tx, plan, stamp);
  await touchConfigurations(tx, effects.touched, stamp.nowMs);
  await renewConfigurations(tx, effects.renewed);
  await saveMatcherFilters(tx, plan);
  await saveComparedSets(tx, effects.compared);
  await saveSetsMarks(tx, effects.compared, stamp.nowMs);
  const rates = await savePlaces(tx, plan, stamp);
  const created = idsOf(plan.configurations.created);
  if (rebuild === "queued") {
    if (effects.rebuilt === "all") await touchConfigurations(tx, "all", stamp.nowMs);
    await queueMembers(tx, created);
    return rates;
  }
  const pruned = new Set(idsOf(plan.configurations.pruned));
  await rebuildMembers(tx, [...pruned]);
  if (effects.rebuilt === "all") {
    await rebuildMembers(tx, "all", options.onProgress);
    await queueAllRefreshes(tx, stamp.nowMs);
    return rates;
  }
  const rebuilt = [...effects.rebuilt, ...created].filter((id) => !pruned.has(id));
  await rebuildMembers(tx, rebuilt, options.onProgress);
  await queueRefreshes(tx, rebuilt, stamp.nowMs);
  return rates;
}

/** What a plan changes for configurations that exist. */
interface Effects {
  /** Their members may change. */
  readonly rebuilt: readonly string[] | "all";
  /** The rules of their profile change, or the sets that they compare by it. */
  readonly touched: readonly string[];
  /** They are calculated again, or deleted: a calculation in progress ends first. */
  readonly recalculated: readonly string[];
  /** Other listings may become buys, also of new configurations. Those that have arrived already fire nothing. */
  readonly renewed: readonly string[];
  /** Which sets they compare: those that are saved, new ones too, and those of a profile whose sets change. */
  readonly compared: readonly ComparedSets[];
}

async function findEffects(tx: Database, plan: Plan): Promise<Effects> {
  const renamed = changedBy(plan.groups, ({ name }) => name);
  const owners = renamed.length > 0 ? await listOwnersByGroupName(tx) : [];
  const profileIds = plan.profiles.changed
    .filter(({ before, after }) => !isDeepStrictEqual(rulesOf(before), rulesOf(after)))
    .map(({ after }) => after.id);
  const moved = await listMovedSets(tx, plan);
  const ruled = profileIds.length === 0 ? [] : await listConfigurationsOf(tx, profileIds);
  const touched = [...new Set([...ruled, ...idsOf(moved)])];
  const { created, changed, pruned } = plan.configurations;
  const changedIds = changed.map(({ after }) => after.id);
  const renewedIds = changed
    .filter(({ before, after }) => !isDeepStrictEqual(termsOf(before), termsOf(after)))
    .map(({ after }) => after.id);
  return {
    rebuilt: listConfigurationsToRebuild(plan, owners, idsOf(moved)),
    touched,
    recalculated: [...new Set([...touched, ...changedIds, ...idsOf(pruned)])].sort(),
    renewed: [...new Set([...touched, ...renewedIds, ...idsOf(created)])].sort(),
    compared: toCompared(plan, moved),
  };
}

/** The stored configurations that compare other sets because those of their profile change. */
async function listMovedSets(tx: Database, plan: Plan): Promise<readonly ComparedSets[]> {
  const changed = plan.profiles.changed.filter(({ before, after }) => before.sets !== after.sets);
  if (changed.length === 0) return [];
  const profiles = new Map(changed.map((change) => [change.after.id, change]));
  const declared = await listDeclaredSets(tx, [...profiles.keys()]);
  return declared.flatMap(({ id, profile_id, ...own }) => {
    const { before, after } = profiles.get(profile_id) ?? {};
    if (before === undefined || after === undefined) return [];
    const sets = effectiveSets({ ...own, profileSets: after.sets });
    return sets === effectiveSets({ ...own, profileSets: before.sets }) ? [] : [{ id, sets }];
  });
}

/** What the plan saves goes before what follows from a profile alone. */
function toCompared(plan: Plan, moved: readonly ComparedSets[]): readonly ComparedSets[] {
  const { configurations, profiles } = plan;
  const profileSets = new Map(profiles.after.map(({ id, sets }) => [id, sets]));
  const saved = savedRows(configurations).map(({ id, profile_id, filters, sets }) => ({
    id,
    sets: effectiveSets({ filters, sets, profileSets: profileSets.get(profile_id) ?? "any" }),
  }));
  const byId = new Map([...moved, ...saved].map((one) => [one.id, one]));
  for (const { id } of configurations.pruned) byId.delete(id);
  return [...byId.values()];
}

async function saveMarket(tx: Database, plan: Plan, stamp: Stamp): Promise<void> {
  const { profiles, views, configurations, alerts, webhooks } = plan;
  const savedConfigurations = savedRows(configurations);
  await saveProfiles(tx, savedRows(profiles), stamp);
  await saveViews(tx, savedRows(views), stamp);
  await saveDeclaredConfigurations(tx, savedConfigurations, stamp);
  // Before the first write of an alert: a mute takes the lock of matches and then the row of its alert.
  if (alerts.pruned.length > 0) await beginMatches(tx);
  await saveSystemAlerts(tx, savedConfigurations.map(toSystemAlert), stamp.nowMs);
  // Those of revived configurations were disabled.
  for (const isEnabled of [true, false]) {
    const rows = savedConfigurations.filter((one) => one.alert_enabled === isEnabled);
    await switchSystemAlerts(tx, { configurationIds: idsOf(rows), isEnabled }, stamp.nowMs);
  }
  await saveDeclaredAlerts(tx, savedRows(alerts), stamp);
  await saveWebhookTargets(tx, savedRows(webhooks), stamp);
  // Deletes rows before the rows that they refer to.
  await deleteWebhookTargets(tx, idsOf(webhooks.pruned));
  await deleteAlerts(tx, idsOf(alerts.pruned));
  await removeConfigurations(tx, idsOf(configurations.pruned), stamp.nowMs);
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

function toSystemAlert({ id, label, configuration_key }: PlannedConfiguration) {
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
  stamp: Stamp,
): Promise<readonly ChangedFxRate[]> {
  const { sessions, groups, presets } = plan;
  await saveDeclaredSessions(tx, [
    ...savedRows(sessions),
    ...sessions.pruned.map(undeclaredSession),
  ]);
  const groupRows = [...savedRows(groups), ...groups.pruned.map(undeclaredGroup)];
  await saveDeclaredGroups(tx, groupRows, stamp);
  const read = changedBy(groups, ({ default_currency, name }) =>
    default_currency === null && name === null ? null : `${default_currency} ${name}`,
  );
  await queueGroups(tx, idsOf(read));
  await saveGroupPresets(tx, savedRows(presets), stamp);
  await deleteGroupPresets(tx, idsOf(presets.pruned));
  return plan.fxRates.length === 0 ? [] : changeRates(tx, plan.fxRates);
}

/** Returns the configurations that exist and whose members may change. */
function listConfigurationsToRebuild(
  plan: Plan,
  byGroupName: readonly FilterOwner[],
  bySets: readonly string[],
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
  const { changed: altered } = plan.configurations;
  const changed = changedBy({ created: [], changed: altered, pruned: [] }, (one) => {
    return { filters: populationFilters(one), sets: one.sets, profile_id: one.profile_id };
  });
  const byName = byGroupName.filter(({ owner_kind }) => owner_kind === "configuration");
  const { pruned } = plan.configurations;
  const others = [...byName.map(({ owner_id }) => owner_id), ...bySets];
  return [...new Set([...idsOf(changed), ...others, ...idsOf(pruned)])].sort();
}

/** Returns the members of a profile that affect the calculations of all its configurations. */
function rulesOf({ name: _, managed_by: _by, sets: _sets, ...rules }: ProfileRow) {
  return rules;
}

/** Returns the members of a configuration that decide which listings are its buys. */
function termsOf(configuration: PlannedConfiguration) {
  const { profile_id, brand, reference, market_reference, filters, sets } = configuration;
  const { minimum_profit_overrides, exclude_outliers, buy_signals_enabled } = configuration;
  const what = { profile_id, brand, reference, market_reference, filters, sets };
  return { ...what, minimum_profit_overrides, exclude_outliers, buy_signals_enabled };
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
