import type { FastifyInstance } from "fastify";
import { SECOND_MS } from "../../../base/clock.ts";
import type { Config } from "../../../base/config.ts";
import { createKeptAnswer } from "../../../base/kept-answer.ts";
import type { Logger } from "../../../base/log.ts";
import { dropNulls } from "../../../db/row.ts";
import { type BoardFinding, createCheckBoard } from "../../../operations/check-board.ts";
import { findOperationsOverview } from "../../../operations/store-figures.ts";
import type { RateFetch } from "../../../rates/rate-fetch-store.ts";
import { failures, named, type RouteContext, typed } from "../schemas.ts";
import {
  Operations,
  OperationsBackfill,
  OperationsFinding,
  OperationsQueue,
  OperationsStep,
} from "./operations-body.ts";

export interface OperationContext extends RouteContext {
  readonly log: Logger;
}

const KEPT_MS = 3 * SECOND_MS;

/** An extension of the contract. */
export function addGetOperations(app: FastifyInstance, context: OperationContext): void {
  const { read, clock, config } = context;
  const board = createCheckBoard({ ...context, pool: context.db });
  app.addHook("onClose", () => board.close());
  const overview = createKeptAnswer({
    clock,
    ageMaxMs: KEPT_MS,
    load: async () => {
      const asOfMs = clock.nowMs();
      return { asOfMs, ...(await read((db) => findOperationsOverview(db, asOfMs))) };
    },
  });
  for (const schema of [OperationsFinding, OperationsQueue, OperationsStep, OperationsBackfill]) {
    app.addSchema(schema);
  }
  app.addSchema(Operations);
  const schema = {
    operationId: "getOperations",
    tags: ["Operations"],
    summary: "Get the state of the installation",
    description:
      "What `assay doctor` finds, with the command that helps, and queues, steps, lag and back-fills. A few seconds old; " +
      "findings of heavy checks are up to ten minutes old, and missing until `pending_checks` is empty.",
    response: { 200: named(Operations), ...failures(401) },
  };
  typed(app).get("/v2/operations", { schema }, async () => {
    const { findings, pending } = await board.list();
    const { asOfMs, queues, lag, steps, backfills, rateFetch, suspectAsks, quarantine } =
      await overview.find();
    return {
      as_of_ms: asOfMs,
      is_fine: findings.every(({ isFine }) => isFine),
      findings: findings.map((finding) => toFinding(finding, config)),
      pending_checks: [...pending],
      queues: queues.map((queue) => dropNulls(queue)),
      steps: [...steps],
      lag: dropNulls(lag),
      backfills: backfills.map((backfill) => ({
        ...dropNulls(backfill),
        is_fine: backfill.failing_since_ms === null,
      })),
      rates: toRates(rateFetch, config),
      suspect_asks: suspectAsks,
      quarantine,
    };
  });
}

function toFinding(finding: BoardFinding, { isDemo }: Config) {
  const { check, isFine, text, command, checkedAtMs } = finding;
  return {
    check,
    is_fine: isFine,
    text,
    ...(command === undefined ? {} : { command: isDemo ? `${command} --demo` : command }),
    checked_at_ms: checkedAtMs,
  };
}

function toRates({ latest_day, next_at_ms, ...fetched }: RateFetch, { ratesSource }: Config) {
  return dropNulls({
    ...fetched,
    source: ratesSource,
    latest_day_start_ms: latest_day === null ? null : Date.parse(`${latest_day}T00:00:00Z`),
    next_at_ms: ratesSource === "none" || next_at_ms === 0 ? null : next_at_ms,
  });
}
