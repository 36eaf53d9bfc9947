import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { hasAlert } from "../../../alerts/alert-store.ts";
import { markMatchSeen, markPairsSeen, markSeenUpTo } from "../../../alerts/match-store.ts";
import { AppError } from "../../../base/errors.ts";
import {
  failures,
  Id,
  IdParam,
  named,
  notFound,
  optional,
  type RouteContext,
  typed,
} from "../schemas.ts";
import { AlertMatch } from "./list-alert-matches.ts";

const PAIRS_MAX = 1_000;
/** Keeps a call short, because no match can be written while it runs. */
const MARKED_MAX = 5_000;

/** An extension of the contract: marks one match. The list of matches adds the schema `AlertMatch`. */
export function addMarkMatchSeen(app: FastifyInstance, { db, clock }: RouteContext): void {
  const schema = {
    operationId: "markMatchSeen",
    tags: ["Alerts"],
    summary: "Mark a match as seen",
    description:
      "Returns the match. `seen_at_ms` keeps the first time: marking it again changes nothing. An id from before a merge " +
      "leads to the merged match.",
    params: Type.Object({
      alert_id: IdParam("The alert's id."),
      resource_id: IdParam("The match's `resource_id`."),
    }),
    response: { 200: named(AlertMatch), ...failures(400, 401, 403, 404) },
  };
  typed(app).post("/v2/alerts/:alert_id/matches/:resource_id/seen", { schema }, async (request) => {
    const { params } = request;
    const pair = { alertId: params.alert_id, resourceId: params.resource_id };
    const match = await markMatchSeen(db(request), pair, clock.nowMs());
    if (match !== undefined) return match;
    if (!(await hasAlert(db(request), params.alert_id))) throw notFound("alert");
    throw new AppError("match_not_found", "this alert has no match with this resource_id");
  });
}

const Body = Type.Object(
  {
    matches: optional(
      Type.Array(Type.Object({ alert_id: Id, resource_id: Id }), {
        minItems: 1,
        maxItems: PAIRS_MAX,
        description: "The matches to mark; pairs without a match are skipped.",
      }),
    ),
    before_ms: optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: "Marks all matches with a `matched_at_ms` up to this time.",
      }),
    ),
    alert_id: optional(
      Type.String({
        format: "uuid",
        description: "Only with `before_ms`: marks only matches of this alert.",
      }),
    ),
  },
  { examples: [{ before_ms: 1_794_700_800_000 }] },
);

/** An extension of the contract: marks many matches. */
export function addMarkMatchesSeen(app: FastifyInstance, { db, clock }: RouteContext): void {
  const schema = {
    operationId: "markMatchesSeen",
    tags: ["Alerts"],
    summary: "Mark many matches as seen",
    description:
      `Either \`matches\`, or \`before_ms\` with or without \`alert_id\`. At most ${MARKED_MAX} are marked in one call, the ` +
      "oldest first; if `has_more` is true, call again.",
    body: Body,
    response: {
      200: Type.Object({
        seen_count: Type.Integer({
          minimum: 0,
          description: "The number of matches that were not marked before.",
        }),
        has_more: Type.Boolean(),
      }),
      ...failures(400, 401, 403, 404),
    },
  };
  typed(app).post("/v2/alerts/matches/seen", { schema }, async (request) => {
    const { body } = request;
    const { matches, before_ms: beforeMs, alert_id: alertId } = body;
    if ((matches === undefined) === (beforeMs === undefined)) {
      throw new AppError("invalid_payload", "body: send either matches or before_ms");
    }
    if (matches !== undefined) {
      if (alertId !== undefined) {
        throw new AppError("invalid_payload", "body.alert_id: is only allowed with before_ms");
      }
      return {
        seen_count: await markPairsSeen(db(request), matches, clock.nowMs()),
        has_more: false,
      };
    }
    if (alertId !== undefined && !(await hasAlert(db(request), alertId))) throw notFound("alert");
    const selection = {
      beforeMs: beforeMs ?? 0,
      limit: MARKED_MAX,
      ...(alertId === undefined ? {} : { alertId }),
    };
    const count = await db(request).transaction((tx) => markSeenUpTo(tx, selection, clock.nowMs()));
    return { seen_count: count, has_more: count === MARKED_MAX };
  });
}
