import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { AppError } from "../../../base/errors.ts";
import { deleteGroupPreset, listGroupPresets } from "../../../outbound/group-preset-store.ts";
import { Count, failures, IdParam, named, type RouteContext, typed } from "../schemas.ts";
import { PresetBody } from "./preset-object.ts";

/** An extension of the contract: callers need it to find the id of a preset. */
export function addListGroupPresets(app: FastifyInstance, { db }: RouteContext): void {
  app.addSchema(PresetBody);
  const schema = {
    operationId: "listGroupPresets",
    tags: ["Outbound"],
    summary: "List outbound group presets",
    description: "All presets, by name.",
    response: {
      200: Type.Object({ items: Type.Array(named(PresetBody)), total: Count }),
      ...failures(401),
    },
  };
  app.get("/v2/outbound/group-presets", { schema }, async () => {
    const items = await listGroupPresets(db);
    return { items, total: items.length };
  });
}

/** Seed 4.6. */
export function addDeleteGroupPreset(app: FastifyInstance, { db }: RouteContext): void {
  const schema = {
    operationId: "deleteGroupPreset",
    tags: ["Outbound"],
    summary: "Delete an outbound group preset",
    description: "Answers 204, and 404 if it is deleted a second time.",
    params: Type.Object({ preset_id: IdParam("The preset's id.") }),
    response: {
      204: Type.Null({ description: "The preset is deleted." }),
      ...failures(400, 401, 403, 404),
    },
  };
  typed(app).delete("/v2/outbound/group-presets/:preset_id", { schema }, async (request, reply) => {
    const isDeleted = await deleteGroupPreset(db, request.params.preset_id);
    if (!isDeleted) {
      throw new AppError("group_preset_not_found", "there is no group preset with this id");
    }
    return reply.code(204).send(null);
  });
}
