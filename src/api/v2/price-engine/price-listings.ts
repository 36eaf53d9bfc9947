import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import {
  compareListingMatches,
  findListingModels,
  type ListingMatch,
  type ListingModels,
  toListingMatch,
} from "../../../alerts/listing-matches.ts";
import { AppError } from "../../../base/errors.ts";
import type { ConditionBucket } from "../../../pricing/cells/cell.ts";
import {
  findModelCells,
  type ModelCellKey,
  type ModelCellRow,
} from "../../../pricing/configurations/model-cell-store.ts";
import { createBatchedReads, createKeptRows } from "../../cache/kept-rows.ts";
import { ListingParams } from "../market/listing-body.ts";
import {
  Count,
  EurMinor,
  Filters,
  failures,
  Id,
  Ms,
  named,
  OWN_DEADLINE,
  optional,
  type RouteContext,
  typed,
} from "../schemas.ts";

/** By listing: how each of its configurations prices it, the highest profit first. At most one query. */
type PriceListings = (
  models: ListingModels,
) => Promise<ReadonlyMap<string, readonly ListingMatch[]>>;

export interface PricedContext extends RouteContext {
  readonly priceListings: PriceListings;
}

const IDS_MAX = 100;

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
export const MatchBody = Type.Object(
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

const PricedListing = Type.Object(
  { listing_id: Id, items: Type.Array(named(MatchBody)) },
  { $id: "PricedListing", description: "The price-engine model matches of one listing." },
);

/** Call it once for all routes, because it keeps cells. */
export function createPriceListings({ db, feed, clock }: RouteContext): PriceListings {
  const cells = createKeptRows<ModelCellRow>({
    feed,
    topic: "price_cells",
    load: async (keys) => {
      const rows = await findModelCells(db, keys.map(parseCellKey));
      return new Map(rows.map((row) => [toCellKey(row), row]));
    },
  });
  return async (models) => {
    const keys = new Set([...models.values()].flatMap((rows) => rows.map(toCellKey)));
    const rowByKey = await cells.find([...keys]);
    const nowMs = clock.nowMs();
    return new Map(
      Array.from(models, ([id, rows]) => [
        id,
        rows
          .flatMap((model) => {
            const row = rowByKey.get(toCellKey(model));
            return row === undefined ? [] : [toListingMatch(model, row, nowMs)];
          })
          .sort(compareListingMatches),
      ]),
    );
  };
}

/** Seed 4.3. The other routes use its schemas. */
export function addListListingMatches(
  app: FastifyInstance,
  { read, priceListings }: PricedContext,
): void {
  const findModels = createBatchedReads((ids) => read((db) => findListingModels(db, ids)));
  app.addSchema(AlertState);
  app.addSchema(MatchBody);
  const schema = {
    operationId: "listListingPriceEngineMatches",
    tags: ["Market"],
    summary: "Get the current price-engine model matches for one listing",
    description:
      "The configurations that the visible for-sale listing belongs to, each with its exact year and condition cell; the " +
      "highest profit first. Empty if it belongs to none. This never writes and never recalculates.",
    params: ListingParams,
    response: {
      200: Type.Object({ items: Type.Array(named(MatchBody)), total: Count }),
      ...failures(400, 401, 404),
    },
  };
  const options = { schema, config: OWN_DEADLINE };
  typed(app).get("/v2/market/listings/:listing_id/price-engine", options, async ({ params }) => {
    const id = params.listing_id.toLowerCase();
    const models = await findModels(id);
    if (models === undefined) {
      throw new AppError("listing_not_found", "there is no visible listing with this id");
    }
    const items = (await priceListings(new Map([[id, models]]))).get(id) ?? [];
    return { items: [...items], total: items.length };
  });
}

/** An extension of the contract: the price-engine endpoint for a page of listings. */
export function addPriceManyListings(
  app: FastifyInstance,
  { read, priceListings }: PricedContext,
): void {
  app.addSchema(PricedListing);
  const schema = {
    operationId: "listPriceEngineMatches",
    tags: ["Market"],
    summary: "Get the current price-engine model matches for many listings",
    description:
      "For each id, in the order of the request and once, what the price-engine endpoint of that listing returns. `items` is " +
      "empty for an id without a visible listing. A read-only token may call this.",
    body: Type.Object(
      { listing_ids: Type.Array(Id, { minItems: 1, maxItems: IDS_MAX }) },
      { additionalProperties: false },
    ),
    response: {
      200: Type.Object({ items: Type.Array(named(PricedListing)) }),
      ...failures(400, 401),
    },
  };
  const route = { schema, config: { isRead: true } };
  typed(app).post("/v2/market/price-engine/matches", route, async ({ body }) => {
    const ids = [...new Set(body.listing_ids.map((id) => id.toLowerCase()))];
    const priced = await priceListings(await read((db) => findListingModels(db, ids)));
    return { items: ids.map((id) => ({ listing_id: id, items: [...(priced.get(id) ?? [])] })) };
  });
}

function toCellKey({ configuration_id, year, condition_bucket }: ModelCellKey): string {
  return `${configuration_id} ${year} ${condition_bucket}`;
}

function parseCellKey(key: string): ModelCellKey {
  const [configuration_id = "", year, bucket] = key.split(" ");
  return { configuration_id, year: Number(year), condition_bucket: bucket as ConditionBucket };
}
