import type { FastifyInstance } from "fastify";
import { type Static, Type } from "typebox";
import { DAY_MS, MINUTE_MS } from "../../../base/clock.ts";
import { AppError } from "../../../base/errors.ts";
import { SETS } from "../../../filters/language/sets.ts";
import { findCellHistory } from "../../../pricing/cells/cell-store.ts";
import { findRules } from "../../../pricing/cells/population.ts";
import {
  type BackcastSteps,
  backcastCell,
  countPoints,
  findDatedAsks,
} from "../../../pricing/cells/would-be-cells.ts";
import {
  Count,
  EurMinor,
  failures,
  Ms,
  named,
  notFound,
  optional,
  type RouteContext,
  typed,
} from "../schemas.ts";
import { CELL_KEY, ConfigurationParams } from "./get-configuration-cells.ts";

const POINTS_MAX = 400;
const POINTS_DEFAULT = 90;

const CellPoint = Type.Object(
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

const HistoryMark = Type.Object(
  {
    at_ms: Ms,
    kind: Type.Enum(["sets"]),
    from: Type.Enum([...SETS]),
    to: Type.Enum([...SETS]),
  },
  {
    $id: "HistoryMark",
    description:
      "From this time on the configuration compares other sets, so its prices may have moved without the market.",
  },
);

const HistoryQuery = Type.Object({
  ...CELL_KEY,
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

const BackcastQuery = Type.Object({
  ...CELL_KEY,
  from_ms: optional(
    Type.Integer({
      minimum: 0,
      description: `No point before this time. Default: ${POINTS_DEFAULT} steps before the last point.`,
    }),
  ),
  to_ms: optional(
    Type.Integer({ minimum: 0, description: "The last point. Default, and at most: now." }),
  ),
  step_ms: optional(
    Type.Integer({
      minimum: MINUTE_MS,
      default: DAY_MS,
      description: `The time between two points. At most ${POINTS_MAX} points fit between the bounds.`,
    }),
  ),
});

/** An extension of the contract: how a price changed over time. */
export function addGetCellHistory(app: FastifyInstance, { db }: RouteContext): void {
  app.addSchema(CellPoint);
  app.addSchema(HistoryMark);
  const schema = {
    operationId: "getCellHistory",
    tags: ["Market"],
    summary: "Read how one cell of a configuration moved",
    description:
      "One point for each change of a value, oldest first. Between two points, the cell had the values of the first. " +
      "`total` counts all points that the query selects; the latest `limit` of them are returned. `marks` are the changes " +
      "of the sets that are compared, of all cells alike, between `from_ms` and `to_ms`.",
    params: ConfigurationParams,
    querystring: HistoryQuery,
    response: {
      200: Type.Object({
        items: Type.Array(named(CellPoint)),
        total: Count,
        marks: Type.Array(named(HistoryMark)),
      }),
      ...failures(400, 401, 404),
    },
  };
  const url = "/v2/market/price-engine/configurations/:id/history";
  typed(app).get(url, { schema }, async (request) => {
    const { params, query } = request;
    const history = await findCellHistory(db(request), {
      configurationId: params.id,
      year: query.year,
      conditionBucket: query.condition_bucket,
      fromMs: query.from_ms ?? null,
      toMs: query.to_ms ?? null,
      limit: query.limit ?? 500,
    });
    if (history === undefined) throw notFound("configuration");
    return history;
  });
}

/** An extension of the contract: a chart that is full from the start. The route of the history adds the schema. */
export function addGetBackcast(app: FastifyInstance, { heavy, clock }: RouteContext): void {
  const schema = {
    operationId: "getBackcast",
    tags: ["Market"],
    summary: "Calculate what one cell would have been in the past",
    description:
      "One point for each step back from `to_ms`, oldest first, calculated with the current rules from the asks that are " +
      "stored: as they are read today, and seen when they were seen. `history` has what was really calculated. `gone` means " +
      "that the cell had no ask.",
    params: ConfigurationParams,
    querystring: BackcastQuery,
    response: {
      200: Type.Object({
        items: Type.Array(named(CellPoint)),
        total: Count,
        is_exact: Type.Boolean({
          description: "False if the cell has more than 5,000 asks, so that some are left out.",
        }),
      }),
      ...failures(400, 401, 404),
    },
  };
  const url = "/v2/market/price-engine/configurations/:id/backcast";
  typed(app).get(url, { schema }, async (request) => {
    const { params, query } = request;
    const steps = toSteps(query, clock.nowMs());
    const key = `backcast ${params.id} ${JSON.stringify(query)}`;
    const found = await heavy.read(request, key, async (db) => {
      const rules = await findRules(db, params.id);
      if (rules === undefined) return undefined;
      const { asks, isExact } = await findDatedAsks(db, rules, { key: query, steps });
      return { isExact, items: await backcastCell(asks, query, { rules, steps }) };
    });
    if (found === undefined) throw notFound("configuration");
    const { items, isExact } = found;
    return { items: [...items], total: items.length, is_exact: isExact };
  });
}

function toSteps(query: Static<typeof BackcastQuery>, nowMs: number): BackcastSteps {
  const stepMs = query.step_ms ?? DAY_MS;
  const toMs = Math.min(query.to_ms ?? nowMs, nowMs);
  const fromMs = query.from_ms ?? Math.max(0, toMs - (POINTS_DEFAULT - 1) * stepMs);
  const steps = { fromMs, toMs, stepMs };
  if (countPoints(steps) > POINTS_MAX) {
    throw new AppError(
      "invalid_payload",
      `step_ms: more than ${POINTS_MAX} points fit between from_ms and to_ms; choose a longer step or a shorter time`,
    );
  }
  return steps;
}
