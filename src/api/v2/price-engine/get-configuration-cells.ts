import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { isUuid } from "../../../base/ids.ts";
import { CONDITION_BUCKETS, pendingCells } from "../../../pricing/cells/cell.ts";
import {
  type ConfigurationWithCells,
  findConfiguration,
} from "../../../pricing/configurations/configuration-store.ts";
import { createAnswerCache } from "../../cache/answer-cache.ts";
import {
  Count,
  EurMinor,
  failures,
  IdParam,
  Ms,
  named,
  notFound,
  OWN_DEADLINE,
  optional,
  type RouteContext,
  typed,
} from "../schemas.ts";
import { addConfigurationSchemas, Configuration, toConfigurationBody } from "./configurations.ts";

export const ConfigurationParams = Type.Object({ id: IdParam("The configuration's id.") });

/** Which cell of a configuration, in a query. */
export const CELL_KEY = {
  year: Type.Integer({ minimum: 1, maximum: 9999, examples: [2021] }),
  condition_bucket: Type.Enum([...CONDITION_BUCKETS], { examples: ["used"] }),
};

export const Cell = Type.Object(
  {
    year: Type.Integer(),
    condition_bucket: Type.String({ description: "`new`, `like_new` or `used`." }),
    lookback_days: Type.Integer(),
    listing_count: Count,
    status: Type.String({ description: "`available`, `insufficient` or `pending`." }),
    source_sequence: optional(Type.Integer()),
    calculation_version: optional(Type.String()),
    calculated_at_ms: optional(Ms),
    market_average_eur_minor: optional(EurMinor),
    consumer_min_eur_minor: optional(EurMinor),
    consumer_max_eur_minor: optional(EurMinor),
    minimum_profit_eur_minor: EurMinor,
    maximum_buy_eur_minor: optional(EurMinor),
  },
  { $id: "Cell" },
);

/** A malformed id gets 404 here, like an unknown one: the contract documents only 401 and 404. */
const acceptAnyId = () => (params: unknown) => ({ value: params });

/** Seed 4.4. */
export function addGetConfigurationCells(app: FastifyInstance, context: RouteContext): void {
  const { db, feed, clock, ready } = context;
  const cache = createAnswerCache({ feed, clock, ready, topic: "price_cells" });
  app.addSchema(Cell);
  addConfigurationSchemas(app);
  const schema = {
    operationId: "getConfigurationCells",
    tags: ["Market"],
    summary: "Read the internal B2C and B2B cells of one configuration",
    description: "The cells of the latest snapshot: newest year first, then new, like_new, used.",
    params: ConfigurationParams,
    response: {
      200: Type.Object({
        configuration: named(Configuration),
        items: Type.Array(named(Cell)),
        is_stale: Type.Boolean(),
        as_of_ms: Ms,
      }),
      ...failures(401, 404),
    },
  };
  const url = "/v2/market/price-engine/configurations/:id/cells";
  const options = { schema, config: OWN_DEADLINE, validatorCompiler: acceptAnyId };
  typed(app).get(url, options, (request, reply) => {
    // In lower case, as the store writes and announces it.
    const id = request.params.id.toLowerCase();
    return cache.send({ request, reply }, id, async () => {
      const row = isUuid(id) ? await findConfiguration(db(request), id) : undefined;
      if (row === undefined) throw notFound("configuration");
      const body = toCellsBody(row, clock.nowMs());
      const staleAtMs = (row.last_success_at_ms ?? 0) + row.stale_after_ms;
      return body.is_stale ? { body } : { body, validUntilMs: staleAtMs };
    });
  });
}

function toCellsBody(row: ConfigurationWithCells, nowMs: number) {
  const { cells, calculated_at_ms, lookback_days, ...configuration } = row;
  const body = toConfigurationBody(configuration, nowMs);
  return {
    configuration: body,
    items:
      calculated_at_ms === null ? pendingCells(row.minimum_profit_overrides, lookback_days) : cells,
    is_stale: body.is_stale,
    as_of_ms: calculated_at_ms ?? row.updated_at_ms,
  };
}
