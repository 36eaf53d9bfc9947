import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { KINDS } from "../../../manifest/schema.ts";
import type { ObjectKind } from "../../../manifest/write-object.ts";
import { findGroupSettings, type GroupSettings } from "../../../messages/group-store.ts";
import { addChangeObject } from "../object-routes.ts";
import { Id, optional, type RouteContext } from "../schemas.ts";
import { patchOf } from "../writes.ts";

const GroupBody = Type.Object(
  {
    id: Id,
    gateway_group_id: Type.String({ description: "The group's id at the gateway." }),
    name: optional(Type.String()),
    default_currency: optional(
      Type.String({ description: "The currency of amounts without one in this group." }),
    ),
    is_ignored: Type.Boolean({ description: "Its messages are not read." }),
    managed_by: optional(
      Type.String({ description: "`manifest` or `api`; absent if nothing is declared." }),
    ),
    updated_by: optional(Type.String()),
  },
  { $id: "Group" },
);

const { is_ignored, default_currency } = KINDS.groups.properties;
const Changes = Type.Object({ is_ignored, default_currency });

const GROUPS = {
  kind: "groups",
  noun: "group",
  notFound: "group_not_found",
  isOnlyOne: true,
  find: async (db, id) => {
    const found = await findGroupSettings(db, id);
    if (found === undefined) return undefined;
    const { group, declaredName } = found;
    const given = {
      gateway_group_id: group.gateway_group_id,
      ...(declaredName === null ? {} : { name: declaredName }),
      ...(group.default_currency === undefined ? {} : { default_currency: group.default_currency }),
      is_ignored: group.is_ignored,
    };
    return { body: group, given, managedBy: group.managed_by ?? null, createdHash: null };
  },
} as const satisfies ObjectKind<GroupSettings>;

const ROUTES = {
  kind: GROUPS,
  path: "/v2/groups",
  idName: "group_id",
  tags: ["Groups"],
  operationNoun: "Group",
  body: GroupBody,
};

/** An extension of the contract. Groups come from the gateway, so they are changed and never created here. */
export function addChangeGroup(app: FastifyInstance, context: RouteContext): void {
  app.addSchema(GroupBody);
  addChangeObject(app, context, ROUTES, {
    given: patchOf(Changes),
    description:
      "Messages of an ignored group are stored as they came and not read. With another `default_currency`, the group's " +
      "messages are read again.",
  });
}
