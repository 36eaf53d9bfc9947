import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { KINDS } from "../../../manifest/schema.ts";
import { changeObject, createObject, deleteObject } from "../../../manifest/write-object.ts";
import { failures, IdParam, named, type RouteContext, typed } from "../schemas.ts";
import { expectationOf, IfMatch, patchOf, StrictQuery, sendWritten, writerOf } from "../writes.ts";
import { VIEWS, ViewBody } from "./view-object.ts";

const Params = Type.Object({ view_id: IdParam("The view's id.") });

export function addCreateView(app: FastifyInstance, { db, clock }: RouteContext): void {
  const schema = {
    operationId: "createView",
    tags: ["Views"],
    summary: "Create a view",
    description:
      "With an `id` of your own you can repeat the request: the same body returns the view as it is now, with 200.",
    querystring: StrictQuery,
    body: KINDS.views,
    response: {
      200: named(ViewBody),
      201: named(ViewBody),
      ...failures(400, 401, 403, 409),
    },
  };
  typed(app).post("/v2/views", { schema }, async (request, reply) => {
    const writer = writerOf(request, clock, request.query);
    return sendWritten(reply, await createObject(db, VIEWS, { given: request.body, writer }));
  });
}

export function addChangeView(app: FastifyInstance, { db, clock }: RouteContext): void {
  const schema = {
    operationId: "changeView",
    tags: ["Views"],
    summary: "Change a view",
    description:
      "Replaces the members in the body; `null` removes one. Alerts that use the view look forward only: nothing fires " +
      "for listings that are already there.",
    params: Params,
    headers: IfMatch,
    querystring: StrictQuery,
    body: patchOf(KINDS.views),
    response: { 200: named(ViewBody), ...failures(400, 401, 403, 404, 409, 412) },
  };
  typed(app).patch("/v2/views/:view_id", { schema }, async (request, reply) => {
    const change = {
      id: request.params.view_id,
      patch: request.body,
      writer: writerOf(request, clock, request.query),
      ...expectationOf(request),
    };
    return sendWritten(reply, await changeObject(db, VIEWS, change));
  });
}

export function addDeleteView(app: FastifyInstance, { db, clock }: RouteContext): void {
  const schema = {
    operationId: "deleteView",
    tags: ["Views"],
    summary: "Delete a view",
    description: "A view that an alert uses, or that is a source view, is not deleted (`in_use`).",
    params: Params,
    headers: IfMatch,
    response: {
      204: Type.Null({ description: "The view is deleted." }),
      ...failures(400, 401, 403, 404, 409, 412),
    },
  };
  typed(app).delete("/v2/views/:view_id", { schema }, async (request, reply) => {
    const writer = writerOf(request, clock);
    await deleteObject(db, VIEWS, {
      id: request.params.view_id,
      writer,
      ...expectationOf(request),
    });
    return reply.code(204).send(null);
  });
}
