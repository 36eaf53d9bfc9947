/**
 * What a text wants with the watch that it names: to offer it, to ask for it, to sell a part of it, or just to talk.
 *
 * Idea: logistic regression. Each fact has a weight for each intent, and the sums become chances. The weights are fitted on
 * labelled messages (`bench/fit-intents.ts`) and stand in `weights/intents.json`. A text in which something is offered or
 * sought with a chance below a half gives no listing, and the chance is a factor of the confidence.
 */
import type { ListingDraft } from "../listing/listing-draft.ts";
import { WEIGHTS } from "../weights/weights.ts";
import { type FactSink, gatherFacts, type MessageFacts } from "./intent-facts.ts";

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

/** Returns how likely each intent is. */
export function weighIntents(draft: ListingDraft, message: MessageFacts): IntentChances {
  textCount += 1;
  SUMS.fill(0);
  addWeights(FACTS.get("bias")?.get(""));
  gatherFacts(draft, message, WEIGHING);
  return toChances(SUMS);
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
