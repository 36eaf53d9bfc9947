import type { FastifyInstance } from "fastify";
import { type Static, Type } from "typebox";
import { hasAlert } from "../../../alerts/alert-store.ts";
import {
  compileWatched,
  listPricedWatches,
  RANKED_DAYS,
  summarizeWatches,
} from "../../../alerts/priced-watches.ts";
import {
  countHidden,
  countWatches,
  type LeftOut,
  type WatchQuery,
} from "../../../alerts/watch-matches.ts";
import { MINUTE_MS } from "../../../base/clock.ts";
import { AppError } from "../../../base/errors.ts";
import type { Database } from "../../../db/database.ts";
import { LIMITS } from "../../../filters/language/shapes.ts";
import { findListings } from "../../../listings/listing-store.ts";
import { OFFER_STATES } from "../../../listings/offers.ts";
import { RANKINGS } from "../../../pricing/ranking.ts";
import { createAnswerCache } from "../../cache/answer-cache.ts";
import { CursorText, Listing, toListingBody } from "../market/listing-body.ts";
import {
  MINIMA_MEMBERS,
  PRICE_MEMBERS,
  type PricedContext,
  readsDeals,
  toMinima,
  toPriceMembers,
} from "../market/price-body.ts";
import { LiveFeedItem } from "../price-engine/search-live-feed.ts";
import {
  Count,
  failures,
  Id,
  Ms,
  NextCursor,
  named,
  notFound,
  OWN_DEADLINE,
  optional,
  typed,
} from "../schemas.ts";
import { AlertMatch, MatchHeadline } from "./list-alert-matches.ts";

const NamedAlertMatch = Type.Object(
  {
    alert: Type.Object({ id: Id, name: Type.String() }),
    match: named(AlertMatch),
    headline: optional(MatchHeadline),
  },
  { $id: "NamedAlertMatch" },
);

const WatchMatch = Type.Object(
  {
    resource: Type.String({ description: "`watch_listing` or `message`." }),
    resource_id: Id,
    matched_at_ms: Ms,
    seen_at_ms: optional(Ms),
    is_shadow: Type.Boolean({ description: "True if none of the matches was sent." }),
    listing: optional(named(Listing)),
    ...PRICE_MEMBERS,
    matches: Type.Array(named(NamedAlertMatch)),
  },
  { $id: "WatchMatch", description: "A watch or a message, with the alerts that it matched." },
);

const HiddenCount = Type.Integer({
  minimum: 0,
  description:
    "How many watches are left out because they were passed or their dealer is blocked, of the latest 1,000. For the role `market`, passed ones are not left out.",
});

const KEPT_MS = 1_000;

/** What both routes select matches by. */
const SELECTION = {
  unseen_only: optional(
    Type.Boolean({ default: false, description: "Only matches that are not marked as seen." }),
  ),
  strategy: optional(
    Type.Enum(["market_filter", "price_engine"], { description: "Only matches of such alerts." }),
  ),
  alert_id: optional(Type.String({ format: "uuid", description: "Only matches of this alert." })),
  include_shadow: optional(
    Type.Boolean({ default: false, description: "Also matches that were not sent." }),
  ),
  include_hidden: optional(
    Type.Boolean({
      default: false,
      description:
        "Also watches that were passed, and those of blocked dealers. Without it, `hidden_count` says how many there are.",
    }),
  ),
  since_ms: optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: `Only matches since then. Sorted by profit, and in the summary, the default is ${RANKED_DAYS} days ago.`,
    }),
  ),
};

