import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { changeObject, createObject } from "../../../manifest/write-object.ts";
import { failures, IdParam, named, type RouteContext, typed } from "../schemas.ts";
import { expectationOf, IfMatch, patchOf, sendWritten, writerOf } from "../writes.ts";
import { NewPreset, PRESETS, PresetBody } from "./preset-object.ts";

/** The list of presets adds the schema `GroupPreset`. */
export function addCreateGroupPreset(app: FastifyInstance, { db, clock }: RouteContext): void {
  const schema = {
    operationId: "createGroupPreset",
    tags: ["Outbound"],
    summary: "Create an outbound group preset",
    description:
      "`group_ids` are ids of groups, or their ids at the gateway. With an `id` of your own you can repeat the request: " +
      "the same body returns the preset as it is now, with 200.",
    body: NewPreset,
    response: {
      200: named(PresetBody),
      201: named(PresetBody),
      ...failures(400, 401, 403, 409),
    },
  };
  typed(app).post("/v2/outbound/group-presets", { schema }, async (request, reply) => {
    const writer = writerOf(request, clock);
    return sendWritten(reply, await createObject(db, PRESETS, { given: request.body, writer }));
  });
}

export function addChangeGroupPreset(app: FastifyInstance, { db, clock }: RouteContext): void {
  const schema = {
    operationId: "changeGroupPreset",
    tags: ["Outbound"],
    summary: "Change an outbound group preset",
    description: "Replaces the members in the body; `null` removes one.",
    params: Type.Object({ preset_id: IdParam("The preset's id.") }),
    headers: IfMatch,
    body: patchOf(NewPreset),
    response: { 200: named(PresetBody), ...failures(400, 401, 403, 404, 409, 412) },
  };
  typed(app).patch("/v2/outbound/group-presets/:preset_id", { schema }, async (request, reply) => {
    const change = {
      id: request.params.preset_id,
      patch: request.body,
      writer: writerOf(request, clock),
      ...expectationOf(request),
    };
    return sendWritten(reply, await changeObject(db, PRESETS, change));
  });
}
