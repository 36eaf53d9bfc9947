import type { FastifyInstance } from "fastify";
import type { RouteContext } from "../schemas.ts";
import { addGetListing } from "./get-listing.ts";
import { addGetPriceHistory } from "./get-price-history.ts";
import { addListListings } from "./list-listings.ts";
import { addSearchListings } from "./search-listings.ts";

export function addMarketRoutes(app: FastifyInstance, context: RouteContext): void {
  addSearchListings(app, context);
  addListListings(app, context);
  addGetListing(app, context);
  addGetPriceHistory(app, context);
}
