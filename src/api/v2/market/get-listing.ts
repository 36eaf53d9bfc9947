import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { AppError } from "../../../base/errors.ts";
import { findListing } from "../../../listings/listing-store.ts";
import { failures, IdParam, named, OWN_DEADLINE, type RouteContext, typed } from "../schemas.ts";
import { Listing, toListingBody } from "./listing-body.ts";

/** An extension of the contract: the listing of a match or a search result. The search route adds the schema `Listing`. */
export function addGetListing(app: FastifyInstance, { read }: RouteContext): void {
  const schema = {
    operationId: "getListing",
    tags: ["Market"],
    summary: "Get one listing",
    description: "Also returns hidden and revoked listings; `source` shows that they are.",
    params: Type.Object({ listing_id: IdParam("The listing's id.") }),
    response: { 200: named(Listing), ...failures(400, 401, 404) },
  };
  typed(app).get(
    "/v2/market/listings/:listing_id",
    { schema, config: OWN_DEADLINE },
    async ({ params }) => {
      const row = await read((db) => findListing(db, params.listing_id));
      if (row === undefined) {
        throw new AppError("listing_not_found", "there is no listing with this id");
      }
      return toListingBody(row);
    },
  );
}
