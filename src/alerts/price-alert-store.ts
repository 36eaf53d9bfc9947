import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";

export interface PriceAlert {
  readonly id: string;
  /** Empty: any. */
  readonly configuration_ids: readonly string[];
  /** It asks for more than configurations, so the index has to say that the listing fits. */
  readonly has_filter: boolean;
  /** What came before this it says nothing of. */
  readonly since_sequence: number;
}

/**
 * The enabled price_engine alerts that these buys may fire: the configurations' own, those of users that name one of the
 * configurations, those for any configuration, and of those with further members only the ones that the index found.
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
