import type { FastifyInstance } from "fastify";
import type { RouteContext } from "../schemas.ts";
import { addGetMessage } from "./get-message.ts";
import { addGetOccurrenceSummary } from "./get-occurrence-summary.ts";
import { addListMessages } from "./list-messages.ts";
import { addListOccurrences } from "./list-occurrences.ts";

export function addMessageRoutes(app: FastifyInstance, context: RouteContext): void {
  addListMessages(app, context);
  addGetMessage(app, context);
  addListOccurrences(app, context);
  addGetOccurrenceSummary(app, context);
}
