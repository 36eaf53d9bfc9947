import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import type { CellKey } from "../configurations/configuration.ts";
import type { BackcastSteps, DatedAsk } from "./backcast.ts";
import { lookbackStartMs } from "./calculate-cells.ts";
import { IS_PRICEABLE, type RefreshedConfiguration } from "./refresh-store.ts";

/** Those seen last are read if there are more. A cell of a million listings has about a thousand in a year. */
const ASKS_MAX = 5_000;

/**
 * The asks of one cell, as they are now, that were seen early enough to count at a point and not after the last one. For each
 * step, only the latest time at which an ask was seen is read. Occurrences that were revoked do not count.
 */
export async function findDatedAsks(
  db: Database,
  rules: RefreshedConfiguration,
  { key, steps }: { readonly key: CellKey; readonly steps: BackcastSteps },
): Promise<{ readonly asks: readonly DatedAsk[]; readonly isExact: boolean }> {
  const { toMs, stepMs } = steps;
  const sinceMs = lookbackStartMs(rules.lookback_days, steps.fromMs);
  const rows = await db.query<DatedAsk>(sql`
    select listing.id as listing_id, listing.contact_id, listing.year,
           lower(listing.condition) as condition_bucket, model.source_market, listing.price_eur_minor,
           array(select max(sent_at_ms)
                   from occurrence
                  where occurrence.canonical_message_id = listing.canonical_message_id
                    and not occurrence.is_revoked
                    and occurrence.sent_at_ms between ${sinceMs}::bigint and ${toMs}::bigint
                  group by (${toMs}::bigint - occurrence.sent_at_ms) / ${stepMs}::bigint
                  order by 1) as seen_at_ms
      from listing
      join listing_model as model
        on model.listing_id = listing.id and model.configuration_id = ${rules.id}
     where listing.reference_normalized = ${rules.market_reference_normalized}
       and listing.last_seen_at_ms >= ${sinceMs} and listing.first_seen_at_ms <= ${toMs}
       and listing.year = ${key.year} and listing.condition = ${key.condition_bucket.toUpperCase()}
       and ${IS_PRICEABLE} and listing.contact_id is not null
     order by listing.last_seen_at_ms desc, listing.id
     limit ${ASKS_MAX + 1}`);
  return { asks: rows.slice(0, ASKS_MAX), isExact: rows.length <= ASKS_MAX };
}
