import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { AppError } from "../../base/errors.ts";
import { findListing } from "../../listings/listing-store.ts";
import { Listing, toListingBody } from "./listing-body.ts";
import { failures, IdParam, named, type RouteContext, TIMED, typed } from "./schemas.ts";

/** An extension: what a match or a search result is about. Needs `Listing` from the search. */
export function addGetListing(app: FastifyInstance, { read }: RouteContext): void {
  const schema = {
    operationId: "getListing",
    tags: ["Market"],
    summary: "Get one listing",
    description: "Hidden and revoked listings too; `source` says that they are.",
    params: Type.Object({ listing_id: IdParam("The listing's id.") }),
    response: { 200: named(Listing), ...failures(400, 401, 404) },
  };
  typed(app).get(
    "/v2/market/listings/:listing_id",
    { schema, config: TIMED },
    async ({ params }) => {
      const row = await read((db) => findListing(db, params.listing_id));
      if (row === undefined) {
        throw new AppError("listing_not_found", "there is no listing with this id");
      }
      return toListingBody(row);
    },
  );
}
