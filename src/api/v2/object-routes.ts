import type { FastifyInstance } from "fastify";
import { type TSchema, Type } from "typebox";
import {
  changeObject,
  createObject,
  deleteObject,
  getObject,
  type ObjectKind,
} from "../../manifest/write-object.ts";
import { failures, IdParam, named, type RouteContext, typed } from "./schemas.ts";
import {
  expectationOf,
  IfMatch,
  StrictQuery,
  sendObject,
  sendWritten,
  writerOf,
} from "./writes.ts";

/** The routes of one kind of object that a manifest can declare too. */
export interface ObjectRoutes<Body extends object> {
  readonly kind: ObjectKind<Body>;
  /** The path of all objects. */
  readonly path: string;
  /** The name of the id in the path of one object. */
  readonly idName: string;
  readonly tags: readonly string[];
  /** What the object is called in summaries. Default: the noun of the kind. */
  readonly title?: string;
  /** As in the operation `createView`. */
  readonly operationNoun: string;
  /** A route must have added it. */
  readonly body: TSchema;
}

interface Text {
  readonly description?: string;
}

interface WriteRoute extends Text {
  /** The schema of the request's body. */
  readonly given: TSchema;
}

type Given = Readonly<Record<string, unknown>>;

export function addGetObject<Body extends object>(
  app: FastifyInstance,
  { db }: RouteContext,
  routes: ObjectRoutes<Body>,
  { description }: Text = {},
): void {
  const { kind, body, tags } = routes;
  const schema = {
    operationId: `get${routes.operationNoun}`,
    tags,
    summary: `Get ${titleOf(routes)}`,
    description: join(
      description,
      `Send its \`ETag\` as \`If-Match\` to change the ${kind.noun} only if it is still the same.`,
    ),
    params: paramsOf(routes),
    response: { 200: named(body), ...failures(400, 401, 404) },
  };
  // Not from a replica: an object that was just created must be there.
  typed(app).get(pathOfOne(routes), { schema }, async ({ params }, reply) =>
    sendObject(reply, (await getObject(db, kind, idOf(routes, params))).body),
  );
}

export function addCreateObject<Body extends object>(
  app: FastifyInstance,
  context: RouteContext,
  routes: ObjectRoutes<Body>,
  { description, given }: WriteRoute,
): void {
  const { kind, body, tags } = routes;
  const schema = {
    operationId: `create${routes.operationNoun}`,
    tags,
    summary: `Create ${titleOf(routes)}`,
    description: join(
      description,
      `With an \`id\` of your own you can repeat the request: the same body returns the ${kind.noun} as it is now, with 200.`,
    ),
    querystring: StrictQuery,
    body: given,
    response: { 200: named(body), 201: named(body), ...failures(400, 401, 403, 409) },
  };
  typed(app).post(routes.path, { schema }, async (request, reply) => {
    const writer = await writerOf(request, context, request.query);
    const create = { given: request.body as Given, writer };
    return sendWritten(reply, await createObject(context.db, kind, create));
  });
}

export function addChangeObject<Body extends object>(
  app: FastifyInstance,
  context: RouteContext,
  routes: ObjectRoutes<Body>,
  { description, given }: WriteRoute,
): void {
  const { kind, body, tags } = routes;
  const schema = {
    operationId: `change${routes.operationNoun}`,
    tags,
    summary: `Change ${titleOf(routes)}`,
    description: join("Replaces the members in the body; `null` removes one.", description),
    params: paramsOf(routes),
    headers: IfMatch,
    querystring: StrictQuery,
    body: given,
    response: { 200: named(body), ...failures(400, 401, 403, 404, 409, 412) },
  };
  typed(app).patch(pathOfOne(routes), { schema }, async (request, reply) => {
    const change = {
      id: idOf(routes, request.params),
      patch: request.body as Given,
      writer: await writerOf(request, context, request.query),
      ...expectationOf(request),
    };
    return sendWritten(reply, await changeObject(context.db, kind, change));
  });
}

export function addDeleteObject<Body extends object>(
  app: FastifyInstance,
  context: RouteContext,
  routes: ObjectRoutes<Body> & {
    readonly kind: Required<Pick<ObjectKind<Body>, "remove">>;
  },
  { description }: Required<Text>,
): void {
  const { kind, tags } = routes;
  const schema = {
    operationId: `delete${routes.operationNoun}`,
    tags,
    summary: `Delete ${titleOf(routes)}`,
    description,
    params: paramsOf(routes),
    headers: IfMatch,
    response: {
      204: Type.Null({ description: `The ${kind.noun} is deleted.` }),
      ...failures(400, 401, 403, 404, 409, 412),
    },
  };
  typed(app).delete(pathOfOne(routes), { schema }, async (request, reply) => {
    await deleteObject(context.db, kind, {
      id: idOf(routes, request.params),
      writer: await writerOf(request, context),
      ...expectationOf(request),
    });
    return reply.code(204).send(null);
  });
}

function join(...sentences: readonly (string | undefined)[]): string {
  return sentences.filter((sentence) => sentence !== undefined).join(" ");
}

type Routes = Pick<ObjectRoutes<object>, "path" | "idName" | "title"> & {
  readonly kind: { readonly noun: string };
};

function titleOf({ kind, title = kind.noun }: Routes): string {
  return `${/^[aeio]/.test(title) ? "an" : "a"} ${title}`;
}

function pathOfOne({ path, idName }: Routes): string {
  return `${path}/:${idName}`;
}

function paramsOf({ kind, idName }: Routes) {
  return Type.Object({ [idName]: IdParam(`The ${kind.noun}'s id.`) });
}

function idOf({ idName }: Routes, params: unknown): string {
  return (params as Readonly<Record<string, string>>)[idName] ?? "";
}
