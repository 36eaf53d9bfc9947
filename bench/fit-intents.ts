// Fits the weights that tell offers, requests, talk and parts apart, and writes src/extraction/weights/intents.json. It
// learns from the labelled messages of test/corpus, but for the folder `unseen/`, on which it then measures.
// Prints one JSON line: how many offers would be lost and how much talk listed, by five-fold cross-validation and unseen.
//   node --import tsx bench/fit-intents.ts [--dry]

import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { normalizeReference } from "../src/base/text.ts";
import { buildCatalogue } from "../src/extraction/catalogue/catalogue.ts";
import { draftListings } from "../src/extraction/extract.ts";
import { gatherFacts, type MessageFacts } from "../src/extraction/intent/intent-facts.ts";
import { INTENTS, type Intent } from "../src/extraction/intent/intents.ts";
import type { ListingDraft } from "../src/extraction/listing/listing-draft.ts";
import { isLongerForm } from "../src/extraction/segments/differences.ts";
import { type CorpusMessage, listCorpusFiles, readCorpus } from "../test/corpus/corpus.ts";
import { runBenchmark } from "./support/runner.ts";

const OUT = "src/extraction/weights/intents.json";
const FOLDS = 5;
const STEPS = 400;
/** A fact that fewer texts have says nothing about new texts. */
const COUNT_MIN = { fact: 2, word: 3, pair: 4 } as const;
/** How strongly a weight is drawn to zero. Words are many, so each must prove itself. */
const PENALTY = { fact: 1, word: 3, pair: 4.5 } as const;
/** A lost offer costs more than a remark that is listed. */
const OFFER_WEIGHT = 2.7;
/** Smaller weights are left out of the file. */
const WEIGHT_MIN = 0.05;

interface Case {
  readonly intent: number;
  /** The watches of a message share its weight. */
  readonly weight: number;
  readonly names: ReadonlySet<string>;
  readonly fold: number;
}

const catalogue = buildCatalogue();

await runBenchmark("fit-intents", async () => {
  const [known, unseen] = [[], []] as [Case[], Case[]];
  for (const file of listCorpusFiles()) {
    const cases = readCorpus(file).flatMap(toCases);
    (dirname(file).endsWith("unseen") ? unseen : known).push(...cases);
  }
  const names = listNames(known);
  const folds = Array.from({ length: FOLDS }, (_, fold) => {
    const weights = fit(
      known.filter((one) => one.fold !== fold),
      names,
    );
    return tally(
      known.filter((one) => one.fold === fold),
      names,
      weights,
    );
  });
  const weights = fit(known, names);
  if (!process.argv.includes("--dry")) writeFileSync(OUT, toFile(names, weights));
  return {
    texts: known.length,
    facts: names.length,
    cross_validation: folds.reduce(addTallies),
    unseen: tally(unseen, names, weights),
  };
});

/** One case for each watch that the message names. A watch that the label does not list is only spoken of. */
function toCases(message: CorpusMessage): Case[] {
  const { drafts, facts } = draftListings(message.message, catalogue);
  const intent = toIntent(message);
  const listed = message.expected.listings.flatMap(({ reference }) => reference ?? []);
  const isWhole = listed.length > 0 && listed.length === message.expected.listings.length;
  return drafts.map((draft) => {
    const { reference } = draft.fields;
    const isListed =
      !isWhole || reference === undefined || listed.some((one) => isSame(one, reference));
    const isOffered = isListed && (intent === "offer" || intent === "request");
    return {
      intent: INTENTS.indexOf(isListed ? intent : "talk"),
      weight: (isOffered ? OFFER_WEIGHT : 1) / drafts.length,
      names: listFacts(draft, facts),
      fold: hash(message.message.text) % FOLDS,
    };
  });
}

/** Lists the facts by their names in the file of weights. */
function listFacts(draft: ListingDraft, message: MessageFacts): ReadonlySet<string> {
  const facts = new Set(["bias"]);
  gatherFacts(draft, message, {
    add: (kind, value) => facts.add(`${kind} ${value}`),
    addWord: (word, next) => {
      facts.add(`w ${word}`);
      if (next !== "") facts.add(`w ${word} ${next}`);
    },
  });
  return facts;
}

function toIntent({ kind }: CorpusMessage): Intent {
  return kind === "header" ? "talk" : kind;
}

function isSame(a: string, b: string): boolean {
  return isLongerForm(normalizeReference(a), normalizeReference(b));
}

