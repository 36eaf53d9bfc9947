import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { listViewPage } from "../../../filters/list-views.ts";
import { LIMIT_DEFAULT, NextCursor, PAGE_QUERY } from "../page-query.ts";
import { failures, named, type RouteContext, typed } from "../schemas.ts";
import { ViewBody } from "./view-object.ts";

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
