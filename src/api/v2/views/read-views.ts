import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { listViewPage } from "../../../filters/list-views.ts";
import { getObject } from "../../../manifest/write-object.ts";
import { LIMIT_DEFAULT, NextCursor, PAGE_QUERY } from "../page-query.ts";
import {
  failures,
  IdParam,
  named,
  type RouteContext,
  typed,
} from "../schemas.ts";
import { sendObject } from "../writes.ts";
import { VIEWS, ViewBody } from "./view-object.ts";

export function addListViews(app: FastifyInstance, { db }: RouteContext): void {
  app.addSchema(ViewBody);
  const schema = {
    operationId: "listViews",
    tags: ["Views"],
    summary: "List views",
    description: "One page of the views, by name.",
    querystring: Type.Object(PAGE_QUERY),
    response: {
      200: Type.Object({
        items: Type.Array(named(ViewBody)),
        next_cursor: NextCursor,
      }),
      ...failures(400, 401),
    },
  };
  typed(app).get("/v2/views", { schema }, ({ query }) =>
    listViewPage(db, { limit: query.limit ?? LIMIT_DEFAULT, cursor: query.cursor }),
  );
}

export function addGetView(app: FastifyInstance, { db }: RouteContext): void {
  const schema = {
    operationId: "getView",
    tags: ["Views"],
    summary: "Get a view",
    description: "Send its `ETag` as `If-Match` to change the view only if it is still the same.",
    params: Type.Object({ view_id: IdParam("The view's id.") }),
    response: { 200: named(ViewBody), ...failures(400, 401, 404) },
  };
  typed(app).get("/v2/views/:view_id", { schema }, async ({ params }, reply) =>
    sendObject(reply, (await getObject(db, VIEWS, params.view_id)).body),
  );
}
