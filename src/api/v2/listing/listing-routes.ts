import type { FastifyInstance } from "fastify";
import type { RouteContext } from "../schemas.ts";
import { addCorrectListing } from "./correct-listing.ts";
import { addExplainListing } from "./explain-listing.ts";
import { addGetListingReading } from "./get-listing-reading.ts";

/** What belongs to one listing: how it was read, why it does or does not match, and a person's corrections. */
export function addListingRoutes(app: FastifyInstance, context: RouteContext): void {
  addGetListingReading(app, context);
  addExplainListing(app, context);
  addCorrectListing(app, context);
}
