import type { FastifyInstance } from "fastify";
import type { RouteContext } from "../schemas.ts";
import { addWriteViews } from "./write-views.ts";

export function addViewRoutes(app: FastifyInstance, context: RouteContext): void {
  addWriteViews(app, context);
}
