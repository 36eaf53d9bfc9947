import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { listTargetPage } from "../../../alerts/deliveries/list-targets.ts";
import { getObject } from "../../../manifest/write-object.ts";
import { PAGE_QUERY } from "../page-query.ts";
import { failures, named, optional, type RouteContext, typed } from "../schemas.ts";
import { sendObject } from "../writes.ts";
import { TARGETS, TargetParams, WebhookTargetBody } from "./target-object.ts";

export function addListWebhookTargets(app: FastifyInstance, { db }: RouteContext): void {
  app.addSchema(WebhookTargetBody);
  const schema = {
    operationId: "listWebhookTargets",
    tags: ["Notifications"],
    summary: "List webhook targets",
    description: "One page of the targets, by name.",
    querystring: Type.Object(PAGE_QUERY),
    response: {
      200: Type.Object({
        items: Type.Array(named(WebhookTargetBody)),
        next_cursor: optional(Type.String({ description: "Absent on the last page." })),
      }),
      ...failures(400, 401),
    },
  };
  typed(app).get("/v2/webhook-targets", { schema }, ({ query }) =>
    listTargetPage(db, { limit: query.limit ?? 50, cursor: query.cursor }),
  );
}

export function addGetWebhookTarget(app: FastifyInstance, { db }: RouteContext): void {
  const schema = {
    operationId: "getWebhookTarget",
    tags: ["Notifications"],
    summary: "Get a webhook target",
    description: "Send its `ETag` as `If-Match` to change the target only if it is still the same.",
    params: TargetParams,
    response: { 200: named(WebhookTargetBody), ...failures(400, 401, 404) },
  };
  typed(app).get("/v2/webhook-targets/:target_id", { schema }, async ({ params }, reply) =>
    sendObject(reply, (await getObject(db, TARGETS, params.target_id)).body),
  );
}
