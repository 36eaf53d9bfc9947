import { isDeepStrictEqual } from "node:util";
import { type DeclaredAlert, systemAlertIdOf } from "../alerts/alert-write-store.ts";
import type { WebhookTargetRow } from "../alerts/deliveries/target-store.ts";
import type { ViewRow } from "../filters/view-store.ts";
import type { DeclaredGroup } from "../messages/group-store.ts";
import type { DeclaredSession } from "../messages/session-store.ts";
import type { DeclaredPreset } from "../outbound/group-preset-store.ts";
import type { ProfileRow } from "../pricing/configurations/profile-store.ts";
import type { NewFxRate } from "../rates/fx-store.ts";
import { listingOnlyMembers } from "./declared-filters.ts";
import { compareRows, type Difference, type Wanted } from "./identify.ts";
import type { Manifest, Rows } from "./parse-manifest.ts";
import { planAlerts, planWebhooks } from "./plan-alerts.ts";
import {
  planFxRates,
  planGroups,
  planPresets,
  planSessions,
  undeclaredGroup,
  undeclaredSession,
} from "./plan-places.ts";
import { planConfigurations, planProfiles, planViews } from "./plan-pricing.ts";
import type { Problem } from "./problem.ts";
import type { KindName } from "./schema.ts";
import type { PlannedConfiguration, StoredDeclarations } from "./stored-declarations.ts";

/** The changes to make in the database. */
export interface Plan {
  readonly profiles: Difference<ProfileRow>;
  readonly views: Difference<ViewRow>;
  readonly configurations: Difference<PlannedConfiguration>;
  readonly alerts: Difference<DeclaredAlert>;
  readonly webhooks: Difference<WebhookTargetRow>;
  readonly sessions: Difference<DeclaredSession>;
  readonly groups: Difference<DeclaredGroup>;
  readonly presets: Difference<DeclaredPreset>;
  readonly fxRates: readonly NewFxRate[];
}

interface Planned {
  readonly plan: Plan;
  readonly problems: readonly Problem[];
  readonly notes: readonly Problem[];
}

/** Plans one kind after another. Each kind can refer to the planned state of the kinds before it. */
export function planManifest(
  manifest: Manifest,
  stored: StoredDeclarations,
  options: { readonly isPruning: boolean },
): Planned {
  const isPruned: IsPruned =
    (kind) =>
    ({ managed_by = "manifest" }) =>
      options.isPruning && manifest.kinds.has(kind) && managed_by === "manifest";
  const market = planMarket(manifest.rows, stored, isPruned);
  const places = planPlaces(manifest.rows, stored, isPruned);
  const { fxRates } = places;
  return {
    plan: { ...market.plan, ...places.plan, fxRates: fxRates.wanted },
    problems: [...market.problems, ...places.problems],
    notes: [...market.notes, ...places.notes],
  };
}

/** Only what a manifest manages is pruned. A session has no manager: only manifests declare it. */
type IsPruned = (kind: KindName) => (row: object & { readonly managed_by?: unknown }) => boolean;

function planMarket(rows: Rows, stored: StoredDeclarations, isPruned: IsPruned) {
  const profiles = planProfiles(rows.profiles, stored.profiles);
  const views = planViews(rows.views, stored.views);
  const profilesAfter = overlay(stored.profiles, profiles.wanted);
  const configurations = planConfigurations(rows.configurations, stored, profilesAfter);
  const configurationPlan = compareRows(
    stored.configurations,
    configurations.wanted,
    isPruned("configurations"),
  );
  const alerts = planAlerts(rows.alerts, {
    stored: stored.alerts,
    foreignIds: stored.foreignAlertIds,
    views: overlay(stored.views, views.wanted),
    configurations: configurationPlan.after,
  });
  const alertPlan = compareRows(stored.alerts, alerts.wanted, isPruned("alerts"));
  const alertIds = alertIdsByName(alertPlan.after, configurationPlan.after);
  const webhooks = planWebhooks(rows.webhooks, stored.webhooks, alertIds);
  // Profiles and views that are still in use are kept.
  const profilesInUse = new Set(configurationPlan.after.map((one) => one.profile_id));
  const viewsInUse = new Set(alertPlan.after.map((one) => one.view_id));
  const parts: readonly Wanted<unknown>[] = [profiles, views, configurations, alerts, webhooks];
  return {
    plan: {
      profiles: compareRows(stored.profiles, profiles.wanted, (row) => {
        return isPruned("profiles")(row) && !profilesInUse.has(row.id);
      }),
      views: compareRows(stored.views, views.wanted, (row) => {
        return isPruned("views")(row) && !viewsInUse.has(row.id);
      }),
      configurations: configurationPlan,
      alerts: alertPlan,
      webhooks: compareRows(stored.webhooks, webhooks.wanted, isPruned("webhooks")),
    },
    problems: [
      ...parts.flatMap(({ problems }) => problems),
      ...checkViewsOfStoredAlerts(rows, views.wanted, {
        after: alertPlan.after,
        wanted: alerts.wanted,
      }),
    ],
    notes: parts.flatMap(({ notes }) => notes),
  };
}

