import type { FastifyInstance } from "fastify";
import type { RouteContext } from "../schemas.ts";
import { addListSessions } from "./list-sessions.ts";

export function addSystemRoutes(app: FastifyInstance, context: RouteContext): void {
  addListSessions(app, context);
}
