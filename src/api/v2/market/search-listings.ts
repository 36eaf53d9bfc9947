import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { searchListings } from "../../../filters/sql/search-listings.ts";
import { SORTS } from "../../../listings/listing-store.ts";
import { createSharedReads } from "../../cache/shared-reads.ts";
import { FilterBody } from "../filter-body.ts";
import { checkMembers, StrictQuery } from "../filter-warnings.ts";
import { failures, named, optional, type RouteContext, typed } from "../schemas.ts";
import { Listing } from "./listing-body.ts";
import { CursorText, ListingPage, toListingPage } from "./listing-page.ts";

const Body = Type.Object(
  {
    filters: optional(named(FilterBody)),
    sort: optional(Type.Enum([...SORTS], { default: "newest" })),
    limit: optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
    cursor: optional(CursorText),
    include_total: optional(
      Type.Boolean({
        default: false,
        description: "Also count all listings that the filter selects; slow for a broad filter.",
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [
      {
        filters: { brand: ["Rolex"], condition: ["NEW"], price: { lte: 1_500_000 } },
        sort: "price_asc",
        limit: 10,
      },
    ],
  },
);

/** An extension of the contract: the way to find a listing. */
export function addSearchListings(app: FastifyInstance, { read }: RouteContext): void {
  app.addSchema(Listing);
  app.addSchema(ListingPage);
  app.addSchema(FilterBody);
  const schema = {
    operationId: "searchListings",
    tags: ["Market"],
    summary: "Search listings",
    description:
      "One page of the listings that a filter selects. Listings without the sorted value come last; ties are sorted by id. " +
      "A read-only token may call this.",
    querystring: StrictQuery,
    body: Body,
    response: { 200: named(ListingPage), ...failures(400, 401) },
  };
  const config = { isRead: true };
  const shared = createSharedReads();
  typed(app).post("/v2/market/listings/search", { schema, config }, async ({ body, query }) => {
    const filters = body.filters ?? {};
    const checked = checkMembers(filters, query);
    const search = {
      filters,
      sort: body.sort ?? "newest",
      limit: body.limit ?? 50,
      isTotalAsked: body.include_total ?? false,
      ...(body.cursor === undefined ? {} : { cursor: body.cursor }),
    };
    const found = await shared.read(JSON.stringify(search), () =>
      read((db) => searchListings(db, search)),
    );
    return { ...toListingPage(found), ...checked };
  });
}
