import type { FastifyInstance } from "fastify";
import type { RouteContext } from "../schemas.ts";
import { addGetContact } from "./get-contact.ts";

export function addContactRoutes(app: FastifyInstance, context: RouteContext): void {
  addGetContact(app, context);
}
