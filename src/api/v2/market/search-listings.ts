import type { FastifyInstance } from "fastify";
import { type Static, Type } from "typebox";
import { AppError } from "../../../base/errors.ts";
import { createSingleFlight } from "../../../base/single-flight.ts";
import type { Database } from "../../../db/database.ts";
import { parseFilter } from "../../../filters/language/filter.ts";
import { LIMITS } from "../../../filters/language/shapes.ts";
import { type FoundListings, searchListings } from "../../../filters/sql/search-listings.ts";
import { findListings, SORTS } from "../../../listings/listing-store.ts";
import { listSharedMessages, SHARED_MAX } from "../../../media/media-store.ts";
import { rankAsks } from "../../../pricing/rank-asks.ts";
import { RANKINGS } from "../../../pricing/ranking.ts";
import { checkMembers, StrictQuery, withParameterNames } from "../filter-body.ts";
import { Filters, failures, Id, named, optional, type RouteContext, typed } from "../schemas.ts";
import { CursorText, Listing, ListingPage, toListingPage } from "./listing-body.ts";
import {
  addPriceSchemas,
  MINIMA_MEMBERS,
  PRICE_MEMBERS,
  type PricedContext,
  readsDeals,
  toMinima,
  toPriceMembers,
} from "./price-body.ts";

