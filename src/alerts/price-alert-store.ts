import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";

export interface PriceAlert {
  readonly id: string;
  /** Empty if any configuration counts. */
  readonly configuration_ids: readonly string[];
  /** True if the alert has a saved filter, which must match the listing too. */
  readonly has_filter: boolean;
  /** Listings that arrived before this number do not fire it. */
  readonly since_sequence: number;
}

/**
 * The enabled price_engine alerts that these buys may fire: the system alerts of the configurations, and the alerts of users
 * that name one of the configurations or none. An alert with a saved filter is included only if `foundIds` has it.
 */
export async function listPriceAlerts(
  tx: Database,
  configurationIds: readonly string[],
  foundIds: readonly string[],
): Promise<readonly PriceAlert[]> {
  const filter = sql`
    exists (select from saved_filter
             where saved_filter.owner_kind = 'price_alert' and saved_filter.owner_id = alert.id)`;
  const isOfUser = sql`alert.strategy = 'price_engine' and alert.is_enabled and not alert.is_system`;
  return tx.query<PriceAlert>(sql`
    select id, array[configuration_id::text] as configuration_ids, false as has_filter, since_sequence
      from alert
     where configuration_id = any(${[...configurationIds]}::uuid[]) and is_enabled
    union all
    select id, configuration_ids, false, since_sequence
      from alert
     where ${isOfUser} and configuration_ids && ${[...configurationIds]}::text[] and not ${filter}
    union all
    select id, configuration_ids, false, since_sequence
      from alert
     where ${isOfUser} and configuration_ids = '{}' and not ${filter}
    union all
    select id, configuration_ids, true, since_sequence
      from alert
     where ${isOfUser} and id = any(${[...foundIds]}::uuid[]) and ${filter}`);
}
