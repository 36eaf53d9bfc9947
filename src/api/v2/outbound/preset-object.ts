import { Type } from "typebox";
import { KINDS } from "../../../manifest/schema.ts";
import type { ObjectKind } from "../../../manifest/write-object.ts";
import {
  findGroupPreset,
  type GroupPreset,
  lockGroupPreset,
} from "../../../outbound/group-preset-store.ts";
import { Id, Ms, optional } from "../schemas.ts";

export const PresetBody = Type.Object(
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
export const NewPreset = Type.Object(
  {
    id,
    name,
    description,
    group_ids: Type.Required(Type.Object({ group_ids })).properties.group_ids,
  },
  { additionalProperties: false },
);

export const PRESETS = {
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
