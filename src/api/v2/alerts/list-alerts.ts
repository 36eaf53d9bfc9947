import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { listAlerts } from "../../../alerts/alert-store.ts";
import { createAnswerCache } from "../../cache/answer-cache.ts";
import { Count, failures, named, OWN_DEADLINE, type RouteContext } from "../schemas.ts";
import { AlertBody } from "./alert-object.ts";

/** Seed 4.1. */
export function addListAlerts(
  app: FastifyInstance,
  { db, feed, clock, ready }: RouteContext,
): void {
  const cache = createAnswerCache({ feed, clock, ready, topic: "alert" });
  app.addSchema(AlertBody);
  const schema = {
    operationId: "listAlerts",
    tags: ["Alerts"],
    summary: "List market alerts",
    description: "All alerts, newest first.",
    response: {
      200: Type.Object({ items: Type.Array(named(AlertBody)), total: Count }),
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
