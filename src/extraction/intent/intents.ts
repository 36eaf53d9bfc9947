/**
 * What a text wants with the watch that it names: to offer it, to ask for it, to sell a part of it, or just to talk.
 *
 * Idea: logistic regression. Each fact has a weight for each intent, and the sums become chances. The weights are fitted on
 * labelled messages (`bench/fit-intents.ts`) and stand in `weights/intents.json`. A text in which something is offered or
 * sought with a chance below a half gives no listing, and the chance is a factor of the confidence.
 */
import type { ListingDraft } from "../listing/listing-draft.ts";
import { WEIGHTS } from "../weights/weights.ts";
import { gatherFacts, type MessageFacts } from "./intent-facts.ts";

export const INTENTS = ["offer", "request", "talk", "part"] as const;
export type Intent = (typeof INTENTS)[number];

/** The chance of each intent. */
export type IntentChances = Readonly<Record<Intent, number>>;

/** The weights of a fact, one for each intent. */
interface Weights {
  readonly values: readonly number[];
  /** The last text that had the fact: a fact counts once. */
  textNumber: number;
}

/** By kind and value of the fact. */
type FactWeights = ReadonlyMap<string, ReadonlyMap<string, Weights>>;

interface WordWeights {
  own?: Weights;
  /** By the word behind it. */
  readonly pairs: Map<string, Weights>;
}

const { facts: FACTS, words: WORDS } = readWeights(WEIGHTS.intents);
let textCount = 0;

/** A name in the file has the kind, and the value or the word and the word behind it, separated by spaces. */
function readWeights(entries: Readonly<Record<string, readonly number[]>>): {
  readonly facts: FactWeights;
  readonly words: ReadonlyMap<string, WordWeights>;
} {
  const facts = new Map<string, Map<string, Weights>>();
  const words = new Map<string, WordWeights>();
  for (const [name, values] of Object.entries(entries)) {
    const [kind = "", first = "", second] = name.split(" ");
    const weights = { values, textNumber: 0 };
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
  const textNumber = textCount;
  let [offer, request, talk, part] = [0, 0, 0, 0];
  const addWeights = (weights: Weights | undefined): void => {
    if (weights === undefined || weights.textNumber === textNumber) return;
    weights.textNumber = textNumber;
    const { values } = weights;
    offer += values[0] ?? 0;
    request += values[1] ?? 0;
    talk += values[2] ?? 0;
    part += values[3] ?? 0;
  };
  addWeights(FACTS.get("bias")?.get(""));
  gatherFacts(draft, message, {
    add: (kind, value) => addWeights(FACTS.get(kind)?.get(value)),
    addWord: (word, next) => {
      const known = WORDS.get(word);
      if (known === undefined) return;
      addWeights(known.own);
      if (next !== "") addWeights(known.pairs.get(next));
    },
  });
  return toChances([offer, request, talk, part]);
}

/** Lists the facts by their names in the file of weights. For fitting. */
export function listFacts(draft: ListingDraft, message: MessageFacts): ReadonlySet<string> {
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

function toChances(sums: readonly number[]): IntentChances {
  const highest = Math.max(...sums);
  const powers = sums.map((sum) => Math.exp(sum - highest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  const [offer = 0, request = 0, talk = 0, part = 0] = powers.map((power) => power / total);
  return { offer, request, talk, part };
}

export function likeliest(chances: IntentChances): Intent {
  return INTENTS.reduce((best, intent) => (chances[intent] > chances[best] ? intent : best));
}
