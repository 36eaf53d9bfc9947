import type { Database } from "../db/database.ts";
import type { ListingRow } from "../listings/listing-store.ts";
import type { SourceMarket } from "../matching/membership-store.ts";
import {
  type CalculatedCell,
  type CellKey,
  type ConditionBucket,
  hkMarkupOf,
} from "./cells/cell.ts";
import { findCell } from "./cells/cell-store.ts";
import { findPopulation, findRules, type Role, type RulesRow } from "./cells/population.ts";
import { isSuspect } from "./cells/statistics.ts";
import type { ExplainedConfiguration } from "./near-configurations.ts";
import { type BuyVerdict, type ComparableAsk, judgeBuy, toComparableAsk } from "./thresholds.ts";

/**
 * How a configuration prices the ask of one of its members: the numbers that `assay explain` prints with their formulas.
 * They come from the stored cell and from the rules of the price engine; none is calculated in another way here.
 *
 * Example: an ask of 9,000.00 in Hong Kong with a mark-up of 5 % + 150.00 compares as 9,600.00. Its cell has an average of
 * 10,320.00 and a maximum of 9,820.00, so the ask is a buy with a profit of 720.00.
 */
export interface AskCalculation {
  readonly market: SourceMarket;
  readonly rules: RulesRow;
  /** Absent if the listing has no price in EUR. */
  readonly ask?: ComparableAsk;
  /** Absent if there is no ask, or no such cell in the snapshot. */
  readonly cell?: AskCell;
}

/** The cell of a listing, and where the ask stands in it. */
export interface AskCell extends CalculatedCell {
  readonly isSuspect: boolean;
  readonly verdict: BuyVerdict;
  /** Null if the cell has no prices. */
  readonly profitOpportunityEurMinor: number | null;
  readonly role: Role | "sender_unknown" | "not_for_sale";
  /** The ask of the same contact that is in the population instead. */
  readonly supersededBy?: string;
}

/** By configuration, for those that have the listing as a member. */
export async function findAskCalculations(
  db: Database,
  listing: ListingRow,
  configurations: readonly Pick<ExplainedConfiguration, "id" | "source_market">[],
  nowMs: number,
): Promise<ReadonlyMap<string, AskCalculation>> {
  const found = new Map<string, AskCalculation>();
  for (const { id, source_market: market } of configurations) {
    const rules = market === null ? undefined : await findRules(db, id);
    if (market === null || rules === undefined) continue;
    found.set(id, await calculate(db, listing, { market, rules, nowMs }));
  }
  return found;
}

async function calculate(
  db: Database,
  listing: ListingRow,
  { nowMs, ...member }: { readonly nowMs: number } & Pick<AskCalculation, "market" | "rules">,
): Promise<AskCalculation> {
  const { market, rules } = member;
  if (listing.price_eur_minor === null) return member;
  const ask = toComparableAsk(listing.price_eur_minor, market, hkMarkupOf(rules));
  const { year, condition } = listing;
  if (year === null || condition === null) return { ...member, ask };
  const condition_bucket = condition.toLowerCase() as ConditionBucket;
  const cell = await findCell(db, rules.id, { year, condition_bucket });
  if (cell === undefined) return { ...member, ask };
  const comparable = ask.comparableAskEurMinor;
  const average = cell.market_average_eur_minor;
  return {
    ...member,
    ask,
    cell: {
      ...cell,
      isSuspect: isSuspect(comparable, cell),
      verdict: judgeBuy(comparable, cell),
      profitOpportunityEurMinor: average === null ? null : average - comparable,
      ...(await findRole(db, listing, { configurationId: rules.id, key: cell, nowMs })),
    },
  };
}

async function findRole(
  db: Database,
  listing: ListingRow,
  cell: { readonly configurationId: string; readonly key: CellKey; readonly nowMs: number },
): Promise<Pick<AskCell, "role" | "supersededBy">> {
  if (listing.side !== "for_sale" || listing.is_hidden || listing.is_revoked)
    return { role: "not_for_sale" };
  if (listing.contact_id === null) return { role: "sender_unknown" };
  const items = (await findPopulation(db, cell))?.items ?? [];
  // A listing that is not in the population was last seen before two look-backs.
  const role = items.find(({ listing_id }) => listing_id === listing.id)?.role ?? "aged_out";
  if (role !== "superseded") return { role };
  const counted = items.find(
    (item) =>
      item.contact_id === listing.contact_id &&
      item.role !== "superseded" &&
      item.role !== "aged_out",
  );
  return { role, ...(counted === undefined ? {} : { supersededBy: counted.listing_id }) };
}
