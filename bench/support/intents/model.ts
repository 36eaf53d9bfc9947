/** The two regressions of `intents.ts`, fitted on cases, and what they say of others. */
import { INTENTS, type Intent } from "../../../src/extraction/intent/intents.ts";
import { HASHES } from "../../../src/extraction/intent/word-hashes.ts";
import type { Case } from "./cases.ts";
import { fit, type Row, sumsOf, toChances } from "./regression.ts";

/** A fact that fewer cases have says nothing about new texts. */
const COUNT_MIN = { fact: 2, word: 3, pair: 4, hash: 3 } as const;

/** How strongly a weight is drawn to zero. Words are many, so each must prove itself. */
const PENALTY = { fact: 2, word: 5, pair: 7, hash: 6 } as const;

/** These would speak for a part only because the price is not known. */
const NO_SIGN_OF_PART: ReadonlySet<string> = new Set(["ratio unknown", "ratio tiny"]);

/** What an error of each intent costs. Texts of parts are few. */
const INTENT_WEIGHTS: Readonly<Record<Intent, number>> = {
  offer: 1.4,
  request: 2,
  talk: 1,
  part: 3,
};

/** The project's own texts say what is meant, case by case, so they count as a larger source. */
const OWN_FACTOR = 3;

export interface Model {
  readonly names: readonly string[];
  readonly facts: Float64Array;
  /** By hash; fact 0 is the bias. */
  readonly hashes: ReadonlyMap<number, number>;
  readonly words: Float64Array;
}

export type Way = "facts" | "words" | "both";

/** Fits both. Words as such are facts only if the project's own texts have them: of the others the file shows numbers. */
export function fitModel(cases: readonly Case[], ownWords: ReadonlySet<string>): Model {
  const weights = weigh(cases);
  const names = [...countAll(cases.map(({ facts }) => facts))]
    .filter(([name, count]) => count >= COUNT_MIN[kindOf(name)])
    .map(([name]) => name)
    .filter((name) => !name.startsWith("w ") || ownWords.has(name))
    .sort();
  const index = new Map(names.map((name, at) => [name, at]));
  const facts = fit(
    cases.map((one, at) => toRow(one, weights[at], listKnown(one.facts, index))),
    {
      penalties: Float64Array.from(names, (name) =>
        name === "bias" ? 0.01 : PENALTY[kindOf(name)],
      ),
      canBePart: (fact) => !NO_SIGN_OF_PART.has(names[fact] ?? ""),
    },
  );
  const hashes = new Map(
    [...countAll(cases.map((one) => one.hashes))]
      .filter(([, count]) => count >= COUNT_MIN.hash)
      .map(([hash], at) => [hash, at + 1]),
  );
  const words = fit(
    cases.map((one, at) => toRow(one, weights[at], [0, ...listKnown(one.hashes, hashes)])),
    {
      penalties: Float64Array.from({ length: hashes.size + 1 }, (_, at) =>
        at === 0 ? 0.01 : PENALTY.hash,
      ),
    },
  );
  return { names, facts, hashes, words };
}

function toRow({ intent }: Case, weight: number | undefined, facts: readonly number[]): Row {
  return { facts: Int32Array.from(facts), intent, weight: weight ?? 0 };
}

function listKnown<Key>(keys: ReadonlySet<Key>, index: ReadonlyMap<Key, number>): number[] {
  return [...keys].flatMap((key) => index.get(key) ?? []);
}

/** A source counts as the square root of its size, so that no source decides. The weights of all cases add up to their number. */
function weigh(cases: readonly Case[]): readonly number[] {
  const sizes = new Map<string, number>();
  const groupOf = ({ source, intent }: Case): string => `${intent} ${source}`;
  for (const one of cases) sizes.set(groupOf(one), (sizes.get(groupOf(one)) ?? 0) + one.share);
  const weights = cases.map(
    (one) =>
      ((one.isOwn ? OWN_FACTOR : 1) * INTENT_WEIGHTS[one.intent] * one.share) /
      Math.sqrt(sizes.get(groupOf(one)) ?? 1),
  );
  const factor = cases.length / weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight * factor);
}

function countAll<Key>(sets: readonly ReadonlySet<Key>[]): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const set of sets) for (const key of set) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function kindOf(name: string): "fact" | "word" | "pair" {
  if (!name.startsWith("w ")) return "fact";
  return name.split(" ").length > 2 ? "pair" : "word";
}

/** Returns the chance of each intent. */
export function judge(
  {
    names: _names,
    facts,
    words,
    hashes,
    index,
  }: Model & { readonly index: ReadonlyMap<string, number> },
  one: Case,
  way: Way,
): readonly number[] {
  const byFacts = sumsOf(facts, Int32Array.from(listKnown(one.facts, index)));
  const byWords = sumsOf(words, Int32Array.from([0, ...listKnown(one.hashes, hashes)]));
  if (way === "facts") return toChances(byFacts);
  if (way === "words") return toChances(byWords);
  return toChances(INTENTS.map((_, at) => ((byFacts[at] ?? 0) + (byWords[at] ?? 0)) / 2));
}

export function indexOf({ names }: Model): ReadonlyMap<string, number> {
  return new Map(names.map((name, at) => [name, at]));
}

/** Smaller weights are left out of the files. */
const WEIGHT_MIN = 0.05;
/** Weights of words are stored as integers: so many to one. */
const SCALE = 20;

/** The file of the facts: one a line, in order, so that a new fit shows as a readable difference. */
export function toFactsFile({ names, facts }: Model): string {
  const lines = names.flatMap((name, at) => {
    const values = INTENTS.map(
      (_, intent) => round(facts[at * INTENTS.length + intent], 100) / 100,
    );
    const isSmall = values.every((value) => Math.abs(value) < WEIGHT_MIN);
    return isSmall ? [] : `  ${JSON.stringify(name)}: [${values.join(", ")}]`;
  });
  return `{\n${lines.join(",\n")}\n}\n`;
}

/** The file of the words: the hash, then the weights. */
export function toWordsFile({ hashes, words }: Model, inputs: readonly object[]): string {
  const rows = [...hashes]
    .sort(([a], [b]) => a - b)
    .flatMap(([hash, at]) => {
      const values = INTENTS.map((_, intent) => round(words[at * INTENTS.length + intent], SCALE));
      return values.every((value) => Math.abs(value) < 2)
        ? []
        : [`    [${[hash, ...values].join(", ")}]`];
    });
  const bias = INTENTS.map((_, intent) => round(words[intent], 100) / 100);
  const head = [
    `  "inputs": ${JSON.stringify(inputs, null, 2).replaceAll("\n", "\n  ")}`,
    `  "hashes": ${HASHES}`,
    `  "scale": ${SCALE}`,
    `  "bias": [${bias.join(", ")}]`,
  ];
  return `{\n${head.join(",\n")},\n  "weights": [\n${rows.join(",\n")}\n  ]\n}\n`;
}

function round(value: number | undefined, scale: number): number {
  return Math.round((value ?? 0) * scale) || 0;
}
