/**
 * Tells talk about watches from offers and requests.
 *
 * Idea: dealers write offers and requests in a short style of their own. So a line that names a watch in a sentence is
 * talk, unless it also has words of a sale: a set, a condition, "asking", "pm". Words such as "stolen" or "auction" make
 * a line talk in any case. Where nothing is offered, a false listing costs more than a missed one.
 *
 * Example: "Is the 226570 getting replaced this year?" is talk, and so is "Saw a 5726/1A go for 71k at auction". "Is there
 * a 226570 for my client today, money is ready" is a request: its words of a request decide first.
 */
import { OFFER_WORDS, SENTENCE_WORDS, TALK_WORDS } from "../catalogue/talk-words.ts";
import { wholeLine } from "../lines/line-part.ts";
import type { LineReading } from "../reading.ts";
import { findSide } from "./sides.ts";
import { WordPhrases } from "./word-phrases.ts";

const talkPhrases = new WordPhrases(TALK_WORDS);
const offerPhrases = new WordPhrases(OFFER_WORDS);

/** From this number of sentence words on, a line is prose. A question needs fewer. */
const PROSE_MIN = 3;
const QUESTION_MIN = 2;

/** Returns true if the line speaks about a watch without offering it or asking for it. */
export function isTalk(reading: LineReading): boolean {
  const { tokens } = reading.line;
  const side = findSide(wholeLine(reading));
  const isTalkAnyway = talkPhrases.isIn(tokens);
  if (side !== undefined && !isTalkAnyway) return false;
  const isOffer = offerPhrases.isIn(tokens) || hasSaleTerm(reading);
  if (isTalkAnyway) return !isOffer || side === undefined;
  if (isOffer) return false;
  const sentenceWords = countSentenceWords(reading);
  const isQuestion = tokens.some((token) => token.word === "?");
  if (isQuestion && sentenceWords >= QUESTION_MIN)
    return reading.prices.length === 0 || sentenceWords >= PROSE_MIN;
  return sentenceWords >= PROSE_MIN && !describesWatch(reading);
}

/** Words inside known phrases ("in the box", "never worn") do not count. */
function countSentenceWords(reading: LineReading): number {
  const { tokens, starts } = reading.line;
  let count = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    const phrase = starts[at];
    const isCue = phrase?.meaning.kind === "cue" && phrase.to === at + 1;
    if (phrase !== undefined && !isCue) {
      at = phrase.to - 1;
      continue;
    }
    if (SENTENCE_WORDS.has(tokens[at]?.word ?? "")) count += 1;
  }
  return count;
}

function hasSaleTerm(reading: LineReading): boolean {
  return reading.line.phrases.some(
    ({ meaning }) =>
      (meaning.kind === "cue" && meaning.cue === "label") ||
      (meaning.kind === "side" && meaning.side === "for_sale" && !meaning.isWeak) ||
      meaning.kind === "status",
  );
}

/** A set or a condition describes a watch that the dealer has before him. */
function describesWatch(reading: LineReading): boolean {
  return reading.line.phrases.some(
    ({ meaning }) => meaning.kind === "set" || meaning.kind === "condition",
  );
}
