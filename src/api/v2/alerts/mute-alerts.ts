import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { MUTED_FOREVER_MS, muteAlert } from "../../../alerts/alert-write-store.ts";
import { AppError } from "../../../base/errors.ts";
import { failures, notFound, optional, type RouteContext, typed } from "../schemas.ts";
import { authorOf } from "../writes.ts";
import { AlertParams } from "./alerts.ts";

const Body = Type.Object(
  {
    until_ms: optional(
      Type.Integer({
        minimum: 0,
        maximum: MUTED_FOREVER_MS,
        description: "Milliseconds since 1970, UTC, in the future. Without it, until DELETE.",
      }),
    ),
  },
  { additionalProperties: false },
);

export function addMuteAlert(app: FastifyInstance, { db, clock }: RouteContext): void {
  const schema = {
    operationId: "muteAlert",
    tags: ["Alerts"],
    summary: "Mute an alert",
    description:
      "Matches that are made while an alert is muted are recorded, but neither streamed nor sent, also not later. " +
      "Deliveries that are queued already still go. Allowed on any alert.",
    params: AlertParams,
    body: Body,
    response: {
      204: Type.Null({ description: "The alert is muted." }),
      ...failures(400, 401, 403, 404),
    },
  };
  const route = {
    schema,
    // A request without a body mutes without an end.
    preValidation: async (request: { body: unknown }) => {
      request.body ??= {};
    },
  };
  typed(app).put("/v2/alerts/:alert_id/mute", route, async (request, reply) => {
    const { until_ms: untilMs = MUTED_FOREVER_MS } = request.body;
    if (untilMs <= clock.nowMs()) {
      throw new AppError("invalid_payload", "until_ms: must be in the future, in milliseconds");
    }
    const mute = { id: request.params.alert_id, untilMs };
    requireAlert(await muteAlert(db(request), mute, authorOf(request, { clock })));
    return reply.code(204).send(null);
  });
}

export function addUnmuteAlert(app: FastifyInstance, { db, clock }: RouteContext): void {
  const schema = {
    operationId: "unmuteAlert",
    tags: ["Alerts"],
    summary: "End the muting of an alert",
    description: "What matched meanwhile is not sent.",
    params: AlertParams,
    response: {
      204: Type.Null({ description: "The alert is not muted." }),
      ...failures(400, 401, 403, 404),
    },
  };
  typed(app).delete("/v2/alerts/:alert_id/mute", { schema }, async (request, reply) => {
    const mute = { id: request.params.alert_id, untilMs: null };
    requireAlert(await muteAlert(db(request), mute, authorOf(request, { clock })));
    return reply.code(204).send(null);
  });
}

function requireAlert(isFound: boolean): void {
  if (!isFound) throw notFound("alert");
}
