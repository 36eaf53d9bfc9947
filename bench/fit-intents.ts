// Fits the weights that tell offers, requests, talk and parts apart, and writes src/extraction/weights/intents.json and
// words.json. It learns from test/corpus (but for its folder `unseen/`) and from the given files of labelled texts, of which it
// stores numbers only: weights, and the hash of each file.
// Prints one JSON line: what is lost if each source is left out, by facts alone, by words alone and by both; and unseen.
//   node --import tsx bench/fit-intents.ts [--dry] FILE…
// With --quick no source is left out: that takes minutes.
// With --without=a,b these sources stay unseen, so that the confidence can be fitted on them (bench/fit-confidence.ts).
// With --check it fits nothing, and prints what the landed reading does with a file of real texts, by kind of source:
//   node --import tsx bench/fit-intents.ts --check FILE

import { writeFileSync } from "node:fs";
import { INTENTS } from "../src/extraction/intent/intents.ts";
import { type Case, readOwnTexts, readTexts, toCases } from "./support/intents/cases.ts";
import { checkTexts } from "./support/intents/check.ts";
import {
  fitModel,
  indexOf,
  judge,
  type Model,
  toFactsFile,
  toWordsFile,
  type Way,
} from "./support/intents/model.ts";
import { runBenchmark } from "./support/runner.ts";

const FOLDER = "src/extraction/weights";
const WAYS: readonly Way[] = ["facts", "words", "both"];
/** What an error costs: a lost offer, a remark that is listed, a wrong side, a part that is listed. */
const COSTS = { lost: 3, remark: 1, side: 6, part: 2 } as const;
const THRESHOLDS = [0.2, 0.3, 0.4, 0.5, 0.6];
/** From this chance on a watch is offered or sought. */
const OFFERED_MIN = 0.435;
/** A smaller source shows little if it is left out. */
const SOURCE_MIN = 20;

const files = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const without = new Set(
  process.argv
    .find((argument) => argument.startsWith("--without="))
    ?.slice(10)
    .split(","),
);
const isDry = process.argv.includes("--dry");

if (process.argv.includes("--check")) {
  for (const path of files) await runBenchmark("check-intents", async () => checkTexts(path));
} else await runBenchmark("fit-intents", fitAll);

async function fitAll(): Promise<object> {
  const own = readOwnTexts();
  const given = files.map(readTexts);
  const ownCases = own.known.flatMap(toCases);
  const ownWords = new Set(
    ownCases.flatMap(({ facts }) => [...facts].filter((name) => name.startsWith("w "))),
  );
  const cases = [...ownCases, ...given.flatMap(({ texts }) => texts.flatMap(toCases))].filter(
    (one) => !without.has(familyOf(one)),
  );
  const sources = process.argv.includes("--quick") ? undefined : leaveOut(cases, ownWords);
  const model = fitModel(cases, ownWords);
  const inputs = given.map(({ file }) => file);
  if (!isDry) {
    writeFileSync(`${FOLDER}/intents.json`, toFactsFile(model));
    writeFileSync(`${FOLDER}/words.json`, toWordsFile(model, inputs));
  }
  return {
    cases: cases.length,
    facts: model.names.length,
    hashes: model.hashes.size,
    inputs,
    ...sources,
    unseen: tally(own.unseen.flatMap(toCases), model, "both"),
  };
}

/** Fits without each source in turn, and judges it. The mean of the costs weighs a source by the root of its size. */
function leaveOut(cases: readonly Case[], ownWords: ReadonlySet<string>): object {
  const tallies: Record<string, Tally> = {};
  const costs: Record<string, number> = {};
  let total = 0;
  for (const family of new Set(cases.map(familyOf))) {
    const held = cases.filter((one) => familyOf(one) === family);
    if (held.length < SOURCE_MIN || family.endsWith(".txt")) continue;
    const model = fitModel(
      cases.filter((one) => familyOf(one) !== family),
      ownWords,
    );
    tallies[family] = tally(held, model, "both");
    total += Math.sqrt(held.length);
    for (const way of WAYS)
      for (const threshold of THRESHOLDS) {
        const name = `${way} ${threshold}`;
        const share = costOf(tally(held, model, way, threshold)) / held.length;
        costs[name] = (costs[name] ?? 0) + share * Math.sqrt(held.length);
      }
  }
  const means = Object.entries(costs).map(([name, cost]) => [
    name,
    Math.round((1_000 * cost) / total) / 1_000,
  ]);
  return { cost_of_sources_left_out: Object.fromEntries(means), left_out: tallies };
}

/** Sources of one kind are left out together: the groups of one trading floor, the pages of classifieds. */
function familyOf({ source }: Case): string {
  return source
    .replace(/ without its tag$/, "")
    .replace(/^(wf2|site|market|articles|tweets|sms)-.*$/, "$1");
}

interface Tally {
  offers: number;
  offers_lost: number;
  requests_lost: number;
  wrong_side: number;
  talk: number;
  talk_listed: number;
  parts: number;
  parts_listed: number;
}

function tally(cases: readonly Case[], model: Model, way: Way, threshold = OFFERED_MIN): Tally {
  const figures = {
    offers: 0,
    offers_lost: 0,
    requests_lost: 0,
    wrong_side: 0,
    talk: 0,
    talk_listed: 0,
    parts: 0,
    parts_listed: 0,
  };
  const indexed = { ...model, index: indexOf(model) };
  for (const one of cases) {
    const [offer = 0, request = 0] = judge(indexed, one, way);
    const isListed = offer + request >= threshold;
    if (one.intent === "talk" || one.intent === "part") {
      const name = one.intent === "talk" ? "talk" : "parts";
      figures[name] += 1;
      if (isListed) figures[`${name}_listed`] += 1;
      continue;
    }
    figures.offers += 1;
    if (!isListed) figures[one.intent === "offer" ? "offers_lost" : "requests_lost"] += 1;
    else if (INTENTS[request > offer ? 1 : 0] !== one.intent) figures.wrong_side += 1;
  }
  return figures;
}

function costOf(figures: Tally): number {
  return (
    COSTS.lost * (figures.offers_lost + figures.requests_lost) +
    COSTS.remark * figures.talk_listed +
    COSTS.side * figures.wrong_side +
    COSTS.part * figures.parts_listed
  );
}
