import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { findWouldBeMembers } from "../../matching/rebuild-members.ts";
import { createCellCalculator, lookbackStartMs, type Member } from "./calculate-cells.ts";
import type { CalculatedCell, PriceRules } from "./cell.ts";
import { IS_PRICEABLE } from "./refresh-store.ts";

/** As for one cell, and there are about thirty of them. The newest are read. */
const ASKS_MAX = 50_000;

export interface CellPreview {
  readonly cells: readonly CalculatedCell[];
  /** False if there are more asks than are read. */
  readonly isExact: boolean;
}

/**
 * The cells that a configuration with these filters would have now. The same listings would be its members, and the same
 * calculator makes its cells, so they are what the first refresh would store.
 */
export async function previewCells(
  db: Database,
  filters: Parameters<typeof findWouldBeMembers>[1],
  { rules, nowMs }: { readonly rules: PriceRules; readonly nowMs: number },
): Promise<CellPreview> {
  const { isMember, market } = await findWouldBeMembers(db, filters);
  const statement = sql`
    select listing.id as listing_id, listing.contact_id, listing.year,
           lower(listing.condition) as condition_bucket, ${market} as source_market, listing.price_eur_minor,
           listing.last_seen_at_ms
      from listing
     where ${isMember} and ${IS_PRICEABLE} and listing.contact_id is not null
       and listing.last_seen_at_ms >= ${lookbackStartMs(rules.lookback_days, nowMs)}
     order by listing.last_seen_at_ms desc, listing.id
     limit ${ASKS_MAX + 1}`;
  const members = await db.query<Member>(statement, { isStatic: false });
  const calculator = createCellCalculator(rules, nowMs);
  for (const member of members.slice(0, ASKS_MAX)) calculator.add(member);
  return { cells: calculator.finish(), isExact: members.length <= ASKS_MAX };
}
