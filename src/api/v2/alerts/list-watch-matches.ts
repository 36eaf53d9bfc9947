import type { FastifyInstance } from "fastify";
import { type Static, Type } from "typebox";
import { hasAlert } from "../../../alerts/alert-store.ts";
import { listWatches, type WatchQuery } from "../../../alerts/watch-matches.ts";
import type { Database } from "../../../db/database.ts";
import { findListings } from "../../../listings/listing-store.ts";
import { createAnswerCache } from "../../cache/answer-cache.ts";
import { CursorText, Listing, toListingBody } from "../market/listing-body.ts";
import { PRICE_MEMBERS, type PricedContext, toPriceMembers } from "../market/price-body.ts";
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
import { AlertMatch } from "./list-alert-matches.ts";

const NamedAlertMatch = Type.Object(
  {
    alert: Type.Object({ id: Id, name: Type.String() }),
    match: named(AlertMatch),
    headline: optional(
      Type.Unsafe<Readonly<Record<string, unknown>>>(
        Type.Object(
          {},
          {
            additionalProperties: true,
            description:
              "The calculation of the headline at the time of the match, as in `match_context`.",
          },
        ),
      ),
    ),
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

const KEPT_MS = 1_000;

const Query = Type.Object({
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
  limit: optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  cursor: optional(CursorText),
});

/** An extension of the contract: what to look at now. The routes of listings and of matches add their schemas. */
export function addListWatchMatches(app: FastifyInstance, context: PricedContext): void {
  const { read, feed, clock, ready, describePrices } = context;
  const cache = createAnswerCache({
    feed,
    clock,
    ready,
    topic: "alert_matches",
    hasManyIds: true,
  });
  app.addSchema(NamedAlertMatch);
  app.addSchema(WatchMatch);
  const schema = {
    operationId: "listWatchMatches",
    tags: ["Alerts"],
    summary: "List the matches of all alerts, one row per watch",
    description:
      "The latest match first. A row has the matches that the query selects, at most the latest 100. It is seen if all of " +
      "them are. The members of the price are those of the listing now, `headline` of a match is as of the match. `unseen_count` counts the watches with a match that is not seen; it stops at 10,000 matches.",
    querystring: Query,
    response: {
      200: Type.Object({
        items: Type.Array(named(WatchMatch)),
        next_cursor: NextCursor,
        unseen_count: Count,
      }),
      ...failures(400, 401, 404),
    },
  };
  const route = { schema, config: OWN_DEADLINE };
  typed(app).get("/v2/alerts/matches", route, (request, reply) => {
    const query = toQuery(request.query);
    // Listings change without being announced here, so an answer is kept for a second at most.
    const validUntilMs = clock.nowMs() + KEPT_MS;
    return cache.send({ request, reply }, JSON.stringify(query), async () => ({
      body: await read((db) => listWatchBodies(db, query, describePrices)),
      validUntilMs,
    }));
  });
}

interface PageQuery {
  readonly selection: WatchQuery;
  readonly page: { readonly limit: number; readonly cursor?: string };
}

function toQuery(query: Static<typeof Query>): PageQuery {
  const page = { limit: query.limit ?? 50 };
  return {
    selection: {
      strategy: query.strategy ?? null,
      alertId: query.alert_id?.toLowerCase() ?? null,
      isUnseenOnly: query.unseen_only ?? false,
      includesShadow: query.include_shadow ?? false,
    },
    page: query.cursor === undefined ? page : { ...page, cursor: query.cursor },
  };
}

async function listWatchBodies(
  db: Database,
  { selection, page }: PageQuery,
  describePrices: PricedContext["describePrices"],
) {
  const { alertId } = selection;
  if (alertId !== null && !(await hasAlert(db, alertId))) throw notFound("alert");
  const found = await listWatches(db, selection, page);
  const ids = found.items.map(({ resource_id }) => resource_id);
  const listings = new Map((await findListings(db, ids)).map((row) => [row.id, row]));
  const prices = await describePrices(db, [...listings.keys()]);
  return {
    items: found.items.map(({ matches, ...watch }) => {
      const listing = listings.get(watch.resource_id);
      return {
        ...watch,
        ...(listing === undefined ? {} : { listing: toListingBody(listing) }),
        ...toPriceMembers(prices.get(watch.resource_id)),
        matches,
      };
    }),
    unseen_count: found.unseenCount,
    ...(found.nextCursor === undefined ? {} : { next_cursor: found.nextCursor }),
  };
}
