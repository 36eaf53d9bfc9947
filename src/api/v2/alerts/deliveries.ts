import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import {
  DELIVERY_STATUSES,
  findDelivery,
  listDeliveryPage,
  retryDeliveries,
} from "../../../alerts/deliveries/delivery-store.ts";
import { findWebhookTarget } from "../../../alerts/deliveries/target-store.ts";
import {
  Count,
  failures,
  Id,
  IdParam,
  LIMIT_DEFAULT,
  Ms,
  NextCursor,
  named,
  notFound,
  OWN_DEADLINE,
  optional,
  PAGE_QUERY,
  type RouteContext,
  typed,
} from "../schemas.ts";
import { authorOf } from "../writes.ts";
import { TargetParams } from "./targets.ts";

const DeliveryBody = Type.Object(
  {
    id: Id,
    target_id: Id,
    alert_id: Id,
    alert_name: Type.String(),
    resource: Type.String({ description: "`watch_listing` or `message`." }),
    resource_id: Id,
    status: Type.String({ description: `One of ${DELIVERY_STATUSES.join(", ")}.` }),
    attempt_count: Count,
    last_result: optional(
      Type.String({ description: "The status of the last response, or why there was none." }),
    ),
    next_attempt_at_ms: optional(
      Type.Integer({ description: "Of a pending one; quiet hours are taken into account." }),
    ),
    created_at_ms: Ms,
    finished_at_ms: optional(Ms),
  },
  { $id: "Delivery", description: "One match on its way to one target." },
);

export function addListDeliveries(app: FastifyInstance, { read }: RouteContext): void {
  app.addSchema(DeliveryBody);
  const schema = {
    operationId: "listDeliveries",
    tags: ["Notifications"],
    summary: "List the deliveries of a target",
    description: "One page, newest first. Delivered ones are deleted after 30 days.",
    params: TargetParams,
    querystring: Type.Object(PAGE_QUERY),
    response: {
      200: Type.Object({
        items: Type.Array(named(DeliveryBody)),
        next_cursor: NextCursor,
      }),
      ...failures(400, 401, 404),
    },
  };
  typed(app).get(
    "/v2/webhook-targets/:target_id/deliveries",
    { schema, config: OWN_DEADLINE },
    (request) =>
      read(request, async (db) => {
        const { params, query } = request;
        if ((await findWebhookTarget(db, params.target_id)) === undefined)
          throw notFound("webhook_target");
        const page = { limit: query.limit ?? LIMIT_DEFAULT, cursor: query.cursor };
        return listDeliveryPage(db, params.target_id, page);
      }),
  );
}

export function addRetryDelivery(app: FastifyInstance, { db, clock }: RouteContext): void {
  const schema = {
    operationId: "retryDelivery",
    tags: ["Notifications"],
    summary: "Retry a delivery",
    description:
      "Makes it due now, with all attempts left, and returns it. A target that was gone is sent to again. One that is already " +
      "delivered stays as it is.",
    params: Type.Object({ delivery_id: IdParam("The delivery's id.") }),
    response: { 200: named(DeliveryBody), ...failures(400, 401, 403, 404) },
  };
  typed(app).post("/v2/deliveries/:delivery_id/retry", { schema }, (request) =>
    db(request).transaction(async (tx) => {
      const { delivery_id: id } = request.params;
      await retryDeliveries(tx, { ids: [id] }, authorOf(request, { clock }));
      const delivery = await findDelivery(tx, id);
      if (delivery !== undefined) return delivery;
      throw notFound("delivery");
    }),
  );
}
