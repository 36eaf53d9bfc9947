import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { findListings } from "../../../listings/listing-store.ts";
import { searchLiveFeed, toFeedMinima } from "../../../pricing/live-feed.ts";
import { rankAsks } from "../../../pricing/rank-asks.ts";
import { RANKINGS } from "../../../pricing/ranking.ts";
import { checkMembers, StrictQuery, Warnings } from "../filter-body.ts";
import { CursorText, Listing, toListingBody } from "../market/listing-body.ts";
import {
  MatchBody,
  MINIMA_MEMBERS,
  PRICE_MEMBERS,
  type PricedContext,
  readsDeals,
  toMinima,
  toPriceMembers,
} from "../market/price-body.ts";
import { Filters, failures, NextCursor, named, optional, typed } from "../schemas.ts";

const Body = Type.Object(
  {
    filters: optional(Filters),
    sort: optional(
      Type.Enum(["newest", ...RANKINGS], {
        default: "newest",
        description:
          "Latest seen first, or best first: by profit in euros, or as a share of the market average.",
      }),
    ),
    ...MINIMA_MEMBERS,
    include_hidden: optional(
      Type.Boolean({
        default: false,
        description: "Also watches that were passed, and those of blocked dealers.",
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

export const LiveFeedItem = Type.Object(
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
      "Asks on offer that were seen within the look-back and lie below the average of their headline, latest seen or best first. " +
      "`price_engine` is the headline. Suspect asks are left out. A page may have fewer items than `limit`, even none: there may be " +
      "more as long as `next_cursor` is present. A read-only token may call this.",
    querystring: StrictQuery,
    body: Body,
    response: {
      200: Type.Object({
        items: Type.Array(named(LiveFeedItem)),
        hidden_count: Type.Integer({
          minimum: 0,
          description:
            "How many of this page are left out because they were passed or their dealer is blocked. For the role `market`, passed ones are not left out.",
        }),
        next_cursor: NextCursor,
        warnings: Warnings,
      }),
      ...failures(400, 401),
    },
  };
  const route = { schema, config: { isRead: true } };
  typed(app).post("/v2/market/live-feed/search", route, async (request) => {
    const { body, query } = request;
    const filters = body.filters ?? {};
    const checked = checkMembers(filters, query);
    const key = `live feed ${JSON.stringify(body)}`;
    const { page, listings, prices } = await heavy.read(request, key, async (db) => {
      const { sort = "newest" } = body;
      const search = {
        filters,
        minima: toMinima(body),
        limit: body.limit ?? 50,
        nowMs: clock.nowMs(),
        ...(body.cursor === undefined ? {} : { cursor: body.cursor }),
      };
      const found =
        sort === "newest"
          ? await searchLiveFeed(db, search)
          : await rankAsks(db, { ...search, ranking: sort, minima: toFeedMinima(search.minima) });
      const rows = await findListings(db, found.ids);
      return {
        page: found,
        listings: new Map(rows.map((row) => [row.id, toListingBody(row)])),
        prices: await describePrices(db, found.ids),
      };
    });
    const withDeals = readsDeals(request);
    // Who may not read deals must not learn from the list what was passed.
    const leftOut = withDeals ? "is_left_out" : "is_blocked";
    const isShown = (id: string): boolean =>
      body.include_hidden === true || prices.get(id)?.[leftOut] !== true;
    const items = page.ids.filter(isShown).flatMap((listing_id) => {
      const listing = listings.get(listing_id);
      const own = prices.get(listing_id);
      const profit = own?.headline?.profit_opportunity_eur_minor ?? 0;
      // It changed since it was found. What is below the market now comes with the next search.
      if (listing === undefined || own?.headline === undefined || profit <= 0) return [];
      return [{ listing, price_engine: own.headline, ...toPriceMembers(own, withDeals) }];
    });
    return {
      items,
      hidden_count: page.ids.filter((id) => !isShown(id)).length,
      ...(page.nextCursor === undefined ? {} : { next_cursor: page.nextCursor }),
      ...checked,
    };
  });
}
