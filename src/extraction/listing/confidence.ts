/**
 * What can make a reading wrong, and how much it lowers the confidence. The weights are log-odds. They were fitted to the
 * errors in messages that the reader had not seen, and then rounded (docs/extraction.md, "Confidence").
 */
const WEIGHTS = {
  /** Neither a price nor a word of offer or request, and nothing that describes the watch. */
  not_offered_clearly: 2.9,
  /** The same, but a set, a condition, a date or a dial is there. */
  ask_missing: 1.5,
  /** More than three times the usual price of the reference, or less than a third of it. */
  price_far_from_usual: 4.8,
  price_unusual: 0.8,
  usual_price_unknown: 1.2,
  /** "13,5": the unit was left out. */
  price_without_unit: 0.8,
  price_without_currency: 0.7,
  price_bare: 0.8,
  currency_by_default: 0.2,
  several_amounts: 0.8,
  price_on_other_line: 0.2,
  reference_unknown: 0.9,
  reference_missing: 0.5,
  model_unknown: 1.2,
  year_short: 0.1,
  year_of_section: 1.3,
  several_dates: 1.5,
  /** Another watch stands before it on the line. */
  shared_line: 1.3,
  value_left_out: 0.8,
} as const;

/** Log-odds of a reading without any doubt: 98.7 % of them are right. */
const CERTAIN = 4.3;

export type Doubt = keyof typeof WEIGHTS;

/**
 * Returns the chance that the watch is offered or sought (`offered`), and that its reference, price and year are right as far
 * as they are given, from 0 to 1.
 */
export function toConfidence(doubts: readonly Doubt[], offered: number): number {
  let logOdds = CERTAIN;
  for (const doubt of doubts) logOdds -= WEIGHTS[doubt];
  return Math.round((100 * offered) / (1 + Math.exp(-logOdds))) / 100;
}
