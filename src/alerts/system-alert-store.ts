import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/** Of the configurations, those whose system alert is disabled. */
export async function listDisabledConfigurationIds(
  db: Database,
  configurationIds: readonly string[] | "all",
): Promise<ReadonlySet<string>> {
  const isWanted =
    configurationIds === "all"
      ? sql`true`
      : sql`configuration_id = any(${configurationIds}::uuid[])`;
  const rows = await db.query<{ configuration_id: string }>(sql`
    select configuration_id
      from alert
     where is_system and not is_enabled and ${isWanted}
     order by configuration_id
     limit 1000000`);
  return new Set(rows.map(({ configuration_id }) => configuration_id));
}

/**
 * Enables or disables the system alerts of these configurations: a deleted configuration keeps its alert with the matches,
 * disabled.
 */
export async function switchSystemAlerts(
  tx: Database,
  change: { readonly configurationIds: readonly string[]; readonly isEnabled: boolean },
  nowMs: number,
): Promise<void> {
  if (change.configurationIds.length === 0) return;
  await tx.execute(sql`
    update alert
       set is_enabled = ${change.isEnabled}, updated_at_ms = ${nowMs}
     where configuration_id = any(${change.configurationIds}::uuid[]) and is_enabled <> ${change.isEnabled}`);
}