const Body = Type.Object(
  {
    filters: optional(Filters),
    sort: optional(
      Type.Enum([...SORTS, ...RANKINGS], {
        default: "newest",
        description:
          "`profit` and `profit_bps`: best first, by what the landed ask is below the average of its headline.",
      }),
    ),
    ...MINIMA_MEMBERS,
    same_photo_elsewhere: optional(
      Type.Boolean({
        description:
          "`true`: only listings with a photo that another dealer posted too, without stock photos; of the " +
          `${SHARED_MAX} messages with one that were posted last. No filter object has this member: nothing that fires or prices ` +
          "may depend on photos.",
      }),
    ),
    limit: optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
    cursor: optional(CursorText),
    include: optional(
      Type.Array(Type.Enum(["price"]), {
        maxItems: 1,
        description: "`price`: also the headline of each listing, and what it means.",
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

const text = (description: string) =>
  optional(Type.String({ maxLength: LIMITS.textLength, pattern: "^[^\\u0000]*$", description }));
const eurMinor = (description: string) => optional(Type.Integer({ minimum: 0, description }));

const Query = Type.Object({
  brand: text("Ignores case, accents and punctuation."),
  reference: text("Ignores case and punctuation: `5711/1A-010` is `57111a010`."),
  year: optional(Type.Integer()),
  condition: text("`NEW`, `LIKE_NEW` or `USED`, in any case."),
  price_gte: eurMinor("Lowest price in minor units of EUR."),
  price_lte: eurMinor("Highest price in minor units of EUR."),
  q: text("Words of which a listing has at least one."),
  sort: optional(Type.Enum([...SORTS], { default: "newest" })),
  limit: optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  cursor: optional(CursorText),
});

/** The price of each listing stands beside it, in the same order. */
const PricedListingPage = Type.Object(
  {
    ...ListingPage.properties,
    prices: optional(Type.Array(Type.Object({ listing_id: Id, ...PRICE_MEMBERS }))),
  },
  { $id: "PricedListingPage" },
);

/** An extension of the contract: the way to find a listing. */
export function addSearchListings(
  app: FastifyInstance,
  { read, heavy, clock, describePrices }: PricedContext,
): void {
  app.addSchema(Listing);
  app.addSchema(ListingPage);
  addPriceSchemas(app);
  app.addSchema(PricedListingPage);
  const schema = {
    operationId: "searchListings",
    tags: ["Market"],
    summary: "Search listings",
    description:
      "One page of the listings that a filter selects. Listings without the sorted value come last; ties are sorted by id. " +
      "Sorted by profit, only asks on offer with a headline are returned that were seen within its look-back, without suspect ones; " +
      "a page may have fewer items than `limit`, even none: there may be more as long as `next_cursor` is present. " +
      "A read-only token may call this.",
    querystring: StrictQuery,
    body: Body,
    response: { 200: named(PricedListingPage), ...failures(400, 401) },
  };
  const config = { isRead: true };
  const shared = createSingleFlight();
  typed(app).post("/v2/market/listings/search", { schema, config }, async (request) => {
    const { body, query } = request;
    const filters = body.filters ?? {};
    const checked = checkMembers(filters, query);
    const isShared = body.same_photo_elsewhere === true;
    const wanted = isShared
      ? restrict(filters, await heavy.read(request, "shared photos", listSharedMessages))
      : filters;
    if (wanted === undefined) return { items: [], ...checked };
    const search = {
      ...toSearch(body, wanted),
      // Which messages these are changes between two pages.
      ...(isShared ? { cursorOf: ["shared photos", parseFilter(filters).clauses] } : {}),
    };
    const isPriced = body.include?.includes("price") === true;
    const find = () =>
      read(request, async (db) => {
        const page =
          "ranking" in search
            ? await findRanked(db, { ...search, nowMs: clock.nowMs() })
            : await searchListings(db, search);
        const ids = page.rows.map(({ id }) => id);
        return { found: page, prices: isPriced ? await describePrices(db, ids) : undefined };
      });
    const key = JSON.stringify([search, isPriced]);
    const { found, prices } = await shared.share(key, find, request.caller);
    const priced = found.rows.map(({ id: listing_id }) => ({
      listing_id,
      ...toPriceMembers(prices?.get(listing_id), readsDeals(request)),
    }));
    return {
      ...toListingPage(found),
      ...(prices === undefined ? {} : { prices: priced }),
      ...checked,
    };
  });
}

/** Restricts a filter to these messages; undefined if it selects none of them. */
function restrict(
  filters: Readonly<Record<string, unknown>>,
  messageIds: readonly string[],
): Readonly<Record<string, unknown>> | undefined {
  const { canonical_message_ids: asked } = filters;
  const wanted = Array.isArray(asked) && asked.length > 0 ? new Set<unknown>(asked) : undefined;
  const ids = messageIds.filter((id) => wanted?.has(id) !== false);
  return ids.length === 0 ? undefined : { ...filters, canonical_message_ids: ids };
}

/** Throws `invalid_payload` if members do not go together. */
function toSearch(body: Static<typeof Body>, filters: Readonly<Record<string, unknown>>) {
  const { sort = "newest", limit = 50, include_total: isTotalAsked = false } = body;
  const page = { filters, limit, ...(body.cursor === undefined ? {} : { cursor: body.cursor }) };
  const minima = toMinima(body);
  if (sort === "profit" || sort === "profit_bps") {
    if (isTotalAsked) {
      throw new AppError("invalid_payload", `include_total: cannot be asked for with sort ${sort}`);
    }
    return { ...page, ranking: sort, minima };
  }
  const [member] = Object.keys(MINIMA_MEMBERS).filter((name) => name in body);
  if (member !== undefined) {
    throw new AppError(
      "invalid_payload",
      `${member}: needs sort profit or profit_bps; the live feed has it latest seen first`,
    );
  }
  return { ...page, sort, isTotalAsked };
}

async function findRanked(
  db: Database,
  search: Parameters<typeof rankAsks>[1],
): Promise<FoundListings> {
  const { ids, ...page } = await rankAsks(db, search);
  const rowOf = new Map((await findListings(db, ids)).map((row) => [row.id, row]));
  return { ...page, rows: ids.flatMap((id) => rowOf.get(id) ?? []) };
}

/** An extension of the contract: the search for people with curl. The search route adds the schemas. */
export function addListListings(app: FastifyInstance, { read }: RouteContext): void {
  const schema = {
    operationId: "listListings",
    tags: ["Market"],
    summary: "List listings",
    description:
      "The search with the most common members of a filter as query parameters. Each takes one value.",
    querystring: Query,
    response: { 200: named(ListingPage), ...failures(400, 401) },
  };
  const shared = createSingleFlight();
  typed(app).get("/v2/market/listings", { schema }, async (request) => {
    const { query } = request;
    const { price_gte: gte, price_lte: lte, year, q = "" } = query;
    const filters = {
      brand: toList(query.brand),
      reference: toList(query.reference),
      years: year === undefined ? [] : [year],
      condition: toList(query.condition),
      price: {
        ...(gte === undefined ? {} : { gte }),
        ...(lte === undefined ? {} : { lte }),
      },
      q,
    };
    const search = {
      filters,
      sort: query.sort ?? "newest",
      limit: query.limit ?? 50,
      isTotalAsked: false,
      ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
    };
    const find = () => withParameterNames(() => read(request, (db) => searchListings(db, search)));
    const found = await shared.share(JSON.stringify(search), find, request.caller);
    return toListingPage(found);
  });
}

/** In a filter, an empty list asks nothing. */
function toList(value = ""): readonly string[] {
  return value === "" ? [] : [value];
}
