import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { KINDS } from "../../../manifest/schema.ts";
import { changeObject, createObject, deleteObject } from "../../../manifest/write-object.ts";
import { failures, named, type RouteContext, typed } from "../schemas.ts";
import { expectationOf, IfMatch, patchOf, sendWritten, writerOf } from "../writes.ts";
import { TARGETS, TargetParams, WebhookTargetBody } from "./target-object.ts";

const CreateBody = Type.Object(KINDS.webhooks.properties, {
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

/** Like `patchOf`, with an example. */
const PatchBody = Type.Unsafe<Readonly<Record<string, unknown>>>({
  ...patchOf(KINDS.webhooks),
  examples: [{ quiet_hours: { from: "23:00", to: "06:30", time_zone: "Europe/Berlin" } }],
});

export function addCreateWebhookTarget(app: FastifyInstance, { db, clock }: RouteContext): void {
  const schema = {
    operationId: "createWebhookTarget",
    tags: ["Notifications"],
    summary: "Create a webhook target",
    description:
      "Which members a target has depends on its `kind`: `standard` has `url` and `secret`, `ntfy` has `url` and perhaps " +
      "`token`, `telegram` has `bot_token` and `chat_id`, `email` has `to`. With an `id` of your own you can repeat the request.",
    body: CreateBody,
    response: {
      200: named(WebhookTargetBody),
      201: named(WebhookTargetBody),
      ...failures(400, 401, 403, 409),
    },
  };
  typed(app).post("/v2/webhook-targets", { schema }, async (request, reply) => {
    const writer = writerOf(request, clock);
    return sendWritten(reply, await createObject(db, TARGETS, { given: request.body, writer }));
  });
}

export function addChangeWebhookTarget(app: FastifyInstance, { db, clock }: RouteContext): void {
  const schema = {
    operationId: "changeWebhookTarget",
    tags: ["Notifications"],
    summary: "Change a webhook target",
    description:
      "Replaces the members in the body; `null` removes one. A new `secret`, `token` or `bot_token` replaces the stored one.",
    params: TargetParams,
    headers: IfMatch,
    body: PatchBody,
    response: { 200: named(WebhookTargetBody), ...failures(400, 401, 403, 404, 409, 412) },
  };
  typed(app).patch("/v2/webhook-targets/:target_id", { schema }, async (request, reply) => {
    const change = {
      id: request.params.target_id,
      patch: request.body,
      writer: writerOf(request, clock),
      ...expectationOf(request),
    };
    return sendWritten(reply, await changeObject(db, TARGETS, change));
  });
}

export function addDeleteWebhookTarget(app: FastifyInstance, { db, clock }: RouteContext): void {
  const schema = {
    operationId: "deleteWebhookTarget",
    tags: ["Notifications"],
    summary: "Delete a webhook target",
    description: "Also deletes its deliveries. Pending ones are not sent.",
    params: TargetParams,
    headers: IfMatch,
    response: {
      204: Type.Null({ description: "The target is deleted." }),
      ...failures(400, 401, 403, 404, 409, 412),
    },
  };
  typed(app).delete("/v2/webhook-targets/:target_id", { schema }, async (request, reply) => {
    const { target_id: id } = request.params;
    const writer = writerOf(request, clock);
    await deleteObject(db, TARGETS, { id, writer, ...expectationOf(request) });
    return reply.code(204).send(null);
  });
}
