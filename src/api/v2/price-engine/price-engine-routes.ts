import type { FastifyInstance } from "fastify";
import type { RouteContext } from "../schemas.ts";
import { addGetBackcast } from "./get-backcast.ts";
import { addGetCellHistory } from "./get-cell-history.ts";
import { addGetConfigurationCells } from "./get-configuration-cells.ts";
import { addGetPopulation } from "./get-population.ts";
import { addListConfigurations } from "./list-configurations.ts";
import { addListListingMatches } from "./list-listing-matches.ts";
import { addPreviewConfiguration } from "./preview-configuration.ts";
import { createPriceListings } from "./price-listings.ts";
import { addPriceManyListings } from "./price-many-listings.ts";
import { addSearchLiveFeed } from "./search-live-feed.ts";
import { addWriteConfigurations } from "./write-configurations.ts";
import { addWriteProfiles } from "./write-profiles.ts";

export function addPriceEngineRoutes(app: FastifyInstance, context: RouteContext): void {
  const priceListings = createPriceListings(context);
  addListListingMatches(app, context, priceListings);
  addPriceManyListings(app, context, priceListings);
  addSearchLiveFeed(app, context, priceListings);
  addGetConfigurationCells(app, context);
  addListConfigurations(app, context);
  addGetCellHistory(app, context);
  addWriteConfigurations(app, context);
  addWriteProfiles(app, context);
  addGetBackcast(app, context);
  addGetPopulation(app, context);
  addPreviewConfiguration(app, context);
}
