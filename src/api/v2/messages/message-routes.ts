import type { FastifyInstance } from "fastify";
import type { RouteContext } from "../schemas.ts";
import { addGetOccurrenceSummary } from "./get-occurrence-summary.ts";

export function addMessageRoutes(app: FastifyInstance, context: RouteContext): void {
  addGetOccurrenceSummary(app, context);
}
