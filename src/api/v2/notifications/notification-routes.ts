import type { FastifyInstance } from "fastify";
import type { RouteContext } from "../schemas.ts";
import { addListDeliveries, addRetryDelivery } from "./deliveries.ts";
import { addTestWebhookTarget } from "./test-target.ts";
import { addWriteTargets } from "./write-targets.ts";

export function addNotificationRoutes(app: FastifyInstance, context: RouteContext): void {
  addWriteTargets(app, context);
  addTestWebhookTarget(app, context);
  addListDeliveries(app, context);
  addRetryDelivery(app, context);
}
