import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { Count, EurMinor, Filters, Id, Ms, named, optional } from "../schemas.ts";

const AlertState = Type.Object(
  {
    id: Id,
    name: Type.String(),
    enabled: Type.Boolean(),
    triggered: Type.Boolean(),
    matched_at_ms: optional(Ms),
    seen_at_ms: optional(Ms),
  },
  { $id: "AlertState", description: "The stored state of the configuration's own alert." },
);

/** Seed 2.4. */
export const ListingMatch = Type.Object(
  {
    configuration_id: Id,
    brand: Type.String(),
    reference: Type.String(),
    market_reference_normalized: Type.String(),
    filters: Filters,
    filter_summary: Type.String(),
    exclude_outliers: Type.Boolean(),
    price_engine_status: Type.String({ description: "`shadow` or `live`." }),
    buy_signals_enabled: Type.Boolean(),
    is_stale: Type.Boolean(),
    year: Type.Integer(),
    condition_bucket: Type.String({ description: "`new`, `like_new` or `used`." }),
    source_market: Type.String({ description: "`EU` or `HK`." }),
    cell_status: Type.String({ description: "`available`, `insufficient` or `pending`." }),
    lookback_days: Type.Integer(),
    listing_count: Count,
    original_ask_eur_minor: EurMinor,
    comparable_ask_eur_minor: EurMinor,
    hk_markup_eur_minor: EurMinor,
    calculated_at_ms: Ms,
    calculation_version: Type.String(),
    configuration_key: Type.String(),
    configuration_label: Type.String(),
    market_average_eur_minor: optional(EurMinor),
    consumer_min_eur_minor: optional(EurMinor),
    consumer_max_eur_minor: optional(EurMinor),
    minimum_profit_eur_minor: EurMinor,
    maximum_eu_ask_eur_minor: optional(EurMinor),
    maximum_hk_ask_eur_minor: optional(EurMinor),
    profit_opportunity_eur_minor: optional(EurMinor),
    meets_buy_threshold: Type.Boolean(),
    alert: optional(named(AlertState)),
  },
  { $id: "ListingMatch" },
);

/** Call it once, before the first route that uses these schemas. */
export function addListingMatchSchemas(app: FastifyInstance): void {
  app.addSchema(AlertState);
  app.addSchema(ListingMatch);
}
