import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import {
  changeObject,
  createObject,
  deleteObject,
  getObject,
} from "../../../manifest/write-object.ts";
import { failures, IdParam, named, type RouteContext, typed } from "../schemas.ts";
import {
  expectationOf,
  IfMatch,
  patchOf,
  StrictQuery,
  sendObject,
  sendWritten,
  writerOf,
} from "../writes.ts";
import { ALERTS, AlertBody, NewAlert } from "./alert-object.ts";

const Params = Type.Object({ alert_id: IdParam("The alert's id.") });

/** The list of alerts adds the schema `Alert`. */
export function addCreateAlert(app: FastifyInstance, { db, clock }: RouteContext): void {
  const schema = {
    operationId: "createAlert",
    tags: ["Alerts"],
    summary: "Create an alert",
    description:
      "Alerts look forward only: it fires for listings and messages that arrive from now on. An alert on buys has the " +
      "strategy `price_engine`, and may name configurations in `filters.configuration_ids`. With an `id` of your own " +
      "you can repeat the request: the same body returns the alert as it is now, with 200.",
    querystring: StrictQuery,
    body: NewAlert,
    response: {
      200: named(AlertBody),
      201: named(AlertBody),
      ...failures(400, 401, 403, 409),
    },
  };
  typed(app).post("/v2/alerts", { schema }, async (request, reply) => {
    const writer = writerOf(request, clock, request.query);
    return sendWritten(reply, await createObject(db, ALERTS, { given: request.body, writer }));
  });
}

export function addGetAlert(app: FastifyInstance, { db }: RouteContext): void {
  const schema = {
    operationId: "getAlert",
    tags: ["Alerts"],
    summary: "Get an alert",
    description: "Send its `ETag` as `If-Match` to change the alert only if it is still the same.",
    params: Params,
    response: { 200: named(AlertBody), ...failures(400, 401, 404) },
  };
  typed(app).get("/v2/alerts/:alert_id", { schema }, async ({ params }, reply) =>
    sendObject(reply, (await getObject(db, ALERTS, params.alert_id)).body),
  );
}

export function addChangeAlert(app: FastifyInstance, { db, clock }: RouteContext): void {
  const schema = {
    operationId: "changeAlert",
    tags: ["Alerts"],
    summary: "Change an alert",
    description:
      "Replaces the members in the body; `null` removes one. Nothing fires for listings that are already there. Of the " +
      "alert of a configuration only `enabled` can be changed.",
    params: Params,
    headers: IfMatch,
    querystring: StrictQuery,
    body: patchOf(NewAlert),
    response: { 200: named(AlertBody), ...failures(400, 401, 403, 404, 409, 412) },
  };
  typed(app).patch("/v2/alerts/:alert_id", { schema }, async (request, reply) => {
    const change = {
      id: request.params.alert_id,
      patch: request.body,
      writer: writerOf(request, clock, request.query),
      ...expectationOf(request),
    };
    return sendWritten(reply, await changeObject(db, ALERTS, change));
  });
}

export function addDeleteAlert(app: FastifyInstance, { db, clock }: RouteContext): void {
  const schema = {
    operationId: "deleteAlert",
    tags: ["Alerts"],
    summary: "Delete an alert",
    description:
      "Also deletes its matches. An alert that a webhook target names is not deleted (`in_use`).",
    params: Params,
    headers: IfMatch,
    response: {
      204: Type.Null({ description: "The alert is deleted." }),
      ...failures(400, 401, 403, 404, 409, 412),
    },
  };
  typed(app).delete("/v2/alerts/:alert_id", { schema }, async (request, reply) => {
    const { alert_id: id } = request.params;
    const writer = writerOf(request, clock);
    await deleteObject(db, ALERTS, { id, writer, ...expectationOf(request) });
    return reply.code(204).send(null);
  });
}
