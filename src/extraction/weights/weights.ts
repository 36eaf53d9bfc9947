/** The weights of the scorers, as data: they decide readings as much as the words do. */
import intents from "./intents.json" with { type: "json" };
import numbers from "./numbers.json" with { type: "json" };
import words from "./words.json" with { type: "json" };

export const WEIGHTS = { intents, numbers, words };

/**
 * What speaks for and against a reading of a number, by its kind. A reading is scored by the sum of its facts. Below zero it is
 * not taken, and of readings that overlap the line takes those with the highest sum.
 */
const NUMBER_WEIGHTS = numbers;

export type NumberKind = keyof typeof NUMBER_WEIGHTS;
export type NumberFact<Kind extends NumberKind> = keyof (typeof NUMBER_WEIGHTS)[Kind];

/** Returns the sum of the weights. */
export function scoreOf<Kind extends NumberKind>(
  kind: Kind,
  facts: readonly NumberFact<Kind>[],
): number {
  const table = NUMBER_WEIGHTS[kind];
  let score = 0;
  for (const fact of facts) score += table[fact] as number;
  return score;
}
