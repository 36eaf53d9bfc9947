import type { FastifyInstance, FastifyRequest } from "fastify";
import { type TSchema, Type } from "typebox";
import type { Database } from "../../db/database.ts";
import { listByName, type NamePage } from "../../db/page.ts";
import {
  changeObject,
  createObject,
  deleteObject,
  getObject,
  type ObjectKind,
} from "../../manifest/write-object.ts";
import type { Role } from "../../people/role.ts";
import {
  failures,
  IdParam,
  LIMIT_DEFAULT,
  NextCursor,
  named,
  PAGE_QUERY,
  type RouteContext,
  typed,
} from "./schemas.ts";
import {
  expectationOf,
  IfMatch,
  StrictQuery,
  sendObject,
  sendWritten,
  writerOf,
} from "./writes.ts";

/** The routes of one kind of object that a manifest can declare too. */
interface ObjectRoutes<Body extends object> {
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
  /** What a role sees of the object. Default: all of it. */
  readonly show?: (body: Body, role: Role) => Body;
}

interface Text {
  readonly description?: string;
}

interface WriteRoute extends Text {
  /** The schema of the request's body. */
  readonly given: TSchema;
}

const PATCH_RULE = "Replaces the members in the body; `null` removes one.";

type Given = Readonly<Record<string, unknown>>;

/** The list of a kind with names. It also adds the schema of the object. */
export function addListObjects<Body extends object & { readonly name: string }>(
  app: FastifyInstance,
  { read }: RouteContext,
  routes: ObjectRoutes<Body>,
  list: (db: Database, page: NamePage) => Promise<readonly Body[]>,
): void {
  app.addSchema(routes.body);
  const { noun } = routes.kind;
  const schema = {
    ...describeRoute(routes, "list", `One page of the ${noun}s, by name.`),
    querystring: Type.Object(PAGE_QUERY),
    response: {
      200: Type.Object({ items: Type.Array(named(routes.body)), next_cursor: NextCursor }),
      ...failures(400, 401),
    },
  };
  typed(app).get(routes.path, { schema }, async (request) => {
    const { limit = LIMIT_DEFAULT, cursor } = request.query;
    const show = showTo(request, routes);
    const page = await read(request, (db) =>
      listByName(noun, { limit, cursor }, (part) => list(db, part)),
    );
    return { ...page, items: page.items.map(show) };
  });
}

export function addGetObject<Body extends object>(
  app: FastifyInstance,
  { db }: RouteContext,
  routes: ObjectRoutes<Body>,
  { description }: Text = {},
): void {
  const { kind, body } = routes;
  const hint = `Send its \`ETag\` as \`If-Match\` to change the ${kind.noun} only if it is still the same.`;
  const schema = {
    ...describeRoute(routes, "get", description, hint),
    params: paramsOf(routes),
    response: { 200: named(body), ...failures(400, 401, 404) },
  };
  // Not from a replica: an object that was just created must be there.
  typed(app).get(pathOfOne(routes), { schema }, async (request, reply) => {
    const { body: found } = await getObject(db(request), kind, idOf(routes, request.params));
    return sendObject(reply, showTo(request, routes)(found));
  });
}

export function addCreateObject<Body extends object>(
  app: FastifyInstance,
  context: RouteContext,
  routes: ObjectRoutes<Body>,
  { description, given }: WriteRoute,
): void {
  const { kind, body } = routes;
  const hint = `With an \`id\` of your own you can repeat the request: the same body returns the ${kind.noun} as it is now, with 200.`;
  const schema = {
    ...describeRoute(routes, "create", description, hint),
    querystring: StrictQuery,
    body: given,
    response: { 200: named(body), 201: named(body), ...failures(400, 401, 403, 409) },
  };
  typed(app).post(routes.path, { schema }, async (request, reply) => {
    const writer = await writerOf(request, context, request.query);
    const create = { given: request.body as Given, writer };
    const written = await createObject(context.db(request), kind, create);
    return sendWritten(reply, { ...written, body: showTo(request, routes)(written.body) });
  });
}

export function addChangeObject<Body extends object>(
  app: FastifyInstance,
  context: RouteContext,
  routes: ObjectRoutes<Body>,
  { description, given }: WriteRoute,
): void {
  const { kind, body } = routes;
  const schema = {
    ...describeRoute(routes, "change", PATCH_RULE, description),
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
      ...expectationOf(request, showTo(request, routes)),
    };
    const written = await changeObject(context.db(request), kind, change);
    return sendWritten(reply, { ...written, body: showTo(request, routes)(written.body) });
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
  const { kind } = routes;
  const schema = {
    ...describeRoute(routes, "delete", description),
    params: paramsOf(routes),
    headers: IfMatch,
    response: {
      204: Type.Null({ description: `The ${kind.noun} is deleted.` }),
      ...failures(400, 401, 403, 404, 409, 412),
    },
  };
  typed(app).delete(pathOfOne(routes), { schema }, async (request, reply) => {
    await deleteObject(context.db(request), kind, {
      id: idOf(routes, request.params),
      writer: await writerOf(request, context),
      ...expectationOf(request, showTo(request, routes)),
    });
    return reply.code(204).send(null);
  });
}

/** What the caller sees of an object. Its tag is of that too. */
function showTo<Body extends object>(
  { apiToken }: FastifyRequest,
  { show }: Pick<ObjectRoutes<Body>, "show">,
): (body: Body) => Body {
  return (body) => show?.(body, apiToken?.role ?? "market") ?? body;
}

type Routes = Omit<ObjectRoutes<object>, "kind" | "show"> & {
  readonly kind: { readonly noun: string };
};

/** What the contract says about an operation, such as `createView` with the summary `Create a view`. */
function describeRoute(
  { kind, title = kind.noun, operationNoun, tags }: Routes,
  verb: "list" | "get" | "create" | "change" | "delete",
  ...sentences: readonly (string | undefined)[]
) {
  const article = /^[aeio]/.test(title) ? "an" : "a";
  const object = verb === "list" ? `${title}s` : `${article} ${title}`;
  return {
    operationId: `${verb}${operationNoun}${verb === "list" ? "s" : ""}`,
    tags,
    summary: `${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${object}`,
    description: sentences.filter((sentence) => sentence !== undefined).join(" "),
  };
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
