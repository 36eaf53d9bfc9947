import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

/** What decides whether the buys of a configuration fire alerts, and whether these are sent. */
export interface FiringRules {
  readonly id: string;
  readonly buy_signals_enabled: boolean;
  readonly status: "shadow" | "live";
  readonly is_changed: boolean;
  readonly stale_after_ms: number;
  /** Listings that arrived before this number fire no alerts on its buys. */
  readonly since_sequence: number;
}

export async function findFiringRules(
  tx: Database,
  configurationIds: readonly string[],
): Promise<ReadonlyMap<string, FiringRules>> {
  const rows = await tx.query<FiringRules>(sql`
    select configuration.id, configuration.buy_signals_enabled, configuration.since_sequence, profile.status, profile.stale_after_ms,
           snapshot.revision is distinct from configuration.revision as is_changed
      from price_configuration as configuration
      join price_profile as profile on profile.id = configuration.profile_id
      left join price_snapshot as snapshot on snapshot.configuration_id = configuration.id
     where configuration.id = any(${configurationIds}::uuid[]) and configuration.deleted_at_ms is null
     order by configuration.id
     limit ${configurationIds.length}`);
  return new Map(rows.map((row) => [row.id, row]));
}
