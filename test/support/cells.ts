import { randomUUID } from "node:crypto";
import {
  type CellCalculator,
  createCellCalculator,
  type Member,
} from "../../src/pricing/cells/calculate-cells.ts";
import type { CalculatedCell, PriceRules } from "../../src/pricing/cells/cell.ts";
import { NOW_MS } from "./test-app.ts";

/** The rules of a profile with all defaults. */
export function rulesWith(given: Partial<PriceRules> = {}): PriceRules {
  return {
    lookback_days: 30,
    minimum_listings: 3,
    minimum_profit_eur_minor: 50_000,
    hk_markup_rate_bps: 500,
    hk_markup_fixed_eur_minor: 15_000,
    consumer_low_quantile_bps: 2_500,
    consumer_high_quantile_bps: 7_500,
    consumer_margin_bps: 1_000,
    implausible_below_bps: 5_000,
    implausible_above_bps: 30_000,
    excludes_outliers: false,
    minimum_profit_overrides: [],
    ...given,
  };
}

export function aMember(given: Partial<Member> = {}): Member {
  return {
    listing_id: randomUUID(),
    contact_id: randomUUID(),
    year: 2023,
    condition_bucket: "new",
    source_market: "EU",
    price_eur_minor: 1_000_000,
    last_seen_at_ms: NOW_MS,
    ...given,
  };
}

export function calculate(
  members: readonly Member[],
  rules: PriceRules = rulesWith(),
  nowMs = NOW_MS,
): readonly CalculatedCell[] {
  return calculatorOf(members, rules, nowMs).finish();
}

export function calculatorOf(
  members: readonly Member[],
  rules: PriceRules = rulesWith(),
  nowMs = NOW_MS,
): CellCalculator {
  const calculator = createCellCalculator(rules, nowMs);
  for (const member of members) calculator.add(member);
  return calculator;
}
