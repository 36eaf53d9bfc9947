import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/** What decides whether the buys of a configuration fire, and whether anybody outside may hear of it. */
export interface FiringRules {
  readonly id: string;
  readonly buy_signals_enabled: boolean;
  readonly status: "shadow" | "live";
  readonly is_changed: boolean;
  readonly stale_after_ms: number;
}

export async function findFiringRules(
  tx: Database,
  configurationIds: readonly string[],
): Promise<ReadonlyMap<string, FiringRules>> {
  const rows = await tx.query<FiringRules>(sql`
    select configuration.id, configuration.buy_signals_enabled, profile.status, profile.stale_after_ms,
           snapshot.revision is distinct from configuration.revision as is_changed
      from price_configuration as configuration
      join price_profile as profile on profile.id = configuration.profile_id
      left join price_snapshot as snapshot on snapshot.configuration_id = configuration.id
     where configuration.id = any(${[...configurationIds]}::uuid[])
     order by configuration.id
     limit ${configurationIds.length}`);
  return new Map(rows.map((row) => [row.id, row]));
}

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

/** When these listings came, in the numbers that alerts have too. What is not there came just now. */
export async function findNewsSequences(
  tx: Database,
  listingIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query<{ listing_id: string; came_sequence: number }>(sql`
    select listing_id, came_sequence
      from listing_news
     where listing_id = any(${[...listingIds]}::uuid[])
     order by listing_id
     limit ${listingIds.length}`);
  return new Map(rows.map((row) => [row.listing_id, row.came_sequence]));
}
