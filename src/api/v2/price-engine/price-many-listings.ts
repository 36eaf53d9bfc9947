import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { findListingModels } from "../../../alerts/listing-matches.ts";
import { failures, Id, named, type RouteContext, typed } from "../schemas.ts";
import { ListingMatch } from "./listing-match-body.ts";
import type { PriceListings } from "./price-listings.ts";

const IDS_MAX = 100;

const PricedListing = Type.Object(
  { listing_id: Id, items: Type.Array(named(ListingMatch)) },
  { $id: "PricedListing", description: "The price-engine model matches of one listing." },
);

/** An extension of the contract: the price-engine endpoint for a page of listings. */
export function addPriceManyListings(
  app: FastifyInstance,
  { read }: RouteContext,
  priceListings: PriceListings,
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
