import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { listTargetPage } from "../../../alerts/deliveries/list-targets.ts";
import { LIMIT_DEFAULT, NextCursor, PAGE_QUERY } from "../page-query.ts";
import { failures, named, type RouteContext, typed } from "../schemas.ts";
import { WebhookTargetBody } from "./target-object.ts";

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
        next_cursor: NextCursor,
      }),
      ...failures(400, 401),
    },
  };
  typed(app).get("/v2/webhook-targets", { schema }, ({ query }) =>
    listTargetPage(db, { limit: query.limit ?? LIMIT_DEFAULT, cursor: query.cursor }),
  );
}
