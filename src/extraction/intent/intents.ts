/**
 * What a text wants with the watch that it names: to offer it, to ask for it, to sell a part of it, or just to talk.
 *
 * Idea: two logistic regressions. One weighs facts about the watch (`intent-facts.ts`), the other the words of the whole text
 * (`word-hashes.ts`). Each sees what the other misses, and the mean of their sums holds best for texts from elsewhere
 * (docs/decisions). The weights are fitted on labelled messages (`bench/fit-intents.ts`) and stand in `weights/`.
 */

import type { LineReading } from "../lines/line-reading.ts";
import type { ListingDraft } from "../listing/listing-draft.ts";
import { WEIGHTS } from "../weights/weights.ts";
import { type FactSink, gatherFacts, type MessageFacts } from "./intent-facts.ts";
import { HASHES, hashWords } from "./word-hashes.ts";

export const INTENTS = ["offer", "request", "talk", "part"] as const;
export type Intent = (typeof INTENTS)[number];

/** The chance of each intent. */
export type IntentChances = Readonly<Record<Intent, number>>;

/** The number of a fact: its weights are in a row of `VALUES`, one for each intent. */
type Weights = number;

const VALUES = Float64Array.from(Object.values(WEIGHTS.intents).flat());
/** The last text that had the fact: a fact counts once. */
const LAST_TEXTS = new Float64Array(VALUES.length / INTENTS.length);

/** By kind and value of the fact. */
type FactWeights = ReadonlyMap<string, ReadonlyMap<string, Weights>>;

interface WordWeights {
  own?: Weights;
  /** By the word behind it. */
  readonly pairs: Map<string, Weights>;
}

const { facts: FACTS, words: WORDS } = readWeights(Object.keys(WEIGHTS.intents));
let textCount = 0;

/** The weights of the words: one row for each hash, in the order of `INTENTS`. */
const HASHED = readHashed();
const BIAS = WEIGHTS.words.bias;
/** The last text that had the word: a word counts once. */
const LAST_SEEN = new Uint32Array(HASHES);
let wordCount = 0;

function readHashed(): Float64Array {
  const rows = new Float64Array(HASHES * INTENTS.length);
  const { scale, weights } = WEIGHTS.words;
  for (const [hash, ...values] of weights)
    for (const [intent, value] of values.entries())
      rows[(hash ?? 0) * INTENTS.length + intent] = value / scale;
  return rows;
}

/** The sums for the text that is weighed. A closure would box every number, and this is done for each word. */
const SUMS = new Float64Array(INTENTS.length);

/** A name in the file has the kind, and the value or the word and the word behind it, separated by spaces. */
function readWeights(names: readonly string[]): {
  readonly facts: FactWeights;
  readonly words: ReadonlyMap<string, WordWeights>;
} {
  const facts = new Map<string, Map<string, Weights>>();
  const words = new Map<string, WordWeights>();
  for (const [weights, name] of names.entries()) {
    const [kind = "", first = "", second] = name.split(" ");
    if (kind !== "w") {
      const known = facts.get(kind) ?? new Map<string, Weights>();
      facts.set(kind, known.set(first, weights));
      continue;
    }
    const word: WordWeights = words.get(first) ?? { pairs: new Map() };
    if (second !== undefined) word.pairs.set(second, weights);
    else word.own = weights;
    words.set(first, word);
  }
  return { facts, words };
}

/** Returns how likely each intent is. `words` are the sums of the whole text. */
export function weighIntents(
  draft: ListingDraft,
  message: MessageFacts,
  words: readonly number[],
): IntentChances {
  textCount += 1;
  SUMS.fill(0);
  addWeights(FACTS.get("bias")?.get(""));
  gatherFacts(draft, message, WEIGHING);
  for (let at = 0; at < SUMS.length; at += 1) SUMS[at] = ((SUMS[at] ?? 0) + (words[at] ?? 0)) / 2;
  return toChances(SUMS);
}

/** Returns the sum of each intent for the words of a text. */
export function weighWords(readings: readonly LineReading[]): readonly number[] {
  let [offer = 0, request = 0, talk = 0, part = 0] = BIAS;
  wordCount += 1;
  const hashes = hashWords(readings);
  for (let at = 0; at < hashes.length; at += 1) {
    const hash = hashes[at] ?? 0;
    if (LAST_SEEN[hash] === wordCount) continue;
    LAST_SEEN[hash] = wordCount;
    const row = hash * INTENTS.length;
    offer += HASHED[row] ?? 0;
    request += HASHED[row + 1] ?? 0;
    talk += HASHED[row + 2] ?? 0;
    part += HASHED[row + 3] ?? 0;
  }
  return [offer, request, talk, part];
}

const WEIGHING: FactSink = {
  add: (kind, value) => addWeights(FACTS.get(kind)?.get(value)),
  addWord: (word, next) => {
    const known = WORDS.get(word);
    if (known === undefined) return;
    addWeights(known.own);
    if (next !== "") addWeights(known.pairs.get(next));
  },
};

function addWeights(weights: Weights | undefined): void {
  if (weights === undefined || LAST_TEXTS[weights] === textCount) return;
  LAST_TEXTS[weights] = textCount;
  const row = weights * SUMS.length;
  for (let at = 0; at < SUMS.length; at += 1) SUMS[at] = (SUMS[at] ?? 0) + (VALUES[row + at] ?? 0);
}

function toChances(sums: Float64Array): IntentChances {
  const [offer = 0, request = 0, talk = 0, part = 0] = sums;
  const highest = Math.max(offer, request, talk, part);
  const [a, b] = [Math.exp(offer - highest), Math.exp(request - highest)];
  const [c, d] = [Math.exp(talk - highest), Math.exp(part - highest)];
  const total = a + b + c + d;
  return { offer: a / total, request: b / total, talk: c / total, part: d / total };
}

export function likeliest(chances: IntentChances): Intent {
  return INTENTS.reduce((best, intent) => (chances[intent] > chances[best] ? intent : best));
}
