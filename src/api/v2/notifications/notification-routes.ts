import type { FastifyInstance } from "fastify";
import type { Config } from "../../../base/config.ts";
import type { RouteContext } from "../schemas.ts";
import { addListDeliveries, addRetryDelivery } from "./deliveries.ts";
import { addGetWebhookTarget, addListWebhookTargets } from "./read-targets.ts";
import { addTestWebhookTarget } from "./test-target.ts";
import {
  addChangeWebhookTarget,
  addCreateWebhookTarget,
  addDeleteWebhookTarget,
} from "./write-targets.ts";

export function addNotificationRoutes(
  app: FastifyInstance,
  context: RouteContext & { readonly config: Config },
): void {
  addListWebhookTargets(app, context);
  addGetWebhookTarget(app, context);
  addCreateWebhookTarget(app, context);
  addChangeWebhookTarget(app, context);
  addDeleteWebhookTarget(app, context);
  addTestWebhookTarget(app, context);
  addListDeliveries(app, context);
  addRetryDelivery(app, context);
}
