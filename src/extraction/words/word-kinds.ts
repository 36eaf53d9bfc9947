import { PLAIN_SPELLING, type Token } from "../text/token.ts";
import { tokenize } from "../text/tokenize.ts";
import { ACCESSORY_WORDS, PART_WORDS } from "./cue-words.ts";
import { REQUEST_KINDS, TALK_KINDS } from "./sentence-words.ts";

/** What a rule about a whole line looks for. Most lines have none of these words, so most rules end at once. */
export const WORD_KINDS = {
  /** The first word of a phrase of talk. */
  talk: 1,
  /** A part of a watch, an accessory, or a word beside one. */
  part: 2,
  asking: 8,
  /** "Prices in USD". */
  price: 16,
  /** Greetings and thanks. */
  personal: 32,
  /** The first word of a phrase that speaks for a request. */
  request: 64,
} as const;

const LISTS: readonly (readonly [kind: keyof typeof WORD_KINDS, words: Iterable<string>])[] = [
  ["talk", Object.values(TALK_KINDS).flat().map(firstWord)],
  [
    "request",
    [
      REQUEST_KINDS.people,
      REQUEST_KINDS.having,
      REQUEST_KINDS.seeking,
      REQUEST_KINDS.client,
      REQUEST_KINDS.contact,
    ]
      .flat()
      .map(firstWord),
  ],
  ["part", ACCESSORY_WORDS],
  ["part", PART_WORDS],
  [
    "part",
    "cuff card rubber insert inserts handset endlinks hangtag pusher of off from ex".split(" "),
  ],
  [
    "part",
    "fits fit fitting passend past compatible watch horloge uhr montre orologio reloj".split(" "),
  ],
  ["asking", "asking ask asks".split(" ")],
  ["price", "price prices preise prijzen prix prezzi precios".split(" ")],
  [
    "personal",
    "thanks thank thx morning congrats congratulations birthday welcome hello hi".split(" "),
  ],
  ["personal", "danke bedankt grazie gracias merci \u8C22 \u8B1D".split(" ")],
];

function firstWord(phrase: string): string {
  const token = tokenize(phrase, PLAIN_SPELLING).find(({ kind }) => kind !== "symbol");
  return token?.word ?? "";
}

const kindsByWord = new Map<string, number>();
for (const [kind, words] of LISTS) {
  for (const word of words) kindsByWord.set(word, (kindsByWord.get(word) ?? 0) | WORD_KINDS[kind]);
}

/** Returns the kinds of the words, as a sum of `WORD_KINDS`. */
export function findWordKinds(tokens: readonly Token[]): number {
  let kinds = 0;
  for (const { kind, word, facts } of tokens)
    if (kind === "letters") kinds |= facts === undefined ? kindsOf(word) : facts.kinds;
  return kinds;
}

/** Returns a sum of `WORD_KINDS`. */
export function kindsOf(word: string): number {
  return kindsByWord.get(word) ?? 0;
}
