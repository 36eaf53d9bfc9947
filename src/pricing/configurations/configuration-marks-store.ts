import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

/** What the API needs to write a configuration, besides the declaration. */
export interface ConfigurationMarks {
  readonly profileName: string;
  readonly createdHash: string | null;
}

/** Deleted ones are not found. */
export async function findConfigurationMarks(
  db: Database,
  id: string,
): Promise<ConfigurationMarks | undefined> {
  const [marks] = await db.query<ConfigurationMarks>(sql`
    select profile.name as "profileName", configuration.created_hash as "createdHash"
      from price_configuration as configuration
      join price_profile as profile on profile.id = configuration.profile_id
     where configuration.id = ${id} and configuration.deleted_at_ms is null`);
  return marks;
}
