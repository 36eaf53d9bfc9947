import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { compareListingMatches, toListingMatch } from "../../../alerts/listing-match.ts";
import { findListingModels } from "../../../alerts/listing-model-store.ts";
import { AppError } from "../../../base/errors.ts";
import {
  findModelCells,
  type ModelCellKey,
  type ModelCellRow,
} from "../../../pricing/cells/model-cell-store.ts";
import type { ConditionBucket } from "../../../pricing/configurations/configuration.ts";
import { createBatchedReads } from "../../cache/batched-reads.ts";
import { createKeptRows } from "../../cache/kept-rows.ts";
import {
  Count,
  EurMinor,
  Filters,
  failures,
  Id,
  IdParam,
  Ms,
  named,
  OWN_DEADLINE,
  optional,
  type RouteContext,
  typed,
} from "../schemas.ts";

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

const ListingMatch = Type.Object(
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

/** Seed 4.3. */
export function addListListingMatches(app: FastifyInstance, context: RouteContext): void {
  const { db, read, feed, clock } = context;
  const cells = createKeptRows<ModelCellRow>({
    feed,
    topic: "price_cells",
    load: async (keys) => {
      const rows = await findModelCells(db, keys.map(parseCellKey));
      return new Map(rows.map((row) => [toCellKey(row), row]));
    },
  });
  const findModels = createBatchedReads((ids) => read((db) => findListingModels(db, ids)));
  app.addSchema(AlertState);
  app.addSchema(ListingMatch);
  const schema = {
    operationId: "listListingPriceEngineMatches",
    tags: ["Market"],
    summary: "Get the current price-engine model matches for one listing",
    description:
      "The configurations that the visible for-sale listing belongs to, each with its exact year and condition cell; the " +
      "highest profit first. Empty if it belongs to none. This never writes and never recalculates.",
    params: Type.Object({ listing_id: IdParam("The listing's id.") }),
    response: {
      200: Type.Object({ items: Type.Array(named(ListingMatch)), total: Count }),
      ...failures(400, 401, 404),
    },
  };
  const options = { schema, config: OWN_DEADLINE };
  typed(app).get("/v2/market/listings/:listing_id/price-engine", options, async ({ params }) => {
    const models = await findModels(params.listing_id.toLowerCase());
    if (models === undefined) {
      throw new AppError("listing_not_found", "there is no visible listing with this id");
    }
    const nowMs = clock.nowMs();
    const rowByKey = await cells.find(models.map(toCellKey));
    const items = models
      .flatMap((model) => {
        const row = rowByKey.get(toCellKey(model));
        return row === undefined ? [] : [toListingMatch(model, row, nowMs)];
      })
      .sort(compareListingMatches);
    return { items, total: items.length };
  });
}

function toCellKey({ configuration_id, year, condition_bucket }: ModelCellKey): string {
  return `${configuration_id} ${year} ${condition_bucket}`;
}

function parseCellKey(key: string): ModelCellKey {
  const [configuration_id = "", year, bucket] = key.split(" ");
  return { configuration_id, year: Number(year), condition_bucket: bucket as ConditionBucket };
}
