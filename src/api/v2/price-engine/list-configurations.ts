import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { listConfigurations } from "../../../pricing/configurations/list-configurations.ts";
import { NextCursor, PAGE_QUERY } from "../page-query.ts";
import { Count, failures, named, optional, type RouteContext, typed } from "../schemas.ts";
import { Configuration, toConfigurationBody } from "./configuration-body.ts";

const TEXT_LENGTH_MAX = 200;
// PostgreSQL cannot store a null character in text, so it is refused here.
const textFilter = (description: string) =>
  optional(
    Type.String({
      minLength: 1,
      maxLength: TEXT_LENGTH_MAX,
      pattern: "^[^\\u0000]*$",
      description,
    }),
  );

const Query = Type.Object({
  brand: textFilter("The brand; case does not matter."),
  reference: textFilter(
    "The configuration's own reference or its market reference; punctuation and case do not matter.",
  ),
  status: optional(
    Type.Enum(["available", "insufficient", "pending"], { description: "The `cell_status`." }),
  ),
  profile: textFilter("A profile's name or id."),
  q: textFilter("Words that must all occur in key, label, brand, reference or summary."),
  limit: optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 50,
      description: "The maximum number of configurations.",
    }),
  ),
  cursor: PAGE_QUERY.cursor,
});

/** An extension of the contract: the way to find a configuration. The route of its cells adds the schemas. */
export function addListConfigurations(app: FastifyInstance, { db, clock }: RouteContext): void {
  const schema = {
    operationId: "listConfigurations",
    tags: ["Market"],
    summary: "List price-engine configurations",
    description:
      "Sorted by `configuration_key`. `total` counts all configurations that the query selects.",
    querystring: Query,
    response: {
      200: Type.Object({
        items: Type.Array(named(Configuration)),
        total: Count,
        next_cursor: NextCursor,
      }),
      ...failures(400, 401),
    },
  };
  typed(app).get("/v2/market/price-engine/configurations", { schema }, async ({ query }) => {
    const { limit = 50, ...filters } = query;
    const page = await listConfigurations(db, { ...filters, limit });
    const nowMs = clock.nowMs();
    return {
      items: page.rows.map((row) => toConfigurationBody(row, nowMs)),
      total: page.total,
      ...(page.nextCursor === undefined ? {} : { next_cursor: page.nextCursor }),
    };
  });
}
