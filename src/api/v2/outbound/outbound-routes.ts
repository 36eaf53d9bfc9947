import type { FastifyInstance } from "fastify";
import type { RouteContext } from "../schemas.ts";
import { addDeleteGroupPreset, addListGroupPresets } from "./group-presets.ts";
import { addWriteGroupPresets } from "./write-group-presets.ts";

export function addOutboundRoutes(app: FastifyInstance, context: RouteContext): void {
  addListGroupPresets(app, context);
  addWriteGroupPresets(app, context);
  addDeleteGroupPreset(app, context);
}
