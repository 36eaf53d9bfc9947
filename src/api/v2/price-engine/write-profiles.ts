import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { KINDS } from "../../../manifest/schema.ts";
import {
  changeObject,
  createObject,
  deleteObject,
  getObject,
} from "../../../manifest/write-object.ts";
import { listProfilesByName } from "../../../pricing/configurations/list-profiles.ts";
import { LIMIT_DEFAULT, NextCursor, PAGE_QUERY } from "../page-query.ts";
import { failures, IdParam, named, type RouteContext, typed } from "../schemas.ts";
import { expectationOf, IfMatch, patchOf, sendObject, sendWritten, writerOf } from "../writes.ts";
import { PROFILES, ProfileBody, toProfileBody } from "./profile-object.ts";

const PATH = "/v2/market/price-engine/profiles";
const Params = Type.Object({ id: IdParam("The profile's id.") });

/** The rules by which configurations are priced, in the members of the manifest. */
export function addWriteProfiles(app: FastifyInstance, context: RouteContext): void {
  app.addSchema(ProfileBody);
  addList(app, context);
  addGet(app, context);
  addCreate(app, context);
  addChange(app, context);
  addDelete(app, context);
}

function addList(app: FastifyInstance, { read }: RouteContext): void {
  const schema = {
    operationId: "listProfiles",
    tags: ["Market"],
    summary: "List price-engine profiles",
    description: "One page of the profiles, by name.",
    querystring: Type.Object(PAGE_QUERY),
    response: {
      200: Type.Object({
        items: Type.Array(named(ProfileBody)),
        next_cursor: NextCursor,
      }),
      ...failures(400, 401),
    },
  };
  typed(app).get(PATH, { schema }, async ({ query }) => {
    const page = { limit: query.limit ?? LIMIT_DEFAULT, cursor: query.cursor };
    const { rows, nextCursor } = await read((db) => listProfilesByName(db, page));
    const items = rows.map(toProfileBody);
    return nextCursor === undefined ? { items } : { items, next_cursor: nextCursor };
  });
}

function addGet(app: FastifyInstance, { read }: RouteContext): void {
  const schema = {
    operationId: "getProfile",
    tags: ["Market"],
    summary: "Get a price-engine profile",
    description:
      "Send its `ETag` as `If-Match` to change the profile only if it is still the same.",
    params: Params,
    response: { 200: named(ProfileBody), ...failures(400, 401, 404) },
  };
  typed(app).get(`${PATH}/:id`, { schema }, async ({ params }, reply) =>
    sendObject(reply, (await read((db) => getObject(db, PROFILES, params.id))).body),
  );
}

function addCreate(app: FastifyInstance, { db, clock }: RouteContext): void {
  const schema = {
    operationId: "createProfile",
    tags: ["Market"],
    summary: "Create a price-engine profile",
    description:
      "Starts as `shadow` unless the body says `live`: the matches of a shadow profile are recorded and never sent.",
    body: { ...KINDS.profiles, examples: [{ name: "Vintage", minimum_profit_eur_minor: 150_000 }] },
    response: {
      200: named(ProfileBody),
      201: named(ProfileBody),
      ...failures(400, 401, 403, 409),
    },
  };
  typed(app).post(PATH, { schema }, async (request, reply) => {
    const writer = writerOf(request, clock);
    const given = request.body as typeof request.body & { readonly id?: string };
    return sendWritten(reply, await createObject(db, PROFILES, { given, writer }));
  });
}

function addChange(app: FastifyInstance, { db, clock }: RouteContext): void {
  const schema = {
    operationId: "changeProfile",
    tags: ["Market"],
    summary: "Change a price-engine profile",
    description:
      "Replaces the members in the body; `null` sets one to its default. Its configurations are stale until they are " +
      "calculated again. Nothing fires for listings that are already there, also when a profile goes `live`.",
    params: Params,
    headers: IfMatch,
    body: patchOf(KINDS.profiles),
    response: { 200: named(ProfileBody), ...failures(400, 401, 403, 404, 409, 412) },
  };
  typed(app).patch(`${PATH}/:id`, { schema }, async (request, reply) => {
    const change = {
      id: request.params.id,
      patch: request.body,
      writer: writerOf(request, clock),
      ...expectationOf(request),
    };
    return sendWritten(reply, await changeObject(db, PROFILES, change));
  });
}

function addDelete(app: FastifyInstance, { db, clock }: RouteContext): void {
  const schema = {
    operationId: "deleteProfile",
    tags: ["Market"],
    summary: "Delete a price-engine profile",
    description: "A profile that configurations use is not deleted (`in_use`).",
    params: Params,
    headers: IfMatch,
    response: {
      204: Type.Null({ description: "The profile is deleted." }),
      ...failures(400, 401, 403, 404, 409, 412),
    },
  };
  typed(app).delete(`${PATH}/:id`, { schema }, async (request, reply) => {
    const writer = writerOf(request, clock);
    const { id } = request.params;
    await deleteObject(db, PROFILES, { id, writer, ...expectationOf(request) });
    return reply.code(204).send(null);
  });
}
