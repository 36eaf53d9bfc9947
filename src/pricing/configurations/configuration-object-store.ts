import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import {
  type DeclaredConfiguration,
  listDeclaredConfigurations,
} from "./declared-configuration-store.ts";

/** What the API needs to write a configuration. */
export interface ConfigurationObject {
  readonly configuration: DeclaredConfiguration;
  readonly profileName: string;
  readonly createdHash: string | null;
}

/** Deleted ones are not found. */
export async function findConfigurationObject(
  db: Database,
  id: string,
): Promise<ConfigurationObject | undefined> {
  const [configuration] = await listDeclaredConfigurations(db, { ids: [id] });
  if (configuration === undefined) return undefined;
  const [marks] = await db.query<Omit<ConfigurationObject, "configuration">>(sql`
    select profile.name as "profileName", configuration.created_hash as "createdHash"
      from price_configuration as configuration
      join price_profile as profile on profile.id = configuration.profile_id
     where configuration.id = ${id} and configuration.deleted_at_ms is null`);
  return marks === undefined ? undefined : { configuration, ...marks };
}
