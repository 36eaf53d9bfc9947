import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { findListingModels } from "../../../alerts/listing-matches.ts";
import { AppError } from "../../../base/errors.ts";
import { createBatchedReads } from "../../cache/batched-reads.ts";
import {
  Count,
  failures,
  IdParam,
  named,
  OWN_DEADLINE,
  type RouteContext,
  typed,
} from "../schemas.ts";
import { addListingMatchSchemas, ListingMatch } from "./listing-match-body.ts";
import type { PriceListings } from "./price-listings.ts";

/** Seed 4.3. */
export function addListListingMatches(
  app: FastifyInstance,
  { read }: RouteContext,
  priceListings: PriceListings,
): void {
  const findModels = createBatchedReads((ids) => read((db) => findListingModels(db, ids)));
  addListingMatchSchemas(app);
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
    const id = params.listing_id.toLowerCase();
    const models = await findModels(id);
    if (models === undefined) {
      throw new AppError("listing_not_found", "there is no visible listing with this id");
    }
    const items = (await priceListings(new Map([[id, models]]))).get(id) ?? [];
    return { items: [...items], total: items.length };
  });
}
