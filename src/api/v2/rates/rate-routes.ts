import type { FastifyInstance } from "fastify";
import type { RouteContext } from "../schemas.ts";
import { addListFxRates } from "./list-fx-rates.ts";

export function addRateRoutes(app: FastifyInstance, context: RouteContext): void {
  addListFxRates(app, context);
}
