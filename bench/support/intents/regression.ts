/** Logistic regression over sparse facts, for several intents at once. */
import { INTENTS, type Intent } from "../../../src/extraction/intent/intents.ts";

/** What a text has, as numbers from 0 on. */
export interface Row {
  readonly facts: Int32Array;
  readonly intent: Intent;
  readonly weight: number;
}

export interface FitOptions {
  /** By fact: how strongly its weights are drawn to zero. */
  readonly penalties: Float64Array;
  /** By fact: whether it may speak for a part. */
  readonly canBePart?: (fact: number) => boolean;
}

const STEPS = 150;
const COUNT = INTENTS.length;
const OFFER = INTENTS.indexOf("offer");
const PART = INTENTS.indexOf("part");

/** Returns the weights by fact and intent, in one row. Gradient descent with a step of its own for each weight (Adam). */
export function fit(
  rows: readonly Row[],
  { penalties, canBePart = () => true }: FitOptions,
): Float64Array {
  const size = penalties.length * COUNT;
  const weights = new Float64Array(size);
  const [mean, square, slope] = [
    new Float64Array(size),
    new Float64Array(size),
    new Float64Array(size),
  ];
  for (let step = 1; step <= STEPS; step += 1) {
    slope.fill(0);
    for (const row of rows) addSlope(slope, weights, row);
    const rate = 0.1 * (1 - step / (STEPS + 1)) + 0.002;
    const [first, second] = [1 - 0.9 ** step, 1 - 0.999 ** step];
    for (let at = 0; at < size; at += 1) {
      const total =
        (slope[at] ?? 0) + (penalties[Math.floor(at / COUNT)] ?? 0) * (weights[at] ?? 0);
      const average = 0.9 * (mean[at] ?? 0) + 0.1 * total;
      const spread = 0.999 * (square[at] ?? 0) + 0.001 * total * total;
      mean[at] = average;
      square[at] = spread;
      weights[at] =
        (weights[at] ?? 0) - (rate * average) / first / (Math.sqrt(spread / second) + 1e-8);
    }
    for (let fact = 0; fact < penalties.length; fact += 1) {
      if (canBePart(fact)) continue;
      const part = fact * COUNT + PART;
      weights[part] = Math.min(weights[part] ?? 0, weights[fact * COUNT + OFFER] ?? 0, 0);
    }
  }
  return weights;
}

function addSlope(
  slope: Float64Array,
  weights: Float64Array,
  { facts, intent, weight }: Row,
): void {
  const chances = toChances(sumsOf(weights, facts));
  const right = INTENTS.indexOf(intent);
  for (let at = 0; at < COUNT; at += 1) {
    const error = ((chances[at] ?? 0) - (at === right ? 1 : 0)) * weight;
    for (const fact of facts) {
      const place = fact * COUNT + at;
      slope[place] = (slope[place] ?? 0) + error;
    }
  }
}

export function sumsOf(weights: Float64Array, facts: Int32Array): number[] {
  const sums = new Array<number>(COUNT).fill(0);
  for (const fact of facts)
    for (let at = 0; at < COUNT; at += 1)
      sums[at] = (sums[at] ?? 0) + (weights[fact * COUNT + at] ?? 0);
  return sums;
}

export function toChances(sums: readonly number[]): number[] {
  const highest = Math.max(...sums);
  const powers = sums.map((sum) => Math.exp(sum - highest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}
