import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { findListingModels } from "../../../alerts/listing-matches.ts";
import { priceModels } from "../../../alerts/listing-prices.ts";
import { AppError } from "../../../base/errors.ts";
import { createBatchedReads } from "../../cache/kept-rows.ts";
import { ListingParams } from "../market/listing-body.ts";
import {
  ListingPrice,
  MatchBody,
  PRICE_MEMBERS,
  type PricedContext,
  readsDeals,
  toPriceMembers,
} from "../market/price-body.ts";
import { Count, failures, Id, named, OWN_DEADLINE, typed } from "../schemas.ts";

const IDS_MAX = 100;

const PricedListing = Type.Object(
  {
    listing_id: Id,
    items: Type.Array(named(MatchBody)),
    prices: Type.Array(named(ListingPrice), { description: "In the order of `items`." }),
    ...PRICE_MEMBERS,
  },
  { $id: "PricedListing", description: "The price-engine model matches of one listing." },
);

/** Seed 4.3. */
export function addListListingMatches(
  app: FastifyInstance,
  { forAll, clock, findCells }: PricedContext,
): void {
  const findModels = createBatchedReads((ids) => forAll.read((db) => findListingModels(db, ids)));
  const schema = {
    operationId: "listListingPriceEngineMatches",
    tags: ["Market"],
    summary: "Get the current price-engine model matches for one listing",
    description:
      "The configurations that the visible for-sale listing belongs to, each with its exact year and condition cell; the " +
      "headline first, then the highest profit. Empty if it belongs to none. This never writes and never recalculates.",
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
    const priced = await priceModels(new Map([[id, models]]), findCells, clock.nowMs());
    const items = (priced.get(id) ?? []).map(({ item }) => item);
    return { items, total: items.length };
  });
}

/** An extension of the contract: the price-engine endpoint for a page of listings. */
export function addPriceManyListings(
  app: FastifyInstance,
  { read, describePrices }: PricedContext,
): void {
  app.addSchema(PricedListing);
  const schema = {
    operationId: "listPriceEngineMatches",
    tags: ["Market"],
    summary: "Get the current price-engine model matches for many listings",
    description:
      "For each id, in the order of the request and once, what the price-engine endpoint of that listing returns, and what it " +
      "means: the headline, whether it is a buy, up to which amount it would be one, and whether the ask is still on offer. " +
      "`items` is empty for an id without a visible listing. A read-only token may call this.",
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
  typed(app).post("/v2/market/price-engine/matches", route, async (request) => {
    const { body } = request;
    const ids = [...new Set(body.listing_ids.map((id) => id.toLowerCase()))];
    const found = await read(request, (db) => describePrices(db, ids));
    return {
      items: ids.map((listing_id) => {
        const { items = [], prices = [] } = found.get(listing_id) ?? {};
        const members = toPriceMembers(found.get(listing_id), readsDeals(request));
        return { listing_id, items: [...items], prices: [...prices], ...members };
      }),
    };
  });
}
