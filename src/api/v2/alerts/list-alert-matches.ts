import type { FastifyInstance } from "fastify";
import { type Static, Type } from "typebox";
import { listMatches, type MatchQuery } from "../../../alerts/match-store.ts";
import { createAnswerCache } from "../../cache/answer-cache.ts";
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
import { AlertParams } from "./alerts.ts";

const MatchContext = Type.Object(
  {
    strategy: optional(Type.String()),
    configuration_id: optional(Id),
    baseline_average_eur_minor: optional(EurMinor),
    baseline_median_eur_minor: optional(EurMinor),
    original_ask_eur_minor: optional(EurMinor),
    hk_markup_eur_minor: optional(EurMinor),
    comparable_ask_eur_minor: optional(EurMinor),
    profit_opportunity_eur_minor: optional(EurMinor),
    minimum_profit_eur_minor: optional(EurMinor),
    year: optional(Type.Integer()),
    condition_bucket: optional(Type.String({ description: "`new`, `like_new` or `used`." })),
    brand: optional(Type.String({ description: "In lower case." })),
    reference: optional(Type.String()),
    source_market: optional(Type.String({ description: "`EU` or `HK`." })),
    snapshot_at_ms: optional(Ms),
    source_sequence: optional(Type.Integer()),
    calculation_version: optional(Type.String()),
    configuration_key: optional(Type.String()),
    calculator_mapping_id: optional(Id),
  },
  { $id: "MatchContext", description: "The calculation at the time of the match." },
);

/** Of extension bodies only. */
export const MatchHeadline = Type.Unsafe<Readonly<Record<string, unknown>>>(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        "The calculation of the headline at the time of the match, as in `match_context`.",
    },
  ),
);

export const AlertMatch = Type.Object(
  {
    alert_id: Id,
    resource: Type.String({ description: "`watch_listing` or `message`." }),
    resource_id: Id,
    listing_id: optional(Id),
    canonical_message_id: Id,
    matched_at_ms: Ms,
    seen_at_ms: optional(Ms),
    match_context: named(MatchContext),
  },
  { $id: "AlertMatch" },
);

/** No alert has more matches, so every larger offset has the same empty page. */
const OFFSET_MAX = 2 ** 31 - 1;

const Query = Type.Object({
  offset: optional(
    Type.Integer({
      minimum: 0,
      default: 0,
      description: "The number of matches to skip.",
    }),
  ),
  limit: optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 50,
      description: "The maximum number of matches.",
    }),
  ),
  unseen_only: optional(
    Type.Boolean({ default: false, description: "Only matches that are not marked as seen." }),
  ),
});

/** Seed 4.2. */
export function addListAlertMatches(app: FastifyInstance, context: RouteContext): void {
  const { db, feed, clock, ready } = context;
  const cache = createAnswerCache({ feed, clock, ready, topic: "alert_matches" });
  app.addSchema(MatchContext);
  app.addSchema(AlertMatch);
  const schema = {
    operationId: "listAlertMatches",
    tags: ["Alerts"],
    summary: "List the matches of an alert",
    description: "Newest first. `total` counts all matches that the query selects.",
    params: AlertParams,
    querystring: Query,
    response: {
      200: Type.Object({ items: Type.Array(named(AlertMatch)), total: Count }),
      ...failures(400, 401, 404),
    },
  };
  const options = { schema, config: OWN_DEADLINE };
  typed(app).get("/v2/alerts/:alert_id/matches", options, (request, reply) => {
    const query = toQuery(request.params.alert_id.toLowerCase(), request.query);
    const key = `${query.alertId} ${query.offset} ${query.limit} ${query.isUnseenOnly}`;
    return cache.send({ request, reply }, key, async () => {
      const body = await listMatches(db(request), query);
      if (body === undefined) throw notFound("alert");
      return { body };
    });
  });
}

function toQuery(alertId: string, query: Static<typeof Query>): MatchQuery {
  return {
    alertId,
    offset: Math.min(query.offset ?? 0, OFFSET_MAX),
    limit: query.limit ?? 50,
    isUnseenOnly: query.unseen_only ?? false,
  };
}
