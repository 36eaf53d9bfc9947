import type { FastifyInstance } from "fastify";
import { addChangeObject, addCreateObject } from "../object-routes.ts";
import type { RouteContext } from "../schemas.ts";
import { patchOf } from "../writes.ts";
import { NewPreset, PRESETS, PresetBody } from "./preset-object.ts";

const ROUTES = {
  kind: PRESETS,
  path: "/v2/outbound/group-presets",
  idName: "preset_id",
  tags: ["Outbound"],
  title: "outbound group preset",
  operationNoun: "GroupPreset",
  body: PresetBody,
};

/** The list of presets adds the schema `GroupPreset`. */
export function addWriteGroupPresets(app: FastifyInstance, context: RouteContext): void {
  addCreateObject(app, context, ROUTES, {
    given: NewPreset,
    description: "`group_ids` are ids of groups, or their ids at the gateway.",
  });
  addChangeObject(app, context, ROUTES, { given: patchOf(NewPreset) });
}
