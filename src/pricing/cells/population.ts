import type { SourceMarket } from "../../matching/membership.ts";
import type { CellKey } from "../configurations/configuration.ts";
import { toComparableAsk } from "../thresholds.ts";
import {
  createCellCalculator,
  type DescribedCell,
  lookbackStartMs,
  type Member,
} from "./calculate-cells.ts";
import { hkMarkupOf, judgeAsk, type PriceRules } from "./cell.ts";

/**
 * Says of each ask of a cell whether it counts, and if not, why. The calculator of the cells chooses the population and its
 * bounds, so the asks that are called `counted` here are those that a calculation at the same time counts.
 *
 * Example (look-back 30 days): contact A asked 9,800 yesterday and 10,000 a week ago, B asks 10,200, C asks 202, and D asked
 * 9,900 forty days ago. 9,800 and 10,200 are counted, 10,000 is superseded, 202 is suspect, and 9,900 is aged out.
 */

export const ROLES = ["counted", "outlier", "suspect", "superseded", "aged_out"] as const;
type Role = (typeof ROLES)[number];

interface PopulationAsk {
  readonly listing_id: string;
  readonly contact_id: string;
  readonly source_market: SourceMarket;
  readonly original_ask_eur_minor: number;
  readonly comparable_ask_eur_minor: number;
  readonly last_seen_at_ms: number;
  readonly role: Role;
}

export interface Population {
  /** In the order of the members. */
  readonly items: readonly PopulationAsk[];
  /** Absent unless outliers are excluded and there are enough asks. */
  readonly lower_fence_eur_minor?: number;
  readonly upper_fence_eur_minor?: number;
}

/** All members are in the cell `key`, within any time. */
export function describePopulation(
  members: readonly Member[],
  key: CellKey,
  { rules, nowMs }: { readonly rules: PriceRules; readonly nowMs: number },
): Population {
  const calculator = createCellCalculator(rules, nowMs);
  for (const member of members) calculator.add(member);
  const cell = calculator.describeCell(key);
  const sinceMs = lookbackStartMs(rules.lookback_days, nowMs);
  const items = members.map((member) => {
    const ask = toComparableAsk(member.price_eur_minor, member.source_market, hkMarkupOf(rules));
    return {
      listing_id: member.listing_id,
      contact_id: member.contact_id,
      source_market: member.source_market,
      original_ask_eur_minor: ask.originalAskEurMinor,
      comparable_ask_eur_minor: ask.comparableAskEurMinor,
      last_seen_at_ms: member.last_seen_at_ms,
      role: roleOf(member, ask.comparableAskEurMinor, { cell, sinceMs }),
    };
  });
  return {
    items,
    ...(cell.fences === undefined
      ? {}
      : { lower_fence_eur_minor: cell.fences.low, upper_fence_eur_minor: cell.fences.high }),
  };
}

function roleOf(
  member: Member,
  comparableAsk: number,
  { cell, sinceMs }: { readonly cell: DescribedCell; readonly sinceMs: number },
): Role {
  if (member.last_seen_at_ms < sinceMs) return "aged_out";
  if (!cell.listingIds.has(member.listing_id)) return "superseded";
  return judgeAsk(comparableAsk, cell);
}