const Query = Type.Object({
  ...SELECTION,
  sort: optional(
    Type.Enum(["newest", ...RANKINGS], {
      default: "newest",
      description:
        "`newest`: the latest match first. `profit`, `profit_bps`: best first, only watches on offer with a headline.",
    }),
  ),
  is_buy: optional(
    Type.Boolean({ description: "Whether the watch is a buy now, by its headline." }),
  ),
  offer_state: optional(Type.Enum([...OFFER_STATES])),
  ...MINIMA_MEMBERS,
  reference: optional(
    Type.String({
      minLength: 1,
      maxLength: LIMITS.textLength,
      pattern: "^[^\\u0000]*$",
      description: "Only watches of this reference. Ignores case and punctuation.",
    }),
  ),
  contact_id: optional(
    Type.String({ format: "uuid", description: "Only watches of this contact." }),
  ),
  limit: optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  cursor: optional(CursorText),
});

type QueryValues = Static<typeof Query>;

/** An extension of the contract: what to look at now. The routes of listings and of matches add their schemas. */
export function addListWatchMatches(app: FastifyInstance, context: PricedContext): void {
  const { read, clock } = context;
  const cache = createMatchCache(context);
  app.addSchema(NamedAlertMatch);
  app.addSchema(WatchMatch);
  const schema = {
    operationId: "listWatchMatches",
    tags: ["Alerts"],
    summary: "List the matches of all alerts, one row per watch",
    description:
      "The latest match first, or best first. A row has the matches that the query selects, at most the latest 100. It is seen if all of " +
      "them are. The members of the price are those of the listing now, `headline` of a match is as of the match. `unseen_count` counts the watches with a match that is not seen; it stops at 10,000 matches. " +
      "With `is_buy`, `offer_state` or a minimum, a page may have fewer items than `limit`, even none: there may be more as long as `next_cursor` is present. " +
      "Best first, the 5,000 watches with the latest matches are sorted.",
    querystring: Query,
    response: {
      200: Type.Object({
        items: Type.Array(named(WatchMatch)),
        next_cursor: NextCursor,
        unseen_count: Count,
        hidden_count: HiddenCount,
      }),
      ...failures(400, 401, 404),
    },
  };
  const route = { schema, config: OWN_DEADLINE };
  typed(app).get("/v2/alerts/matches", route, (request, reply) => {
    const { query } = request;
    checkSince(query, clock.nowMs());
    // Listings change without being announced here, so an answer is kept for a second at most.
    const validUntilMs = clock.nowMs() + KEPT_MS;
    const withDeals = readsDeals(request);
    return cache.send({ request, reply }, JSON.stringify([query, withDeals]), async () => ({
      body: await read(request, (db) => listWatchBodies(db, { ...query, withDeals }, context)),
      validUntilMs,
    }));
  });
}

const SummaryQuery = Type.Object(SELECTION);

/** An extension of the contract: what is new, in one line. The live feed adds the schema of its items. */
export function addSummarizeWatchMatches(app: FastifyInstance, context: PricedContext): void {
  const { read, clock } = context;
  const cache = createMatchCache(context);
  const schema = {
    operationId: "summarizeWatchMatches",
    tags: ["Alerts"],
    summary: "Summarize the matches of all alerts",
    description:
      "How many watches matched since a time, how many of them are buys now, and what these are below the market together. " +
      "An ask that was posted in several messages counts once. Counts the 5,000 watches with the latest matches at most.",
    querystring: SummaryQuery,
    response: {
      200: Type.Object({
        match_count: Count,
        buy_count: Count,
        profit_eur_minor: Type.Integer({ description: "Of all buys, in minor units of EUR." }),
        best: optional(named(LiveFeedItem)),
        hidden_count: HiddenCount,
      }),
      ...failures(400, 401, 404),
    },
  };
  const route = { schema, config: OWN_DEADLINE };
  typed(app).get("/v2/alerts/matches/summary", route, (request, reply) => {
    const { query } = request;
    checkSince(query, clock.nowMs());
    const validUntilMs = clock.nowMs() + KEPT_MS;
    const withDeals = readsDeals(request);
    return cache.send({ request, reply }, JSON.stringify([query, withDeals]), async () => ({
      body: await read(request, (db) => summarize(db, { ...query, withDeals }, context)),
      validUntilMs,
    }));
  });
}

