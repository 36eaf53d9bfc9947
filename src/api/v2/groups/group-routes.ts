import type { FastifyInstance } from "fastify";
import type { RouteContext } from "../schemas.ts";
import { addListGroups } from "./list-groups.ts";

export function addGroupRoutes(app: FastifyInstance, context: RouteContext): void {
  addListGroups(app, context);
}
