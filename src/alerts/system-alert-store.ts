import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";

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
