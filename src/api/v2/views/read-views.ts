import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { listViewPage } from "../../../filters/list-views.ts";
import { getObject } from "../../../manifest/write-object.ts";
import {
  failures,
  IdParam,
  named,
  optional,
  PageQuery,
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
    querystring: PageQuery,
    response: {
      200: Type.Object({
        items: Type.Array(named(ViewBody)),
        next_cursor: optional(Type.String({ description: "Absent on the last page." })),
      }),
      ...failures(400, 401),
    },
  };
  typed(app).get("/v2/views", { schema }, ({ query }) =>
    listViewPage(db, { limit: query.limit ?? 50, cursor: query.cursor }),
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
