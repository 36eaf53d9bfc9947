import type { FastifyInstance } from "fastify";
import type { RouteContext } from "../schemas.ts";
import { addListViews } from "./list-views.ts";
import { addWriteViews } from "./write-views.ts";

export function addViewRoutes(app: FastifyInstance, context: RouteContext): void {
  addListViews(app, context);
  addWriteViews(app, context);
}
