import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { SECOND_MS } from "../../../base/clock.ts";
import type { Config } from "../../../base/config.ts";
import type { Logger } from "../../../base/log.ts";
import { createKeptRead } from "../../../db/kept.ts";
import { dropNulls } from "../../../db/row.ts";
import { type BoardFinding, createCheckBoard } from "../../../operations/check-board.ts";
import { DEPTH_MAX } from "../../../operations/operations-store.ts";
import { findOperationsOverview, MATCHES_MAX } from "../../../operations/store-figures.ts";
import type { RateFetch } from "../../../rates/rate-fetch-store.ts";
import {
  Count,
  DurationMs,
  failures,
  Ms,
  named,
  optional,
  type RouteContext,
  typed,
} from "../schemas.ts";

export interface OperationContext extends RouteContext {
  readonly log: Logger;
}

const KEPT_MS = 3 * SECOND_MS;

const OperationsFinding = Type.Object(
  {
    check: Type.String({ description: "Which check found it, such as `quarantine` or `rates`." }),
    is_fine: Type.Boolean(),
    is_warning: optional(
      Type.Boolean({
        description: "True if it works but should not stay as it is, such as an old version.",
      }),
    ),
    text: Type.String({ description: "For people; the wording may change." }),
    command: optional(Type.String({ description: "The command that helps or shows more." })),
    checked_at_ms: Ms,
  },
  { $id: "OperationsFinding", description: "A line of `assay doctor`." },
);

const OperationsQueue = Type.Object(
  {
    step: Type.String({ description: "The step that takes from the queue." }),
    depth: Type.Integer({ minimum: 0, description: `Counted up to ${DEPTH_MAX}.` }),
    oldest_age_ms: optional(
      Type.Integer({ description: "How long its first item has waited, in milliseconds." }),
    ),
  },
  { $id: "OperationsQueue" },
);

const OperationsStep = Type.Object(
  { step: Type.String(), item_count: Count },
  {
    $id: "OperationsStep",
    description: `Items that workers processed in the hours that began in the last 24; matches are counted up to ${MATCHES_MAX}.`,
  },
);

const OperationsBackfill = Type.Object(
  {
    session_name: Type.String({ description: "The session's name at the gateway." }),
    is_fine: Type.Boolean(),
    fetched_at_ms: optional(Ms),
    failing_since_ms: optional(Ms),
    failing_count: Type.Integer({ minimum: 0, description: "Chats that could not be fetched." }),
    retry_at_ms: optional(Ms),
    last_error: optional(Type.String()),
  },
  { $id: "OperationsBackfill", description: "Whether missed messages of a session were fetched." },
);

const Operations = Type.Object(
  {
    as_of_ms: Ms,
    is_fine: Type.Boolean({ description: "All findings are fine." }),
    findings: Type.Array(named(OperationsFinding)),
    pending_checks: Type.Array(Type.String(), {
      description: "Checks that have not finished since the start; ask again a few seconds later.",
    }),
    queues: Type.Array(named(OperationsQueue)),
    steps: Type.Array(named(OperationsStep)),
    lag: Type.Object(
      { match_count: Count, p50_ms: optional(DurationMs), p99_ms: optional(DurationMs) },
      {
        description: `From the time of a message to its match, of the latest ${MATCHES_MAX} matches of the last 24 hours.`,
      },
    ),
    backfills: Type.Array(named(OperationsBackfill)),
    rates: Type.Object(
      {
        source: Type.String({ description: "`none`, or `ecb`: a worker fetches them daily." }),
        fetched_at_ms: optional(Ms),
        latest_day_start_ms: optional(Ms),
        failed_count: Type.Integer({ minimum: 0, description: "Failures since the last fetch." }),
        failing_since_ms: optional(Ms),
        last_error: optional(Type.String()),
        next_at_ms: optional(Ms),
      },
      { description: "How the fetches of exchange rates went." },
    ),
    suspect_asks: Type.Object({ suspect_count: Count, cell_count: Count }),
    quarantine: Type.Object({ event_count: Count, item_count: Count }),
  },
  { $id: "OperationsReport", description: "Whether the installation works, and what it is doing." },
);

/** An extension of the contract. */
export function addGetOperations(app: FastifyInstance, context: OperationContext): void {
  const { forAll, clock, config } = context;
  const board = createCheckBoard({ ...context, pool: forAll.db });
  app.addHook("onClose", () => board.close());
  const findOverview = createKeptRead({ clock, maxMs: KEPT_MS }, async () => {
    const asOfMs = clock.nowMs();
    return { asOfMs, ...(await forAll.read((db) => findOperationsOverview(db, asOfMs))) };
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
      await findOverview();
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
  const { check, isFine, isWarning = false, text, command, checkedAtMs } = finding;
  return {
    check,
    is_fine: isFine,
    text,
    ...(isWarning ? { is_warning: true } : {}),
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