/** What a row says of its deal depends on the role, so these answers are not ready for everyone. */
function createMatchCache({ feed, clock }: PricedContext) {
  return createAnswerCache({
    feed,
    clock,
    topic: "alert_matches",
    hasManyIds: true,
    otherTopics: ["deals", "contact_note"],
  });
}

/** A client's clock may be a little ahead. */
function checkSince({ since_ms = 0 }: { readonly since_ms?: number }, nowMs: number): void {
  if (since_ms > nowMs + MINUTE_MS) {
    throw new AppError("invalid_payload", "since_ms: is in the future; it is in milliseconds");
  }
}

async function toSelection(
  db: Database,
  query: Omit<QueryValues, "sort">,
  { withDeals }: { readonly withDeals: boolean },
): Promise<WatchQuery> {
  const alertId = query.alert_id?.toLowerCase() ?? null;
  if (alertId !== null && !(await hasAlert(db, alertId))) throw notFound("alert");
  return {
    strategy: query.strategy ?? null,
    alertId,
    isUnseenOnly: query.unseen_only ?? false,
    includesShadow: query.include_shadow ?? false,
    leftOut: toLeftOut(query.include_hidden ?? false, withDeals),
    sinceMs: query.since_ms ?? null,
    listing: await compileWatched(db, {
      reference: query.reference ?? null,
      contactId: query.contact_id ?? null,
    }),
  };
}

function toLeftOut(includesAll: boolean, withDeals: boolean): LeftOut {
  if (includesAll) return "none";
  return withDeals ? "blocked_and_passed" : "blocked";
}

async function listWatchBodies(
  db: Database,
  { withDeals, ...query }: QueryValues & { readonly withDeals: boolean },
  { clock, describePrices }: PricedContext,
) {
  const { sort = "newest", limit = 50, cursor, ...selected } = query;
  const selection = await toSelection(db, selected, { withDeals });
  const found = await listPricedWatches(
    db,
    {
      selection,
      conditions: {
        isBuy: query.is_buy ?? null,
        offerState: query.offer_state ?? null,
        minima: toMinima(query),
      },
      ranking: sort === "newest" ? null : sort,
      limit,
      key: [sort, Object.entries(selected).sort()],
      ...(cursor === undefined ? {} : { cursor }),
    },
    { nowMs: clock.nowMs(), describePrices },
  );
  const ids = found.watches.map(({ resource_id }) => resource_id);
  const listings = new Map((await findListings(db, ids)).map((row) => [row.id, row]));
  const { unseenCount, hiddenCount } = await countWatches(db, selection);
  return {
    items: found.watches.map(({ matches, ...watch }) => {
      const listing = listings.get(watch.resource_id);
      return {
        ...watch,
        ...(listing === undefined ? {} : { listing: toListingBody(listing) }),
        ...toPriceMembers(found.prices.get(watch.resource_id), withDeals),
        matches,
      };
    }),
    unseen_count: unseenCount,
    hidden_count: hiddenCount,
    ...(found.nextCursor === undefined ? {} : { next_cursor: found.nextCursor }),
  };
}

async function summarize(
  db: Database,
  { withDeals, ...query }: Static<typeof SummaryQuery> & { readonly withDeals: boolean },
  { clock, describePrices }: PricedContext,
) {
  const selection = await toSelection(db, query, { withDeals });
  const { bestId, ...summary } = await summarizeWatches(db, selection, clock.nowMs());
  const ids = bestId === undefined ? [] : [bestId];
  const [listing] = await findListings(db, ids);
  const prices = (await describePrices(db, ids)).get(bestId ?? "");
  const best =
    listing === undefined || prices?.headline === undefined
      ? {}
      : {
          best: {
            listing: toListingBody(listing),
            price_engine: prices.headline,
            ...toPriceMembers(prices, withDeals),
          },
        };
  return {
    match_count: summary.matchCount,
    buy_count: summary.buyCount,
    profit_eur_minor: summary.profitEurMinor,
    hidden_count: await countHidden(db, selection),
    ...best,
  };
}
