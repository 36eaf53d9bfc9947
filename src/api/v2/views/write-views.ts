import type { FastifyInstance } from "fastify";
import { listViewObjects } from "../../../filters/view-store.ts";
import { KINDS } from "../../../manifest/schema.ts";
import {
  addChangeObject,
  addCreateObject,
  addDeleteObject,
  addGetObject,
  addListObjects,
} from "../object-routes.ts";
import type { RouteContext } from "../schemas.ts";
import { patchOf } from "../writes.ts";
import { VIEWS, ViewBody } from "./view-object.ts";

const ROUTES = {
  kind: VIEWS,
  path: "/v2/views",
  idName: "view_id",
  tags: ["Views"],
  operationNoun: "View",
  body: ViewBody,
};

export function addWriteViews(app: FastifyInstance, context: RouteContext): void {
  addListObjects(app, context, ROUTES, listViewObjects);
  addGetObject(app, context, ROUTES);
  addCreateObject(app, context, ROUTES, { given: KINDS.views });
  addChangeObject(app, context, ROUTES, {
    given: patchOf(KINDS.views),
    description:
      "Alerts that use the view look forward only: nothing fires for listings that are already there.",
  });
  addDeleteObject(app, context, ROUTES, {
    description: "A view that an alert uses, or that is a source view, is not deleted (`in_use`).",
  });
}
