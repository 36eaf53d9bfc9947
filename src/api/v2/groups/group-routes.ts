import type { FastifyInstance } from "fastify";
import type { RouteContext } from "../schemas.ts";
import { addChangeGroup } from "./change-group.ts";

export function addGroupRoutes(app: FastifyInstance, context: RouteContext): void {
  addChangeGroup(app, context);
}
