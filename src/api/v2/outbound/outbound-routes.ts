import type { FastifyInstance } from "fastify";
import type { RouteContext } from "../schemas.ts";
import { addDeleteGroupPreset, addListGroupPresets } from "./group-presets.ts";
import { addChangeGroupPreset, addCreateGroupPreset } from "./write-group-presets.ts";

export function addOutboundRoutes(app: FastifyInstance, context: RouteContext): void {
  addListGroupPresets(app, context);
  addCreateGroupPreset(app, context);
  addChangeGroupPreset(app, context);
  addDeleteGroupPreset(app, context);
}
