import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { dropNulls } from "../../../db/row.ts";
import { configurationStatus, isStale } from "../../../pricing/configurations/configuration.ts";
import type { ConfigurationRow } from "../../../pricing/configurations/configuration-store.ts";
import { EurMinor, Filters, Id, Ms, named, optional } from "../schemas.ts";

const MinimumProfitOverride = Type.Object(
  { year: Type.Integer(), condition_bucket: Type.String(), amount_eur_minor: EurMinor },
  { $id: "MinimumProfitOverride" },
);

/** Seed 2.5. */
export const Configuration = Type.Object(
  {
    id: Id,
    profile_id: Id,
    brand: Type.String(),
    brand_lower: Type.String(),
    reference: Type.String(),
    reference_normalized: Type.String(),
    market_reference_normalized: Type.String(),
    filters: Filters,
    filter_summary: Type.String(),
    minimum_profit_overrides: Type.Array(named(MinimumProfitOverride)),
    exclude_outliers: Type.Boolean(),
    publish_enabled: Type.Boolean(),
    buy_signals_enabled: Type.Boolean(),
    available_years: Type.Array(Type.Integer()),
    cell_status: Type.String({ description: "`available`, `insufficient` or `pending`." }),
    is_stale: Type.Boolean(),
    updated_at_ms: Ms,
    configuration_key: Type.String(),
    configuration_label: Type.String(),
    image_url: optional(Type.String()),
    imported_from_mapping_id: optional(Id),
    last_attempt_at_ms: optional(Ms),
    last_success_at_ms: optional(Ms),
    last_refresh_error: optional(Type.String()),
  },
  { $id: "Configuration" },
);

/** Call it once, before the first route that uses these schemas. */
export function addConfigurationSchemas(app: FastifyInstance): void {
  app.addSchema(MinimumProfitOverride);
  app.addSchema(Configuration);
}

export function toConfigurationBody(row: ConfigurationRow, nowMs: number) {
  const { stale_after_ms: _, is_changed: __, ...configuration } = row;
  return {
    ...dropNulls(configuration),
    cell_status: configurationStatus(row.available_years, row.last_success_at_ms),
    is_stale: isStale(row, nowMs),
  };
}
