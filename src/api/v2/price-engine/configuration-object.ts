import { Type } from "typebox";
import { deleteDeclaration, withoutRow } from "../../../manifest/apply-declarations.ts";
import { keyOfConfiguration } from "../../../manifest/identify.ts";
import { type Declared, KINDS } from "../../../manifest/schema.ts";
import {
  listPlannedConfigurations,
  toConfigurationDeclaration,
} from "../../../manifest/stored-declarations.ts";
import type { ObjectKind } from "../../../manifest/write-object.ts";
import { findConfigurationMarks } from "../../../pricing/configurations/configuration-store.ts";
import { listDeletedConfigurations } from "../../../pricing/configurations/configuration-write-store.ts";
import { Filters, Id } from "../schemas.ts";

export const ConfigurationDeclaration = Type.Object(
  {
    ...KINDS.configurations.properties,
    id: Id,
    filters: Filters,
    managed_by: Type.String({ description: "`manifest` or `api`." }),
  },
  { $id: "ConfigurationDeclaration" },
);

type Body = Declared<"configurations"> & { readonly managed_by: string };

export const CONFIGURATIONS = {
  kind: "configurations",
  noun: "configuration",
  notFound: "configuration_not_found",
  find: async (db, id) => {
    const [configuration] = await listPlannedConfigurations(db, { ids: [id] });
    const marks = configuration && (await findConfigurationMarks(db, id));
    if (configuration === undefined || marks === undefined) return undefined;
    const { profileName, createdHash } = marks;
    const declared = toConfigurationDeclaration(configuration, profileName);
    const { id: _, ...given } = declared;
    const { managed_by } = configuration;
    return { body: { ...declared, managed_by }, given, managedBy: managed_by, createdHash };
  },
  /** The same key revives the configuration that was deleted last. */
  findFormerId: async (tx, given) => {
    const keys = [keyOfConfiguration(given as Declared<"configurations">)];
    return (await listDeletedConfigurations(tx, { keys })).at(-1)?.id;
  },
  remove: async (tx, id, stamp) => {
    const [row] = await listPlannedConfigurations(tx, { ids: [id] });
    if (row !== undefined) await deleteDeclaration(tx, { configurations: withoutRow(row) }, stamp);
  },
} as const satisfies ObjectKind<Body>;
