import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { dropNulls } from "../../../db/row.ts";
import { findListing } from "../../../listings/listing-store.ts";
import { findPriceHistory } from "../../../listings/price-store.ts";
import { Listing, ListingParams, Price, toListingBody } from "../market/listing-body.ts";
import {
  Count,
  EurMinor,
  failures,
  Id,
  Ms,
  named,
  notFound,
  OWN_DEADLINE,
  optional,
  type RouteContext,
  typed,
} from "../schemas.ts";

const PriceHistoryLine = Type.Object(
  {
    listing_id: Id,
    price: Price,
    price_eur_minor: optional(EurMinor),
    message_timestamp_ms: Ms,
    is_reply: optional(
      Type.Literal(true, { description: "A reply to the message of the listing asked it." }),
    ),
  },
  {
    $id: "PriceHistoryLine",
    description: "The price that was asked from this message, or reply, on.",
  },
);

/** An extension of the contract: the listing of a match or a search result. The search route adds the schema `Listing`. */
export function addGetListing(app: FastifyInstance, { read }: RouteContext): void {
  const schema = {
    operationId: "getListing",
    tags: ["Market"],
    summary: "Get one listing",
    description: "Also returns hidden and revoked listings; `source` shows that they are.",
    params: ListingParams,
    response: { 200: named(Listing), ...failures(400, 401, 404) },
  };
  typed(app).get(
    "/v2/market/listings/:listing_id",
    { schema, config: OWN_DEADLINE },
    async (request) => {
      const { params } = request;
      const row = await read(request, (db) => findListing(db, params.listing_id));
      if (row === undefined) throw notFound("listing");
      return toListingBody(row);
    },
  );
}

/** An extension of the contract: how the asking price of a watch changed over time. */
export function addGetPriceHistory(app: FastifyInstance, { db }: RouteContext): void {
  app.addSchema(PriceHistoryLine);
  const schema = {
    operationId: "getPriceHistory",
    tags: ["Market"],
    summary: "Get the price history of a listing's ask",
    description:
      "The prices that the same contact asked for the same reference, dial, year, condition and set: one line for each " +
      "change of the price, oldest first, at most the latest 500. `total` counts all lines.",
    params: ListingParams,
    response: {
      200: Type.Object({ items: Type.Array(named(PriceHistoryLine)), total: Count }),
      ...failures(400, 401, 404),
    },
  };
  const url = "/v2/market/listings/:listing_id/price-history";
  typed(app).get(url, { schema }, async (request) => {
    const { params } = request;
    const history = await findPriceHistory(db(request), params.listing_id);
    if (history === undefined) throw notFound("listing");
    const items = history.rows.map((row) =>
      dropNulls({
        listing_id: row.listing_id,
        price: { amount_minor: row.price_amount_minor, currency: row.price_currency },
        price_eur_minor: row.price_eur_minor,
        message_timestamp_ms: row.message_timestamp_ms,
        is_reply: row.is_reply ? (true as const) : null,
      }),
    );
    return { items, total: history.total };
  });
}
