import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { AppError } from "../../../base/errors.ts";
import { CONDITION_BUCKETS } from "../../../pricing/cells/cell.ts";
import { findCellHistory } from "../../../pricing/cells/cell-store.ts";
import {
  Count,
  EurMinor,
  failures,
  IdParam,
  Ms,
  named,
  optional,
  type RouteContext,
  typed,
} from "../schemas.ts";

export const CellPoint = Type.Object(
  {
    calculated_at_ms: Ms,
    status: Type.String({ description: "`available`, `insufficient`, or `gone`." }),
    listing_count: Count,
    market_average_eur_minor: optional(EurMinor),
    market_median_eur_minor: optional(EurMinor),
    consumer_min_eur_minor: optional(EurMinor),
    consumer_max_eur_minor: optional(EurMinor),
    maximum_buy_eur_minor: optional(EurMinor),
  },
  { $id: "CellPoint", description: "The values of a cell from this time on." },
);

const Query = Type.Object({
  year: Type.Integer({ minimum: 1, maximum: 9999, examples: [2021] }),
  condition_bucket: Type.Enum([...CONDITION_BUCKETS], { examples: ["used"] }),
  from_ms: optional(
    Type.Integer({ minimum: 0, description: "Only points calculated at this time or later." }),
  ),
  to_ms: optional(
    Type.Integer({ minimum: 0, description: "Only points calculated at this time or earlier." }),
  ),
  limit: optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 500,
      description: "The maximum number of points; the latest ones are returned.",
    }),
  ),
});

/** An extension of the contract: how a price changed over time. */
export function addGetCellHistory(app: FastifyInstance, { db }: RouteContext): void {
  app.addSchema(CellPoint);
  const schema = {
    operationId: "getCellHistory",
    tags: ["Market"],
    summary: "Read how one cell of a configuration moved",
    description:
      "One point for each change of a value, oldest first. Between two points, the cell had the values of the first. " +
      "`total` counts all points that the query selects; the latest `limit` of them are returned.",
    params: Type.Object({ id: IdParam("The configuration's id.") }),
    querystring: Query,
    response: {
      200: Type.Object({ items: Type.Array(named(CellPoint)), total: Count }),
      ...failures(400, 401, 404),
    },
  };
  const url = "/v2/market/price-engine/configurations/:id/history";
  typed(app).get(url, { schema }, async ({ params, query }) => {
    const history = await findCellHistory(db, {
      configurationId: params.id,
      year: query.year,
      conditionBucket: query.condition_bucket,
      fromMs: query.from_ms ?? null,
      toMs: query.to_ms ?? null,
      limit: query.limit ?? 500,
    });
    if (history === undefined) {
      throw new AppError("configuration_not_found", "there is no configuration with this id");
    }
    return history;
  });
}