function hash(text: string): number {
  let value = 0;
  for (const character of text) value = (value * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return value;
}

function kindOf(name: string): keyof typeof PENALTY {
  if (!name.startsWith("w ")) return "fact";
  return name.split(" ").length > 2 ? "pair" : "word";
}

function listNames(cases: readonly Case[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { names } of cases)
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .filter(([name, count]) => count >= COUNT_MIN[kindOf(name)])
    .map(([name]) => name)
    .sort();
}

/** Returns the weights by name and intent, in one row. Gradient descent with a step of its own for each weight (Adam). */
function fit(cases: readonly Case[], names: readonly string[]): Float64Array {
  const size = names.length * INTENTS.length;
  const [weights, mean, square] = [0, 0, 0].map(() => new Float64Array(size)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const penalties = names.map((name) => (name === "bias" ? 0.01 : PENALTY[kindOf(name)]));
  const rows = toRows(cases, names);
  for (let step = 1; step <= STEPS; step += 1) {
    const slope = new Float64Array(size);
    for (const { row, intent, weight } of rows) addSlope(slope, weights, { row, intent, weight });
    const rate = 0.1 * (1 - step / (STEPS + 1)) + 0.002;
    for (let at = 0; at < size; at += 1) {
      const penalty = penalties[Math.floor(at / INTENTS.length)] ?? 0;
      const total = (slope[at] ?? 0) + penalty * (weights[at] ?? 0);
      mean[at] = 0.9 * (mean[at] ?? 0) + 0.1 * total;
      square[at] = 0.999 * (square[at] ?? 0) + 0.001 * total * total;
      const [first, second] = [
        (mean[at] ?? 0) / (1 - 0.9 ** step),
        (square[at] ?? 0) / (1 - 0.999 ** step),
      ];
      weights[at] = (weights[at] ?? 0) - (rate * first) / (Math.sqrt(second) + 1e-8);
    }
  }
  return weights;
}

interface Row {
  /** Indexes of the facts that the text has. */
  readonly row: readonly number[];
  readonly intent: number;
  readonly weight: number;
}

function toRows(cases: readonly Case[], names: readonly string[]): Row[] {
  const index = new Map(names.map((name, at) => [name, at]));
  return cases.map(({ names: own, intent, weight }) => ({
    row: [...own].flatMap((name) => index.get(name) ?? []),
    intent,
    weight,
  }));
}

function addSlope(slope: Float64Array, weights: Float64Array, { row, intent, weight }: Row): void {
  const chances = toChances(weights, row);
  for (let at = 0; at < INTENTS.length; at += 1) {
    const error = ((chances[at] ?? 0) - (at === intent ? 1 : 0)) * weight;
    for (const fact of row) {
      const place = fact * INTENTS.length + at;
      slope[place] = (slope[place] ?? 0) + error;
    }
  }
}

function toChances(weights: Float64Array, row: readonly number[]): number[] {
  const sums = INTENTS.map((_, at) =>
    row.reduce((sum, fact) => sum + (weights[fact * INTENTS.length + at] ?? 0), 0),
  );
  const highest = Math.max(...sums);
  const powers = sums.map((sum) => Math.exp(sum - highest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

interface Tally {
  readonly offers: number;
  readonly offers_lost: number;
  readonly wrong_side: number;
  readonly talk: number;
  readonly talk_listed: number;
}

function tally(cases: readonly Case[], names: readonly string[], weights: Float64Array): Tally {
  const figures = { offers: 0, offers_lost: 0, wrong_side: 0, talk: 0, talk_listed: 0 };
  for (const { row, intent } of toRows(cases, names)) {
    const [offer = 0, request = 0] = toChances(weights, row);
    const isListed = offer + request >= 0.5;
    if (intent > 1) {
      figures.talk += 1;
      if (isListed) figures.talk_listed += 1;
      continue;
    }
    figures.offers += 1;
    if (!isListed) figures.offers_lost += 1;
    else if (request > offer !== (intent === 1)) figures.wrong_side += 1;
  }
  return figures;
}

function addTallies(a: Tally, b: Tally): Tally {
  return Object.fromEntries(
    Object.entries(a).map(([name, count]) => [name, count + b[name as keyof Tally]]),
  ) as unknown as Tally;
}

/** One fact a line, in order, so that a new fit shows as a readable difference. */
function toFile(names: readonly string[], weights: Float64Array): string {
  const lines = names.flatMap((name, at) => {
    const values = INTENTS.map(
      (_, intent) => Math.round((weights[at * INTENTS.length + intent] ?? 0) * 100) / 100,
    );
    const isSmall = values.every((value) => Math.abs(value) < WEIGHT_MIN);
    return isSmall ? [] : `  ${JSON.stringify(name)}: [${values.join(", ")}]`;
  });
  return `{\n${lines.join(",\n")}\n}\n`;
}
