import { assert } from "../../base/errors.ts";
import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

interface PricingHealth {
  readonly configuration_count: number;
  /** Not calculated yet, or too long ago, or changed since. */
  readonly stale_count: number;
  readonly failed_count: number;
  /** One of the errors, if several failed. */
  readonly last_refresh_error: string | null;
  readonly has_eu_view: boolean;
  readonly has_hk_view: boolean;
}

export async function findPricingHealth(db: Database, nowMs: number): Promise<PricingHealth> {
  const [row] = await db.query<PricingHealth>(sql`
    select count(*) as configuration_count,
           count(*) filter (where configuration.last_success_at_ms is null
                               or ${nowMs} - configuration.last_success_at_ms > profile.stale_after_ms
                               or snapshot.revision is distinct from configuration.revision) as stale_count,
           count(configuration.last_refresh_error) as failed_count,
           max(configuration.last_refresh_error) as last_refresh_error,
           exists (select from market_view where source_market = 'EU') as has_eu_view,
           exists (select from market_view where source_market = 'HK') as has_hk_view
      from price_configuration as configuration
      join price_profile as profile on profile.id = configuration.profile_id
      left join price_snapshot as snapshot on snapshot.configuration_id = configuration.id
     where configuration.deleted_at_ms is null`);
  assert(row !== undefined, "an aggregate must return one row");
  return row;
}
