/** What can make a reading wrong. */
export type Doubt = keyof typeof WEIGHTS;

/** PLACEHOLDER */
const WEIGHTS = {
  reference_missing: 1,
  reference_unknown: 1,
  usual_price_unknown: 1,
  price_far_from_usual: 1,
  price_unusual: 1,
  price_without_unit: 1,
  price_bare: 1,
  price_without_currency: 1,
  currency_by_default: 1,
  several_amounts: 1,
  price_on_other_line: 1,
  year_short: 1,
  year_of_section: 1,
  several_dates: 1,
  prose: 1,
  not_offered_clearly: 1,
  value_left_out: 1,
  shared_line: 1,
} as const;

const BASE = 5;

export function toConfidence(doubts: readonly Doubt[]): number {
  let score = BASE;
  for (const doubt of doubts) score -= WEIGHTS[doubt];
  return Math.round(100 / (1 + Math.exp(-score))) / 100;
}
