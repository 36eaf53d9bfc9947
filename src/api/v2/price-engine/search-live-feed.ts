import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { findListingModels, type ListingMatch } from "../../../alerts/listing-matches.ts";
import type { Database } from "../../../db/database.ts";
import { findListings } from "../../../listings/listing-store.ts";
import { type FeedItem, searchLiveFeed } from "../../../pricing/live-feed.ts";
import { checkMembers, StrictQuery, Warnings } from "../filter-body.ts";
import { CursorText, Listing, toListingBody } from "../market/listing-body.ts";
import { Filters, failures, NextCursor, named, optional, typed } from "../schemas.ts";
import { MatchBody, type PricedContext } from "./price-listings.ts";

const Body = Type.Object(
  {
    filters: optional(Filters),
    minimum_profit_eur_minor: optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
        description: "The ask lies at least so far below the market average.",
      }),
    ),
    minimum_discount_bps: optional(
      Type.Integer({
        minimum: 0,
        maximum: 10_000,
        default: 0,
        description: "Likewise, in ten-thousandths of the market average.",
      }),
    ),
    limit: optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
    cursor: optional(CursorText),
  },
  {
    additionalProperties: false,
    examples: [{ filters: { brand: ["Rolex"] }, minimum_profit_eur_minor: 50_000, limit: 10 }],
  },
);

const LiveFeedItem = Type.Object(
  { listing: named(Listing), price_engine: named(MatchBody) },
  { $id: "LiveFeedItem", description: "An ask below its market, and the cell that says so." },
);

/** An extension of the contract: what is cheap now. The search route adds the schema `Listing`. */
export function addSearchLiveFeed(
  app: FastifyInstance,
  { heavy, clock, priceListings }: PricedContext,
): void {
  app.addSchema(LiveFeedItem);
  const schema = {
    operationId: "searchLiveFeed",
    tags: ["Market"],
    summary: "List the asks below their market",
    description:
      "Asks that were seen within the look-back and lie below the average of a cell, latest seen first. `price_engine` is the " +
      "cell with the highest profit. Suspect asks are left out. A page may have fewer items than `limit`, even none: there may be " +
      "more as long as `next_cursor` is present. A read-only token may call this.",
    querystring: StrictQuery,
    body: Body,
    response: {
      200: Type.Object({
        items: Type.Array(named(LiveFeedItem)),
        next_cursor: NextCursor,
        warnings: Warnings,
      }),
      ...failures(400, 401),
    },
  };
  const route = { schema, config: { isRead: true } };
  typed(app).post("/v2/market/live-feed/search", route, async ({ body, query }) => {
    const filters = body.filters ?? {};
    const checked = checkMembers(filters, query);
    const key = `live feed ${JSON.stringify(body)}`;
    const { page, listings, models } = await heavy.read(key, async (db) => {
      const found = await searchLiveFeed(db, {
        filters,
        minimumProfitEurMinor: body.minimum_profit_eur_minor ?? 0,
        minimumDiscountBps: body.minimum_discount_bps ?? 0,
        limit: body.limit ?? 50,
        nowMs: clock.nowMs(),
        ...(body.cursor === undefined ? {} : { cursor: body.cursor }),
      });
      return { page: found, ...(await findShown(db, found.items)) };
    });
    const priced = await priceListings(models);
    const items = page.items.flatMap(({ listing_id, configuration_id }) => {
      const listing = listings.get(listing_id);
      const price_engine = findMatch(priced.get(listing_id), configuration_id);
      // It changed since it was found. What is below the market now comes with the next search.
      if (listing === undefined || price_engine === undefined) return [];
      return [{ listing, price_engine }];
    });
    return {
      items,
      ...(page.nextCursor === undefined ? {} : { next_cursor: page.nextCursor }),
      ...checked,
    };
  });
}

async function findShown(db: Database, items: readonly FeedItem[]) {
  const ids = items.map(({ listing_id }) => listing_id);
  const rows = await findListings(db, ids);
  return {
    listings: new Map(rows.map((row) => [row.id, toListingBody(row)])),
    models: await findListingModels(db, ids),
  };
}

function findMatch(
  matches: readonly ListingMatch[] | undefined,
  configurationId: string,
): ListingMatch | undefined {
  return matches?.find(
    ({ configuration_id, profit_opportunity_eur_minor: profit }) =>
      configuration_id === configurationId && profit !== undefined && profit > 0,
  );
}
