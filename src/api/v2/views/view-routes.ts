import type { FastifyInstance } from "fastify";
import type { RouteContext } from "../schemas.ts";
import { addGetView, addListViews } from "./read-views.ts";
import { addChangeView, addCreateView, addDeleteView } from "./write-views.ts";

export function addViewRoutes(app: FastifyInstance, context: RouteContext): void {
  addListViews(app, context);
  addGetView(app, context);
  addCreateView(app, context);
  addChangeView(app, context);
  addDeleteView(app, context);
}
