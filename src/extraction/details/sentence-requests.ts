/**
 * Finds requests in sentences, whatever their phrases are.
 *
 * Idea: a request in a sentence names who may have the watch, what they do with it, for whom it is, or how to answer.
 * Words about prices, the past, opinions or an offer speak against it. Each kind of word counts once, and the sum decides:
 * "hunting" is enough if nothing speaks against it, "anyone" is not. The weights were chosen with some 250 invented sentences.
 *
 * Example: "In case anyone walks past a Tank Cintrée, please ring me" has people, having, condition, polite, contact and an
 * article before the watch. "Did anyone see what the Tank Cintrée went for?" has people and having; the past and the
 * question speak against it.
 */
import { REQUEST_KINDS } from "../catalogue/request-words.ts";
import { hasWordOf, type Line } from "../lines/line.ts";
import type { LinePart } from "../lines/line-part.ts";
import type { Token } from "../lines/token.ts";
import { makePhraseFinder } from "./word-phrases.ts";

const findKinds = makePhraseFinder(REQUEST_KINDS);

type Kind = keyof typeof REQUEST_KINDS;

const WEIGHTS: Readonly<Record<Kind, number>> = {
  people: 1,
  having: 1,
  seeking: 3,
  wanting: 1,
  client: 1,
  polite: 1,
  condition: 1,
  paying: 1,
  bidding: 0,
  contact: 2,
  value: -2,
  question: -2,
  past: -2,
  opinion: -2,
  offer: -2,
};
/** These count only in the sentence that names the watch. */
const NEAR: ReadonlySet<Kind> = new Set(["value", "question", "past", "offer"]);
const ARTICLE_WEIGHT = 1;
/** "Does anyone have …?" */
const QUESTION_WEIGHT = 1;
const REQUEST_MIN = 3;

/** Returns true if the line asks for the watch that it names. A part of a line is no sentence. */
export function isSentenceRequest(part: LinePart): boolean {
  const { line, dates, prices } = part.reading;
  // An amount is an ask, unless it is a bid. A dated watch with an amount is an offer.
  const hasAmount = prices.length > 0;
  if (hasAmount && dates.length > 0) return false;
  if (part.from > 0 || part.to < line.tokens.length || !hasWordOf(line, "request")) return false;
  const watch = findWatch(line);
  if (watch === undefined) return false;
  const found = findKinds(line.tokens);
  if (hasAmount && !found.has("bidding")) return false;
  let score = hasArticle(line, watch) ? ARTICLE_WEIGHT : 0;
  const near = findKinds(sentenceAround(line, watch));
  for (const kind of found) if (near.has(kind) || !NEAR.has(kind)) score += WEIGHTS[kind];
  if (found.has("people") && found.has("having") && line.tokens.some(({ word }) => word === "?"))
    score += QUESTION_WEIGHT;
  return score >= REQUEST_MIN;
}

/** Returns where the first watch of the line starts. */
function findWatch({ references, phrases }: Line): number | undefined {
  const model = phrases.find(({ meaning }) => meaning.kind === "model");
  return references[0]?.from ?? model?.from;
}

function sentenceAround({ tokens }: Line, watch: number): readonly Token[] {
  let from = watch;
  while (from > 0 && !endsSentence(tokens, from - 1)) from -= 1;
  let to = watch + 1;
  while (to < tokens.length && !endsSentence(tokens, to - 1)) to += 1;
  return from === 0 && to === tokens.length ? tokens : tokens.slice(from, to);
}

/** A point inside a number or a reference ends nothing. */
function endsSentence(tokens: readonly Token[], at: number): boolean {
  return /^[.!?]$/.test(tokens[at]?.word ?? "") && tokens[at + 1]?.isGlued !== true;
}

/** Tokens between the article and the watch. */
const ARTICLE_GAP_MAX = 6;
const ARTICLES =
  /^(a|an|any|one|another|either|two|three|eine|einen|ein|een|une|un|una|uno|uma|um)$/;

/** "A clean Rolex 16700", "any of the new 126710": an indefinite article shortly before the watch. */
function hasArticle({ tokens }: Line, watch: number): boolean {
  for (let at = watch - 1; at >= 0 && at >= watch - ARTICLE_GAP_MAX; at -= 1)
    if (ARTICLES.test(tokens[at]?.word ?? "")) return true;
  return false;
}
