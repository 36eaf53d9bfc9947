import type { FastifyInstance } from "fastify";
import { addGetOperations, type OperationContext } from "./get-operations.ts";
import { addListQuarantine } from "./list-quarantine.ts";

export function addOperationRoutes(app: FastifyInstance, context: OperationContext): void {
  addGetOperations(app, context);
  addListQuarantine(app, context);
}
