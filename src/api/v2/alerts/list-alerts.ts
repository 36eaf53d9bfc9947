import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { listAlerts } from "../../../alerts/alert-store.ts";
import { createAnswerCache } from "../../cache/answer-cache.ts";
import {
  Count,
  Filters,
  failures,
  Id,
  Ms,
  named,
  OWN_DEADLINE,
  optional,
  type RouteContext,
} from "../schemas.ts";

const Alert = Type.Object(
  {
    id: Id,
    name: Type.String(),
    enabled: Type.Boolean(),
    filters: Filters,
    strategy: Type.String({ description: "`market_filter` or `price_engine`." }),
    is_system: Type.Boolean(),
    created_at_ms: Ms,
    updated_at_ms: Ms,
    view_id: optional(Id),
    managed_by: optional(Type.String()),
    created_by: optional(Type.String()),
    updated_by: optional(Type.String()),
  },
  { $id: "Alert" },
);

/** Seed 4.1. */
export function addListAlerts(
  app: FastifyInstance,
  { db, feed, clock, ready }: RouteContext,
): void {
  const cache = createAnswerCache({ feed, clock, ready, topic: "alert" });
  app.addSchema(Alert);
  const schema = {
    operationId: "listAlerts",
    tags: ["Alerts"],
    summary: "List market alerts",
    description: "All alerts, newest first.",
    response: {
      200: Type.Object({ items: Type.Array(named(Alert)), total: Count }),
      ...failures(401),
    },
  };
  app.get("/v2/alerts", { schema, config: OWN_DEADLINE }, (request, reply) =>
    cache.send({ request, reply }, "all", async () => {
      const items = await listAlerts(db);
      return { body: { items, total: items.length } };
    }),
  );
}
