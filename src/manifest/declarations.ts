import type { DeclaredAlert } from "../alerts/declared-alert-store.ts";
import { toDeclaredAddress } from "../alerts/deliveries/target-kind.ts";
import type { WebhookTargetRow } from "../alerts/deliveries/webhook-target-store.ts";
import { dropNulls } from "../db/row.ts";
import type { ViewRow } from "../filters/view-store.ts";
import type { DeclaredGroup } from "../messages/group-store.ts";
import type { DeclaredSession } from "../messages/session-store.ts";
import type { DeclaredPreset } from "../outbound/group-preset-store.ts";
import type { ProfileRow } from "../pricing/configurations/profile-store.ts";
import type { PlannedConfiguration } from "./planned-configuration.ts";
import { type Declared, LIMITS } from "./schema.ts";

/**
 * Stored rows as the members of a manifest: the opposite of the `plan…` functions. Defaults are written out, so that a later
 * version with other defaults reads the same.
 *
 * Invariant: planning what these functions return gives the row that they were called with.
 */

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
  options: { readonly hasSecret: boolean },
): Declared<"webhooks"> {
  const secret = options.hasSecret ? target.secret : null;
  return {
    id: target.id,
    name: target.name,
    ...toDeclaredAddress({ ...target, secret }),
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
