import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { findListings } from "../../../listings/listing-store.ts";
import { searchLiveFeed } from "../../../pricing/live-feed.ts";
import { checkMembers, StrictQuery, Warnings } from "../filter-body.ts";
import { CursorText, Listing, toListingBody } from "../market/listing-body.ts";
import {
  MatchBody,
  PRICE_MEMBERS,
  type PricedContext,
  toPriceMembers,
} from "../market/price-body.ts";
import { Filters, failures, NextCursor, named, optional, typed } from "../schemas.ts";

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
  { listing: named(Listing), price_engine: named(MatchBody), ...PRICE_MEMBERS },
  { $id: "LiveFeedItem", description: "An ask below its market, and the headline that says so." },
);

/** An extension of the contract: what is cheap now. The search route adds the schema `Listing`. */
export function addSearchLiveFeed(
  app: FastifyInstance,
  { heavy, clock, describePrices }: PricedContext,
): void {
  app.addSchema(LiveFeedItem);
  const schema = {
    operationId: "searchLiveFeed",
    tags: ["Market"],
    summary: "List the asks below their market",
    description:
      "Asks on offer that were seen within the look-back and lie below the average of their headline, latest seen first. " +
      "`price_engine` is the headline. Suspect asks are left out. A page may have fewer items than `limit`, even none: there may be " +
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
    const { page, listings, prices } = await heavy.read(key, async (db) => {
      const found = await searchLiveFeed(db, {
        filters,
        minimumProfitEurMinor: body.minimum_profit_eur_minor ?? 0,
        minimumDiscountBps: body.minimum_discount_bps ?? 0,
        limit: body.limit ?? 50,
        nowMs: clock.nowMs(),
        ...(body.cursor === undefined ? {} : { cursor: body.cursor }),
      });
      const ids = found.items.map(({ listing_id }) => listing_id);
      const rows = await findListings(db, ids);
      return {
        page: found,
        listings: new Map(rows.map((row) => [row.id, toListingBody(row)])),
        prices: await describePrices(db, ids),
      };
    });
    const items = page.items.flatMap(({ listing_id }) => {
      const listing = listings.get(listing_id);
      const own = prices.get(listing_id);
      const profit = own?.headline?.profit_opportunity_eur_minor ?? 0;
      // It changed since it was found. What is below the market now comes with the next search.
      if (listing === undefined || own?.headline === undefined || profit <= 0) return [];
      return [{ listing, price_engine: own.headline, ...toPriceMembers(own) }];
    });
    return {
      items,
      ...(page.nextCursor === undefined ? {} : { next_cursor: page.nextCursor }),
      ...checked,
    };
  });
}
