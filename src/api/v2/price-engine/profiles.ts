import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { AppError } from "../../../base/errors.ts";
import { deleteDeclaration, withoutRow } from "../../../manifest/apply-declarations.ts";
import { type Declared, KINDS } from "../../../manifest/schema.ts";
import { toProfileDeclaration } from "../../../manifest/stored-declarations.ts";
import type { ObjectKind } from "../../../manifest/write-object.ts";
import { listConfigurationsOf } from "../../../pricing/configurations/configuration-write-store.ts";
import {
  findProfile,
  listProfilePage,
  type ProfileRow,
} from "../../../pricing/configurations/profile-store.ts";
import {
  addChangeObject,
  addCreateObject,
  addDeleteObject,
  addGetObject,
  addListObjects,
} from "../object-routes.ts";
import { Id, type RouteContext } from "../schemas.ts";
import { patchOf } from "../writes.ts";

const ProfileBody = Type.Object(
  {
    ...KINDS.profiles.properties,
    id: Id,
    managed_by: Type.String({ description: "`manifest` or `api`." }),
  },
  { $id: "Profile" },
);

type Body = Declared<"profiles"> & { readonly managed_by: string };

const PROFILES = {
  kind: "profiles",
  noun: "profile",
  notFound: "profile_not_found",
  find: async (db, id) => {
    const found = await findProfile(db, id);
    if (found === undefined) return undefined;
    const { profile, createdHash } = found;
    const { id: _, ...given } = toProfileDeclaration(profile);
    return { body: toProfileBody(profile), given, managedBy: profile.managed_by, createdHash };
  },
  remove: async (tx, id, stamp) => {
    const { length: count } = await listConfigurationsOf(tx, [id]);
    if (count > 0) throw new AppError("in_use", `${count} configurations use this profile`);
    const found = await findProfile(tx, id);
    if (found !== undefined) {
      await deleteDeclaration(tx, { profiles: withoutRow(found.profile) }, stamp);
    }
  },
} as const satisfies ObjectKind<Body>;

const ROUTES = {
  kind: PROFILES,
  path: "/v2/market/price-engine/profiles",
  idName: "id",
  tags: ["Market"],
  title: "price-engine profile",
  operationNoun: "Profile",
  body: ProfileBody,
};

const EXAMPLE = { name: "Vintage", minimum_profit_eur_minor: 150_000 };

/** The rules by which configurations are priced, in the members of the manifest. */
export function addWriteProfiles(app: FastifyInstance, context: RouteContext): void {
  addListObjects(app, context, ROUTES, async (db, page) =>
    (await listProfilePage(db, page)).map(toProfileBody),
  );
  addGetObject(app, context, ROUTES);
  addCreateObject(app, context, ROUTES, {
    given: { ...KINDS.profiles, examples: [EXAMPLE] },
    description:
      "Starts as `shadow` unless the body says `live`: the matches of a shadow profile are recorded and never sent.",
  });
  addChangeObject(app, context, ROUTES, {
    given: patchOf(KINDS.profiles),
    description:
      "A member without a value has its default. Its configurations are stale until they are calculated again. Nothing " +
      "fires for listings that are already there, also when a profile goes `live`.",
  });
  addDeleteObject(app, context, ROUTES, {
    description: "A profile that configurations use is not deleted (`in_use`).",
  });
}

function toProfileBody(profile: ProfileRow): Body {
  return { ...toProfileDeclaration(profile), managed_by: profile.managed_by };
}
