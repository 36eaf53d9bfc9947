import type { Database } from "../db/database.ts";
import { type Sql, sql } from "../db/sql.ts";
import type { SourceMarket } from "../matching/membership-store.ts";
import type { ConditionBucket } from "../pricing/cells/cell.ts";

/** A configuration that a listing is a member of, its source market, and the state of the system alert. */
export interface ListingModelRow {
  readonly configuration_id: string;
  readonly source_market: SourceMarket;
  readonly original_ask_eur_minor: number;
  readonly year: number;
  readonly condition_bucket: ConditionBucket;
  readonly alert_id: string | null;
  readonly alert_name: string | null;
  readonly alert_enabled: boolean | null;
  readonly matched_at_ms: number | null;
  readonly seen_at_ms: number | null;
}

/** By requested id. An id that is neither a visible listing nor an alias of one is left out. */
export type ListingModels = ReadonlyMap<string, readonly ListingModelRow[]>;

export async function findListingModels(
  db: Database,
  listingIds: readonly string[],
): Promise<ListingModels> {
  const found = await findModelsOf(
    db,
    sql`(select id, id from unnest(${listingIds}::uuid[]) as id)`,
  );
  const missing = listingIds.filter((id) => !found.has(id));
  if (missing.length === 0) return found;
  // Rare: ids from before contacts merged.
  const moved = await findModelsOf(
    db,
    sql`(select old_id, listing_id from listing_alias where old_id = any(${missing}::uuid[]))`,
  );
  return new Map([...found, ...moved]);
}

interface FoundRow extends ListingModelRow {
  readonly requested_id: string;
}

/** `ids` selects pairs: the requested id, and the id of the listing. */
async function findModelsOf(
  db: Database,
  ids: Sql,
): Promise<Map<string, readonly ListingModelRow[]>> {
  const rows = await db.query<
    FoundRow | { readonly requested_id: string; readonly configuration_id: null }
  >(sql`
    select requested.requested_id, model.configuration_id, model.source_market,
           listing.price_eur_minor as original_ask_eur_minor, listing.year,
           lower(listing.condition) as condition_bucket, alert.id as alert_id, alert.name as alert_name,
           alert.is_enabled as alert_enabled, match.matched_at_ms, match.seen_at_ms
      from ${ids} as requested (requested_id, listing_id)
      join listing on listing.id = requested.listing_id and not listing.is_hidden and not listing.is_revoked
      left join listing_model as model
        on model.listing_id = listing.id and listing.side = 'for_sale' and listing.price_eur_minor is not null
       and listing.year is not null and listing.condition is not null
      left join alert on alert.configuration_id = model.configuration_id
      left join alert_match as match
        on match.alert_id = alert.id and match.resource = 'watch_listing' and match.resource_id = listing.id`);
  const found = new Map<string, ListingModelRow[]>();
  for (const row of rows) {
    const models = found.get(row.requested_id) ?? [];
    if (row.configuration_id !== null) models.push(row);
    found.set(row.requested_id, models);
  }
  return found;
}
