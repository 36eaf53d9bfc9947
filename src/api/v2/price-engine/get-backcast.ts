import type { FastifyInstance } from "fastify";
import { type Static, Type } from "typebox";
import { DAY_MS, MINUTE_MS } from "../../../base/clock.ts";
import { AppError } from "../../../base/errors.ts";
import { CONDITION_BUCKETS } from "../../../pricing/cells/cell.ts";
import { findRules } from "../../../pricing/cells/population.ts";
import {
  type BackcastSteps,
  backcastCell,
  countPoints,
  findDatedAsks,
} from "../../../pricing/cells/would-be-cells.ts";
import { Count, failures, IdParam, named, optional, type RouteContext, typed } from "../schemas.ts";
import { CellPoint } from "./get-cell-history.ts";

const POINTS_MAX = 400;
const POINTS_DEFAULT = 90;

const Query = Type.Object({
  year: Type.Integer({ minimum: 1, maximum: 9999, examples: [2021] }),
  condition_bucket: Type.Enum([...CONDITION_BUCKETS], { examples: ["used"] }),
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
    params: Type.Object({ id: IdParam("The configuration's id.") }),
    querystring: Query,
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
  typed(app).get(url, { schema }, async ({ params, query }) => {
    const steps = toSteps(query, clock.nowMs());
    const key = `backcast ${params.id} ${JSON.stringify(query)}`;
    const found = await heavy.read(key, async (db) => {
      const rules = await findRules(db, params.id);
      if (rules === undefined) return undefined;
      const { asks, isExact } = await findDatedAsks(db, rules, { key: query, steps });
      return { isExact, items: await backcastCell(asks, query, { rules, steps }) };
    });
    if (found === undefined) {
      throw new AppError("configuration_not_found", "there is no configuration with this id");
    }
    const { items, isExact } = found;
    return { items: [...items], total: items.length, is_exact: isExact };
  });
}

function toSteps(query: Static<typeof Query>, nowMs: number): BackcastSteps {
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
