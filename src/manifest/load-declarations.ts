import {
  listConfigurationIdsOf,
  listDeclaredAlerts,
  listForeignAlertIds,
} from "../alerts/declared-alert-store.ts";
import { listWebhookTargets } from "../alerts/deliveries/webhook-target-store.ts";
import { isUuid } from "../base/ids.ts";
import type { Database } from "../db/database.ts";
import { listViews } from "../filters/view-store.ts";
import { listDeclaredGroups } from "../messages/group-store.ts";
import { listDeclaredSessions } from "../messages/session-store.ts";
import { listDeclaredPresets } from "../outbound/group-preset-store.ts";
import { listDeletedConfigurations } from "../pricing/configurations/configuration-write-store.ts";
import { listProfiles } from "../pricing/configurations/profile-store.ts";
import { madeIdOf } from "./identify.ts";
import type { Manifest } from "./parse-manifest.ts";
import type { StoredDeclarations } from "./plan.ts";
import { keyOfConfiguration } from "./plan-pricing.ts";
import { listPlannedConfigurations } from "./planned-configuration.ts";
import type { Declared, KindName } from "./schema.ts";

/** Loads everything that is declared, for a manifest. */
export async function loadDeclarations(
  tx: Database,
  { rows }: Manifest,
): Promise<StoredDeclarations> {
  const alertIds = rows.alerts.map(({ given }) => given.id ?? madeIdOf("alert")(given.name));
  return {
    profiles: await listProfiles(tx),
    views: await listViews(tx),
    configurations: await listPlannedConfigurations(tx),
    deletedConfigurations: await listDeletedConfigurations(tx),
    alerts: await listDeclaredAlerts(tx),
    foreignAlertIds: await listForeignAlertIds(tx, alertIds),
    webhooks: await listWebhookTargets(tx),
    sessions: await listDeclaredSessions(tx),
    groups: await listDeclaredGroups(tx),
    presets: await listDeclaredPresets(tx),
  };
}

/** The kinds that the API writes. */
export type WrittenKind = Exclude<KindName, "sessions" | "fx_rates">;

const NOTHING: StoredDeclarations = {
  profiles: [],
  views: [],
  configurations: [],
  deletedConfigurations: [],
  alerts: [],
  foreignAlertIds: new Set(),
  webhooks: [],
  sessions: [],
  groups: [],
  presets: [],
};

/**
 * Loads only what the plan of one item reads: the stored item, another one with the same natural key, the items that it
 * names, and the items that use it.
 */
export async function loadNamed<Kind extends WrittenKind>(
  tx: Database,
  kind: Kind,
  given: Declared<Kind> & { readonly id: string },
): Promise<StoredDeclarations> {
  return { ...NOTHING, ...(await LOADERS[kind](tx, given)) };
}

type Loader<Kind extends WrittenKind> = (
  tx: Database,
  given: Declared<Kind> & { readonly id: string },
) => Promise<Partial<StoredDeclarations>>;

const LOADERS: { readonly [Kind in WrittenKind]: Loader<Kind> } = {
  profiles: async (tx, { id, name }) => ({
    profiles: await listProfiles(tx, { ids: [id], keys: [name] }),
  }),
  views: async (tx, { id, name }) => ({
    views: await listViews(tx, { ids: [id], keys: [name] }),
    alerts: await listDeclaredAlerts(tx, { viewIds: [id] }),
  }),
  configurations: async (tx, given) => ({
    configurations: await listPlannedConfigurations(tx, {
      ids: [given.id],
      keys: [keyOfConfiguration(given)],
    }),
    deletedConfigurations: await listDeletedConfigurations(tx, { ids: [given.id] }),
    profiles: await listProfiles(tx, { keys: [given.profile] }),
  }),
  alerts: async (tx, { id, name, view, view_id, configurations = [], filters = {} }) => ({
    alerts: await listDeclaredAlerts(tx, { ids: [id], keys: [name] }),
    foreignAlertIds: await listForeignAlertIds(tx, [id]),
    views: await listViews(tx, {
      ids: view_id === undefined ? [] : [view_id],
      keys: view === undefined ? [] : [view],
    }),
    configurations: await listPlannedConfigurations(tx, {
      ids: configurationIdsOf(filters),
      keys: configurations,
    }),
  }),
  webhooks: async (tx, { id, name, alerts = [] }) => ({
    webhooks: await listWebhookTargets(tx, { ids: [id], keys: [name] }),
    alerts: await listDeclaredAlerts(tx, { ids: alerts.filter(isUuid), keys: alerts }),
    configurations: await listPlannedConfigurations(tx, {
      ids: await listConfigurationIdsOf(tx, alerts.filter(isUuid)),
      keys: alerts,
    }),
  }),
  groups: async (tx, { id, gateway_group_id }) => ({
    groups: await listDeclaredGroups(tx, { ids: [id], keys: [gateway_group_id] }),
  }),
  group_presets: async (tx, { id, name }) => ({
    presets: await listDeclaredPresets(tx, { ids: [id], keys: [name] }),
  }),
};

function configurationIdsOf(filters: Readonly<Record<string, unknown>>): readonly string[] {
  const ids = filters["configuration_ids"];
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string" && isUuid(id)) : [];
}
