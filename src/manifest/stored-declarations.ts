/**
 * The declarations in the database: loads them for a plan, and turns rows into the members of a manifest (`to…Declaration`),
 * which is the opposite of the `plan…` functions. Defaults are written out, so that a later version with other defaults reads
 * the same.
 *
 * Invariant: planning what a `to…Declaration` function returns gives the row that it was called with.
 */
import {
  type DeclaredAlert,
  listConfigurationIdsOf,
  listDeclaredAlerts,
  listDisabledConfigurationIds,
  listForeignAlertIds,
} from "../alerts/alert-write-store.ts";
import { cutAddress, toDeclaredAddress } from "../alerts/deliveries/target.ts";
import { listWebhookTargets, type WebhookTargetRow } from "../alerts/deliveries/target-store.ts";
import { isUuid } from "../base/ids.ts";
import type { Database } from "../db/database.ts";
import { dropNulls, type Naming } from "../db/row.ts";
import { listViews, type ViewRow } from "../filters/view-store.ts";
import { type DeclaredGroup, listDeclaredGroups } from "../messages/group-store.ts";
import { type DeclaredSession, listDeclaredSessions } from "../messages/session-store.ts";
import { type DeclaredPreset, listDeclaredPresets } from "../outbound/group-preset-store.ts";
import {
  type DeclaredConfiguration,
  type DeletedConfiguration,
  listDeclaredConfigurations,
  listDeletedConfigurations,
} from "../pricing/configurations/configuration-write-store.ts";
import { listProfiles, type ProfileRow } from "../pricing/configurations/profile-store.ts";
import { keyOfConfiguration, madeIdOf } from "./identify.ts";
import type { Manifest } from "./parse-manifest.ts";
import { type Declared, type KindName, LIMITS } from "./schema.ts";

/** The declarations in the database before the manifest is applied. */
export interface StoredDeclarations {
  readonly profiles: readonly ProfileRow[];
  readonly views: readonly ViewRow[];
  readonly configurations: readonly PlannedConfiguration[];
  readonly deletedConfigurations: readonly DeletedConfiguration[];
  readonly alerts: readonly DeclaredAlert[];
  readonly foreignAlertIds: ReadonlySet<string>;
  readonly webhooks: readonly WebhookTargetRow[];
  /** Includes sessions without declarations. The same holds for groups. */
  readonly sessions: readonly DeclaredSession[];
  readonly groups: readonly DeclaredGroup[];
  readonly presets: readonly DeclaredPreset[];
}

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

/** A declared configuration with the state of its system alert, which is a row of its own. */
export interface PlannedConfiguration extends DeclaredConfiguration {
  readonly alert_enabled: boolean;
}

export async function listPlannedConfigurations(
  db: Database,
  naming?: Naming,
): Promise<readonly PlannedConfiguration[]> {
  const configurations = await listDeclaredConfigurations(db, naming);
  const ids = naming === undefined ? "all" : configurations.map(({ id }) => id);
  const disabledIds = await listDisabledConfigurationIds(db, ids);
  return configurations.map((one) => ({ ...one, alert_enabled: !disabledIds.has(one.id) }));
}

export function toProfileDeclaration(profile: ProfileRow): Declared<"profiles"> {
  return {
    id: profile.id,
    name: profile.name,
    status: profile.status,
    lookback_days: profile.lookback_days,
    minimum_listings: profile.minimum_listings,
    minimum_profit_eur_minor: profile.minimum_profit_eur_minor,
    implausible_below_bps: profile.implausible_below_bps,
    implausible_above_bps: profile.implausible_above_bps,
    hk_markup: {
      rate_bps: profile.hk_markup_rate_bps,
      fixed_eur_minor: profile.hk_markup_fixed_eur_minor,
    },
    consumer_range: {
      low_quantile_bps: profile.consumer_low_quantile_bps,
      high_quantile_bps: profile.consumer_high_quantile_bps,
      margin_bps: profile.consumer_margin_bps,
    },
    stale_after_ms: profile.stale_after_ms,
    sets: profile.sets,
  };
}

export function toViewDeclaration(view: ViewRow): Declared<"views"> {
  const { id, name, source_market, filters, sort, columns } = view;
  const shown = { sort, columns: columns === null ? null : [...columns] };
  return dropNulls({ id, name, source_market, filters, ...shown });
}

/** `profileName` is the name of the configuration's profile. */
export function toConfigurationDeclaration(
  configuration: PlannedConfiguration,
  profileName: string,
): Declared<"configurations"> {
  const { configuration_key: key, minimum_profit_overrides: overrides } = configuration;
  // Only a key that was made of the other members can be longer than a declared one. It is made again.
  const isMade = [...key].length > LIMITS.keyLength;
  return dropNulls({
    id: configuration.id,
    configuration_key: isMade ? null : key,
    profile: profileName,
    brand: configuration.brand,
    reference: configuration.reference,
    market_reference: configuration.market_reference,
    label: configuration.label,
    filters: configuration.filters,
    sets: configuration.sets,
    minimum_profit_overrides: [...overrides],
    exclude_outliers: configuration.exclude_outliers,
    publish_enabled: configuration.publish_enabled,
    buy_signals_enabled: configuration.buy_signals_enabled,
    alert_enabled: configuration.alert_enabled,
    image_url: configuration.image_url,
    calculator_mapping_id: configuration.calculator_mapping_id,
    imported_from_mapping_id: configuration.imported_from_mapping_id,
  });
}

/** Its configurations are ids in `filters.configuration_ids`, as they are stored. */
export function toAlertDeclaration(
  alert: DeclaredAlert,
  viewNames: ReadonlyMap<string, string>,
): Declared<"alerts"> {
  return dropNulls({
    id: alert.id,
    name: alert.name,
    enabled: alert.is_enabled,
    strategy: alert.strategy,
    view: alert.view_id === null ? null : (viewNames.get(alert.view_id) ?? null),
    filters: alert.filters,
    created_by: alert.created_by,
    updated_by: alert.updated_by,
  });
}

/** Its alerts are ids: several alerts can have one name. */
export function toWebhookDeclaration(
  target: WebhookTargetRow,
  options: { readonly hasSecret: boolean; readonly isCut: boolean },
): Declared<"webhooks"> {
  const address = toDeclaredAddress({
    ...target,
    secret: options.hasSecret ? target.secret : null,
  });
  return {
    id: target.id,
    name: target.name,
    ...(options.isCut ? cutAddress(address) : address),
    ...(target.quiet_hours === null ? {} : { quiet_hours: target.quiet_hours }),
    ...(target.alert_ids === null ? {} : { alerts: [...target.alert_ids] }),
  };
}

export function toSessionDeclaration(session: DeclaredSession): Declared<"sessions"> {
  return dropNulls(session);
}

export function toGroupDeclaration(group: DeclaredGroup): Declared<"groups"> {
  const { managed_by: _, ...members } = group;
  return dropNulls(members);
}

export function toPresetDeclaration(preset: DeclaredPreset): Declared<"group_presets"> {
  const { managed_by: _, group_ids, ...members } = preset;
  return dropNulls({ ...members, group_ids: [...group_ids] });
}
