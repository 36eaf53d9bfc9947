import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { KINDS } from "../../../manifest/schema.ts";
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
import { CONFIGURATIONS, ConfigurationDeclaration } from "./configuration-object.ts";

const PATH = "/v2/market/price-engine/configurations";
const Params = Type.Object({ id: IdParam("The configuration's id.") });

/** As in the manifest, in which a configuration is declared by the same members. */
export function addWriteConfigurations(app: FastifyInstance, context: RouteContext): void {
  app.addSchema(ConfigurationDeclaration);
  addCreate(app, context);
  addGet(app, context);
  addChange(app, context);
  addDelete(app, context);
}

function addCreate(app: FastifyInstance, { db, clock }: RouteContext): void {
  const example = {
    profile: "Core",
    brand: "Tudor",
    reference: "79360N",
    label: "Black Bay Chrono",
  };
  const schema = {
    operationId: "createConfiguration",
    tags: ["Market"],
    summary: "Create a price-engine configuration",
    description:
      "The members are those of the manifest. It gets a system alert, and is stale until its members are selected and its " +
      "cells are calculated. Nothing fires for listings that are already there. The key of a deleted configuration revives it " +
      "with its id, its history and its alert, unless you choose another `id`.",
    querystring: StrictQuery,
    body: { ...KINDS.configurations, examples: [example] } as typeof KINDS.configurations,
    response: {
      200: named(ConfigurationDeclaration),
      201: named(ConfigurationDeclaration),
      ...failures(400, 401, 403, 409),
    },
  };
  typed(app).post(PATH, { schema }, async (request, reply) => {
    const writer = writerOf(request, clock, request.query);
    const written = await createObject(db, CONFIGURATIONS, { given: request.body, writer });
    return sendWritten(reply, written);
  });
}

function addGet(app: FastifyInstance, { read }: RouteContext): void {
  const schema = {
    operationId: "getConfiguration",
    tags: ["Market"],
    summary: "Get a price-engine configuration as it is declared",
    description:
      "The members of the manifest. Send its `ETag` as `If-Match` to change it only if it is still the same. " +
      "Prices and state are in the list and in its cells.",
    params: Params,
    response: { 200: named(ConfigurationDeclaration), ...failures(400, 401, 404) },
  };
  typed(app).get(`${PATH}/:id`, { schema }, async ({ params }, reply) => {
    const { body } = await read((db) => getObject(db, CONFIGURATIONS, params.id));
    return sendObject(reply, body);
  });
}

function addChange(app: FastifyInstance, { db, clock }: RouteContext): void {
  const schema = {
    operationId: "changeConfiguration",
    tags: ["Market"],
    summary: "Change a price-engine configuration",
    description:
      "Replaces the members in the body; `null` removes one. The key cannot change. The configuration is stale until it is " +
      "calculated again, and nothing fires for listings that are already there.",
    params: Params,
    headers: IfMatch,
    querystring: StrictQuery,
    body: patchOf(KINDS.configurations),
    response: {
      200: named(ConfigurationDeclaration),
      ...failures(400, 401, 403, 404, 409, 412),
    },
  };
  typed(app).patch(`${PATH}/:id`, { schema }, async (request, reply) => {
    const change = {
      id: request.params.id,
      patch: request.body,
      writer: writerOf(request, clock, request.query),
      ...expectationOf(request),
    };
    return sendWritten(reply, await changeObject(db, CONFIGURATIONS, change));
  });
}

function addDelete(app: FastifyInstance, { db, clock }: RouteContext): void {
  const schema = {
    operationId: "deleteConfiguration",
    tags: ["Market"],
    summary: "Delete a price-engine configuration",
    description:
      "Deletes its cells. Its history stays, and its system alert stays disabled with the matches. The same key revives it.",
    params: Params,
    headers: IfMatch,
    response: {
      204: Type.Null({ description: "The configuration is deleted." }),
      ...failures(400, 401, 403, 404, 409, 412),
    },
  };
  typed(app).delete(`${PATH}/:id`, { schema }, async (request, reply) => {
    const writer = writerOf(request, clock);
    await deleteObject(db, CONFIGURATIONS, {
      id: request.params.id,
      writer,
      ...expectationOf(request),
    });
    return reply.code(204).send(null);
  });
}
