import { Type } from "typebox";
import { AppError } from "../../../base/errors.ts";
import { deleteDeclaration, withoutRow } from "../../../manifest/apply-declarations.ts";
import { type Declared, KINDS } from "../../../manifest/schema.ts";
import { toProfileDeclaration } from "../../../manifest/stored-declarations.ts";
import type { ObjectKind } from "../../../manifest/write-object.ts";
import { listConfigurationsOf } from "../../../pricing/configurations/configuration-write-store.ts";
import { findProfile, type ProfileRow } from "../../../pricing/configurations/profile-store.ts";
import { Id } from "../schemas.ts";

export const ProfileBody = Type.Object(
  {
    ...KINDS.profiles.properties,
    id: Id,
    managed_by: Type.String({ description: "`manifest` or `api`." }),
  },
  { $id: "Profile" },
);

type Body = Declared<"profiles"> & { readonly managed_by: string };

export function toProfileBody(profile: ProfileRow): Body {
  return { ...toProfileDeclaration(profile), managed_by: profile.managed_by };
}

export const PROFILES = {
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
