import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { channelOptionsOf } from "../../../alerts/deliveries/channels/channel.ts";
import { sendTest } from "../../../alerts/deliveries/send-bundle.ts";
import { findWebhookTarget, reviveTarget } from "../../../alerts/deliveries/target-store.ts";
import { AppError } from "../../../base/errors.ts";
import { createRateLimit } from "../../http/rate-limit.ts";
import { failures, named, optional, type RouteContext, typed } from "../schemas.ts";
import { TargetParams } from "./target-object.ts";

const TestResultBody = Type.Object(
  {
    is_delivered: Type.Boolean(),
    result: Type.String({ description: "The status of the response, or why there was none." }),
    help: optional(Type.String({ description: "What to do about it, if that is known." })),
  },
  { $id: "TestResult" },
);

/** A test makes a request to another host, so it is limited for each target and in all, in one process. */
const PER_TARGET_PER_MINUTE = 6;
const PER_MINUTE = 30;
/** Longer than other requests, because a mail server may be slow to greet. */
const ATTEMPT_TIMEOUT_MS = 10_000;
const HANDLER_TIMEOUT_MS = 12_000;

export function addTestWebhookTarget(
  app: FastifyInstance,
  { db, clock, config }: RouteContext,
): void {
  app.addSchema(TestResultBody);
  const perTarget = createRateLimit({ perMinute: PER_TARGET_PER_MINUTE, clock });
  const inAll = createRateLimit({ perMinute: PER_MINUTE, clock });
  const schema = {
    operationId: "testWebhookTarget",
    tags: ["Notifications"],
    summary: "Send a test message",
    description:
      "Sends a test message now, also in quiet hours, and returns what happened. A test that arrives also ends `gone_at_ms`. " +
      `At most ${PER_TARGET_PER_MINUTE} tests of a target and ${PER_MINUTE} in all per minute; then 429.`,
    params: TargetParams,
    response: { 200: named(TestResultBody), ...failures(400, 401, 403, 404) },
  };
  const route = { schema, handlerTimeout: HANDLER_TIMEOUT_MS };
  typed(app).post("/v2/webhook-targets/:target_id/test", route, async ({ params }, reply) => {
    const found = await findWebhookTarget(db, params.target_id);
    if (found === undefined) {
      throw new AppError("webhook_target_not_found", "there is no webhook target with this id");
    }
    const waitSeconds = perTarget.take(found.row.id) ?? inAll.take("all");
    if (waitSeconds !== undefined) {
      reply.header("retry-after", waitSeconds);
      throw new AppError("rate_limited", `too many tests; try again in ${waitSeconds} s`);
    }
    const result = await sendTest(found.row, {
      ...channelOptionsOf(config),
      nowMs: clock.nowMs(),
      timeoutMs: ATTEMPT_TIMEOUT_MS,
      signal: new AbortController().signal,
    });
    if (result.is_delivered) await reviveTarget(db, found.row.id);
    return result;
  });
}
