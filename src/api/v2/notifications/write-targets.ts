import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { listTargetObjects } from "../../../alerts/deliveries/target-store.ts";
import { KINDS } from "../../../manifest/schema.ts";
import {
  addChangeObject,
  addCreateObject,
  addDeleteObject,
  addGetObject,
  addListObjects,
} from "../object-routes.ts";
import type { RouteContext } from "../schemas.ts";
import { patchOf } from "../writes.ts";
import { TARGETS, WebhookTargetBody } from "./target-object.ts";

const ROUTES = {
  kind: TARGETS,
  path: "/v2/webhook-targets",
  idName: "target_id",
  tags: ["Notifications"],
  operationNoun: "WebhookTarget",
  body: WebhookTargetBody,
};

const NewTarget = Type.Object(KINDS.webhooks.properties, {
  additionalProperties: false,
  examples: [
    {
      name: "my phone",
      kind: "ntfy",
      url: "https://ntfy.sh/a-topic-that-is-hard-to-guess",
      quiet_hours: { from: "22:00", to: "07:00", time_zone: "Europe/Berlin" },
    },
  ],
});

const TargetChanges = patchOf(KINDS.webhooks, {
  examples: [{ quiet_hours: { from: "23:00", to: "06:30", time_zone: "Europe/Berlin" } }],
});

export function addWriteTargets(app: FastifyInstance, context: RouteContext): void {
  addListObjects(app, context, ROUTES, listTargetObjects);
  addGetObject(app, context, ROUTES);
  addCreateObject(app, context, ROUTES, {
    given: NewTarget,
    description:
      "Which members a target has depends on its `kind`: `standard` has `url` and `secret`, `ntfy` has `url` and perhaps " +
      "`token`, `telegram` has `bot_token` and `chat_id`, `email` has `to`.",
  });
  addChangeObject(app, context, ROUTES, {
    given: TargetChanges,
    description: "A new `secret`, `token` or `bot_token` replaces the stored one.",
  });
  addDeleteObject(app, context, ROUTES, {
    description: "Also deletes its deliveries. Pending ones are not sent.",
  });
}
