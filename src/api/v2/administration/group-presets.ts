import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { KINDS } from "../../../manifest/schema.ts";
import type { ObjectKind } from "../../../manifest/write-object.ts";
import {
  deleteGroupPresets,
  findGroupPreset,
  type GroupPreset,
  listGroupPresets,
  lockGroupPreset,
} from "../../../outbound/group-preset-store.ts";
import { recordActivity } from "../../../people/activity-store.ts";
import { addChangeObject, addCreateObject } from "../object-routes.ts";
import {
  Count,
  failures,
  Id,
  IdParam,
  Ms,
  named,
  notFound,
  optional,
  type RouteContext,
  typed,
} from "../schemas.ts";
import { authorOf, patchOf } from "../writes.ts";

const PresetBody = Type.Object(
  {
    id: Id,
    name: Type.String(),
    description: optional(Type.String()),
    group_ids: Type.Array(Id),
    managed_by: Type.String({ description: "`manifest` or `api`." }),
    created_by: optional(Type.String()),
    updated_by: optional(Type.String()),
    created_at_ms: Ms,
    updated_at_ms: Ms,
  },
  { $id: "GroupPreset" },
);

const { id, name, description, group_ids } = KINDS.group_presets.properties;

/** What a caller may write. A group is named by its id or by its id at the gateway. */
const NewPreset = Type.Object(
  {
    id,
    name,
    description,
    group_ids: Type.Required(Type.Object({ group_ids })).properties.group_ids,
  },
  { additionalProperties: false },
);

const PRESETS = {
  kind: "group_presets",
  noun: "group preset",
  notFound: "group_preset_not_found",
  find: async (db, presetId) => {
    const found = await findGroupPreset(db, presetId);
    if (found === undefined) return undefined;
    const { preset, createdHash } = found;
    const given = {
      name: preset.name,
      ...(preset.description === undefined ? {} : { description: preset.description }),
      group_ids: preset.group_ids,
    };
    return { body: preset, given, managedBy: preset.managed_by, createdHash };
  },
  lock: lockGroupPreset,
} as const satisfies ObjectKind<GroupPreset>;

const ROUTES = {
  kind: PRESETS,
  path: "/v2/outbound/group-presets",
  idName: "preset_id",
  tags: ["Outbound"],
  title: "outbound group preset",
  operationNoun: "GroupPreset",
  body: PresetBody,
};

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
  app.get("/v2/outbound/group-presets", { schema }, async (request) => {
    const items = await listGroupPresets(db(request));
    return { items, total: items.length };
  });
}

/** The list of presets adds the schema `GroupPreset`. */
export function addWriteGroupPresets(app: FastifyInstance, context: RouteContext): void {
  addCreateObject(app, context, ROUTES, {
    given: NewPreset,
    description: "`group_ids` are ids of groups, or their ids at the gateway.",
  });
  addChangeObject(app, context, ROUTES, { given: patchOf(NewPreset) });
}

/** Seed 4.6. */
export function addDeleteGroupPreset(app: FastifyInstance, { db, clock }: RouteContext): void {
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
    const presetId = request.params.preset_id.toLowerCase();
    await db(request).transaction(async (tx) => {
      await lockGroupPreset(tx, presetId);
      const before = await PRESETS.find(tx, presetId);
      if (before === undefined) throw notFound("group_preset");
      await deleteGroupPresets(tx, [presetId]);
      const object = { kind: "group_preset", id: presetId, name: before.body.name } as const;
      await recordActivity(tx, authorOf(request, { clock }), [
        { action: "deleted", object, before: before.given },
      ]);
    });
    return reply.code(204).send(null);
  });
}
