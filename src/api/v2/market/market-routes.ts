import type { FastifyInstance } from "fastify";
import type { RouteContext } from "../schemas.ts";
import { addCountFacets } from "./count-facets.ts";
import { addExportListings } from "./export-listings.ts";
import { addGetListing } from "./get-listing.ts";
import { addGetPriceHistory } from "./get-price-history.ts";
import { addListListings } from "./list-listings.ts";
import { addSearchListings } from "./search-listings.ts";
import { addSearchReferences } from "./search-references.ts";
import { addSummarizeMarket } from "./summarize-market.ts";

export function addMarketRoutes(app: FastifyInstance, context: RouteContext): void {
  addSearchListings(app, context);
  addListListings(app, context);
  addCountFacets(app, context);
  addSearchReferences(app, context);
  addSummarizeMarket(app, context);
  addExportListings(app, context);
  addGetListing(app, context);
  addGetPriceHistory(app, context);
}
