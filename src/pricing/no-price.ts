import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { findSelections } from "../matching/rebuild-members.ts";

/**
 * Why a watch with an ask has no price, or none that can be trusted, in the order in which they are asked. The contract has them with
 * these meanings; the console's words for them are in `console/words/trade.ts`.
 */
const REASONS = {
  no_price_rule: "no price rule is about this watch",
  not_a_source_market: "its dealer is in no source market, as the source views define them",
  set_left_out: "a rule would fit, but leaves its set out",
  no_year: "the message says no year",
  no_condition: "the message says no condition",
  too_few_asks: "too few dealers offer it in that year and condition",
  suspect: "there is a price, but the ask is so far from it that it was most likely misread",
} as const;
export type NoPriceReason = keyof typeof REASONS;
export const NO_PRICE_REASONS = Object.keys(REASONS) as readonly NoPriceReason[];

/** Such as "`no_year`: the message says no year". */
export const NO_PRICE_MEANINGS = Object.entries(REASONS)
  .map(([reason, meaning]) => `\`${reason}\`: ${meaning}`)
  .join("; ");

interface UnpricedRow {
  /** As requested: it may be one from before contacts merged. */
  readonly id: string;
  readonly listing_id: string;
  readonly year: number | null;
  readonly condition: string | null;
  readonly is_member: boolean;
  /** The configurations of its reference. */
  readonly rule_ids: readonly string[];
}

/** A reference with more rules than this is explained by the first of them. */
const RULES_MAX = 20;

/**
 * By requested id, for listings without an available cell. One without an ask in euros, one that is wanted and one that is gone have
 * nothing to price, and are left out.
 *
 * Example: with source views for Europe and Hong Kong and a rule for the 126610LN, one from Dubai is in no source market. One from
 * Germany without papers, under a rule that compares papers, is left out by its set.
 */
export async function findNoPriceReasons(
  db: Database,
  listingIds: readonly string[],
): Promise<ReadonlyMap<string, NoPriceReason>> {
  if (listingIds.length === 0) return new Map();
  const rows = await db.query<UnpricedRow>(sql`
    select own.id, listing.id as listing_id, listing.year, listing.condition,
           exists (select
                     from listing_model as model
                     join price_configuration as configuration
                       on configuration.id = model.configuration_id and configuration.deleted_at_ms is null
                    where model.listing_id = listing.id) as is_member,
           array(select configuration.id
                   from price_configuration as configuration
                  where configuration.market_reference_normalized = listing.reference_normalized
                    and configuration.deleted_at_ms is null
                  order by configuration.configuration_key
                  limit ${RULES_MAX}) as rule_ids
      from unnest(${listingIds}::uuid[]) as own (id)
      left join listing as known on known.id = own.id
      left join listing_alias as alias on alias.old_id = own.id
      join listing on listing.id = coalesce(known.id, alias.listing_id)
     where listing.side = 'for_sale'
       and listing.price_eur_minor is not null and not listing.is_hidden and not listing.is_revoked`);
  const others = rows.filter(({ is_member, rule_ids }) => !is_member && rule_ids.length > 0);
  const selections =
    others.length === 0
      ? []
      : await findSelections(
          db,
          others.map(({ listing_id }) => listing_id),
          [...new Set(others.flatMap(({ rule_ids }) => rule_ids))],
        );
  const selectionOf = new Map(selections.map((one) => [one.listing_id, one]));
  return new Map(
    rows.map((row): readonly [string, NoPriceReason] => {
      if (row.is_member) return [row.id, findMissing(row)];
      const selection = selectionOf.get(row.listing_id);
      if (selection?.is_selected !== true) return [row.id, "no_price_rule"];
      return [row.id, selection.source_market === null ? "not_a_source_market" : "set_left_out"];
    }),
  );
}

/** What a member of a rule lacks. */
function findMissing({ year, condition }: UnpricedRow): NoPriceReason {
  if (year === null) return "no_year";
  return condition === null ? "no_condition" : "too_few_asks";
}