function planPlaces(rows: Rows, stored: StoredDeclarations, isPruned: IsPruned) {
  const sessions = planSessions(rows.sessions, stored.sessions);
  const groups = planGroups(rows.groups, stored.groups);
  const presets = planPresets(rows.group_presets, stored.presets);
  const fxRates = planFxRates(rows.fx_rates);
  const parts: readonly Wanted<unknown>[] = [sessions, groups, presets, fxRates];
  return {
    plan: {
      sessions: compareDeclared(stored.sessions, sessions.wanted, {
        isPruned: (row: object) => isPruned("sessions")(row),
        undeclared: undeclaredSession,
      }),
      groups: compareDeclared(stored.groups, groups.wanted, {
        isPruned: isPruned("groups"),
        undeclared: undeclaredGroup,
      }),
      presets: compareRows(stored.presets, presets.wanted, isPruned("group_presets")),
    },
    fxRates,
    problems: parts.flatMap(({ problems }) => problems),
    notes: parts.flatMap(({ notes }) => notes),
  };
}

/** Returns the stored items, with declared items in place of those with the same id. */
function overlay<Stored extends { readonly id: string }>(
  stored: readonly Stored[],
  wanted: readonly Stored[],
): readonly Stored[] {
  return compareRows(stored, wanted, () => false).after;
}

/**
 * For sessions and groups, which also exist without a declaration. A session or group that had none counts as created, and
 * pruning deletes only the declaration.
 */
function compareDeclared<Stored extends { readonly id: string }>(
  stored: readonly Stored[],
  wanted: readonly Stored[],
  options: {
    readonly isPruned: (row: Stored) => boolean;
    readonly undeclared: (row: Stored) => Stored;
  },
): Difference<Stored> {
  const wantedById = new Map(wanted.map((row) => [row.id, row]));
  const known = stored.filter((row) => {
    const isDeclared = !isDeepStrictEqual({ ...row }, options.undeclared(row));
    return isDeclared || isDeepStrictEqual({ ...row }, wantedById.get(row.id));
  });
  return compareRows(known, wanted, options.isPruned);
}

/** Maps names and ids to alerts, and also configuration keys to the system alerts of configurations. */
function alertIdsByName(
  alerts: readonly DeclaredAlert[],
  configurations: readonly PlannedConfiguration[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const ids = new Map<string, Set<string>>();
  const add = (name: string, id: string) => ids.set(name, (ids.get(name) ?? new Set()).add(id));
  for (const { id, name } of alerts) {
    add(id, id);
    add(name, id);
  }
  for (const { id, label, configuration_key } of configurations) {
    const alertId = systemAlertIdOf(id);
    add(alertId, alertId);
    add(configuration_key, alertId);
    add(label ?? configuration_key, alertId);
  }
  return ids;
}

/** If a stored alert on messages uses a view, the view may have only members that apply to messages. */
function checkViewsOfStoredAlerts(
  rows: Rows,
  views: readonly ViewRow[],
  alerts: { readonly after: readonly DeclaredAlert[]; readonly wanted: readonly DeclaredAlert[] },
): readonly Problem[] {
  const declaredIds = new Set(alerts.wanted.map(({ id }) => id));
  const usedIds = new Set(
    alerts.after
      .filter(({ id, filters }) => filters["resource"] === "messages" && !declaredIds.has(id))
      .map(({ view_id }) => view_id),
  );
  const used = new Map(views.filter(({ id }) => usedIds.has(id)).map((view) => [view.name, view]));
  return rows.views.flatMap((row) =>
    listingOnlyMembers(used.get(row.given.name)?.filters ?? {}).map((member) =>
      row.problemAt(
        ["filters", member],
        "does not apply to messages, and an alert on messages uses this view",
      ),
    ),
  );
}
