import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { MEMBERS } from "../../../filters/language/members.ts";
import { searchListings } from "../../../filters/sql/search-listings.ts";
import { SORTS } from "../../../listings/listing-store.ts";
import { Count, failures, named, optional, type RouteContext, typed } from "../schemas.ts";
import { Listing, toListingBody } from "./listing-body.ts";

const CURSOR_LENGTH_MAX = 500;

/** Lists the members by name only: `parseFilter` checks their values and reports what is wrong. */
const FilterBody = Type.Unsafe<Readonly<Record<string, unknown>>>(
  Type.Object(
    Object.fromEntries([...MEMBERS.keys()].map((name) => [name, optional(Type.Unknown())])),
    {
      $id: "Filters",
      additionalProperties: true,
      description:
        "A listing filter object: every member that is present must hold. See docs/filters.md.",
    },
  ),
);

const Body = Type.Object(
  {
    filters: optional(named(FilterBody)),
    sort: optional(Type.Enum([...SORTS], { default: "newest" })),
    limit: optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
    cursor: optional(
      Type.String({
        maxLength: CURSOR_LENGTH_MAX,
        description: "`next_cursor` of the previous page.",
      }),
    ),
    include_total: optional(
      Type.Boolean({
        default: false,
        description: "Also count all listings that the filter selects; slow for a broad filter.",
      }),
    ),
  },
  {
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
  app.addSchema(FilterBody);
  const schema = {
    operationId: "searchListings",
    tags: ["Market"],
    summary: "Search listings",
    description:
      "One page of the listings that a filter selects. Listings without the sorted value come last; ties are sorted by id. " +
      "A read-only token may call this.",
    body: Body,
    response: {
      200: Type.Object({
        items: Type.Array(named(Listing)),
        next_cursor: optional(Type.String({ description: "Absent on the last page." })),
        total: optional(Count),
      }),
      ...failures(400, 401),
    },
  };
  const config = { isRead: true };
  typed(app).post("/v2/market/listings/search", { schema, config }, async ({ body }) => {
    const found = await read((db) =>
      searchListings(db, {
        filters: body.filters ?? {},
        sort: body.sort ?? "newest",
        limit: body.limit ?? 50,
        isTotalAsked: body.include_total ?? false,
        ...(body.cursor === undefined ? {} : { cursor: body.cursor }),
      }),
    );
    return {
      items: found.rows.map(toListingBody),
      ...(found.nextCursor === undefined ? {} : { next_cursor: found.nextCursor }),
      ...(found.total === undefined ? {} : { total: found.total }),
    };
  });
}
