import type { FastifyInstance } from "fastify";
import type { RouteContext } from "../schemas.ts";
import { addChangeGroup } from "./change-group.ts";
import { addListGroups } from "./list-groups.ts";

export function addGroupRoutes(app: FastifyInstance, context: RouteContext): void {
  addListGroups(app, context);
  addChangeGroup(app, context);
}
