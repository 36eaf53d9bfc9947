import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { KINDS } from "../../../manifest/schema.ts";
import { listProfilesByName } from "../../../pricing/configurations/list-profiles.ts";
import {
  addChangeObject,
  addCreateObject,
  addDeleteObject,
  addGetObject,
} from "../object-routes.ts";
import { LIMIT_DEFAULT, NextCursor, PAGE_QUERY } from "../page-query.ts";
import { failures, named, type RouteContext, typed } from "../schemas.ts";
import { patchOf } from "../writes.ts";
import { PROFILES, ProfileBody, toProfileBody } from "./profile-object.ts";

const ROUTES = {
  kind: PROFILES,
  path: "/v2/market/price-engine/profiles",
  idName: "id",
  tags: ["Market"],
  title: "price-engine profile",
  operationNoun: "Profile",
  body: ProfileBody,
};

const EXAMPLE = { name: "Vintage", minimum_profit_eur_minor: 150_000 };

/** The rules by which configurations are priced, in the members of the manifest. */
export function addWriteProfiles(app: FastifyInstance, context: RouteContext): void {
  app.addSchema(ProfileBody);
  addList(app, context);
  addGetObject(app, context, ROUTES);
  addCreateObject(app, context, ROUTES, {
    given: { ...KINDS.profiles, examples: [EXAMPLE] },
    description:
      "Starts as `shadow` unless the body says `live`: the matches of a shadow profile are recorded and never sent.",
  });
  addChangeObject(app, context, ROUTES, {
    given: patchOf(KINDS.profiles),
    description:
      "A member without a value has its default. Its configurations are stale until they are calculated again. Nothing " +
      "fires for listings that are already there, also when a profile goes `live`.",
  });
  addDeleteObject(app, context, ROUTES, {
    description: "A profile that configurations use is not deleted (`in_use`).",
  });
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
  typed(app).get(ROUTES.path, { schema }, async ({ query }) => {
    const page = { limit: query.limit ?? LIMIT_DEFAULT, cursor: query.cursor };
    const { rows, nextCursor } = await read((db) => listProfilesByName(db, page));
    const items = rows.map(toProfileBody);
    return nextCursor === undefined ? { items } : { items, next_cursor: nextCursor };
  });
}
