import type { FastifyInstance } from "fastify";
import type { Catalogue } from "../../../listings/extraction/catalogue/catalogue.ts";
import { loadCatalogue } from "../../../listings/load-catalogue.ts";
import type { RouteContext } from "../schemas.ts";
import { addCorrectListing } from "./correct-listing.ts";
import { addExplainListing } from "./explain-listing.ts";
import { addGetListingReading } from "./get-listing-reading.ts";
import type { ListingContext } from "./listing-context.ts";

/** What belongs to one listing: how it was read, why it does or does not match, and a person's corrections. */
export function addListingRoutes(
  app: FastifyInstance,
  options: RouteContext & { readonly config: { readonly catalogueFile?: string } },
): void {
  let catalogue: Promise<Catalogue> | undefined;
  const context: ListingContext = {
    ...options,
    catalogue: () => {
      catalogue ??= loadCatalogue(options.config.catalogueFile);
      return catalogue;
    },
  };
  addGetListingReading(app, context);
  addExplainListing(app, context);
  addCorrectListing(app, context);
}
