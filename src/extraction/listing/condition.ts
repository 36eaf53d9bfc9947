import type { Condition, LineSpan } from "../extraction.ts";
import { hasPhrase, type LinePart, quotePhrase } from "../lines/line-reading.ts";
import { isSign, tokenAt, within } from "../text/token.ts";
import type { PhraseMatch } from "../words/lexicon.ts";
import { isA, isPart } from "../words/words.ts";
import { addEvidence, dropEvidence, type ListingDraft, readOwnFirst } from "./listing-draft.ts";
import { readDial } from "./look.ts";

interface ConditionReading {
  readonly condition: Condition;
  readonly part: LinePart;
  readonly phrase: PhraseMatch;
}

/** Takes the condition in words, else NEW from the N of a date, else the condition of a header. */
export function fillCondition(draft: ListingDraft): void {
  const { fields, segment, evidence } = draft;
  const date = evidence.find(({ field }) => field === "year")?.lineSpans[0];
  const own = readOwnFirst(segment, (parts) => readCondition(parts, date));
  if (own !== undefined && isMintDial(draft, own)) {
    fields.condition = "NEW";
    fields.dialType = "mint green";
    addEvidence(draft, "dialType", quotePhrase(own.part, own.phrase), "explicit");
    return;
  }
  if (own !== undefined) {
    fields.condition = own.condition;
    // A condition in words is better evidence than the N of a date.
    dropEvidence(draft, "condition");
    addEvidence(draft, "condition", quotePhrase(own.part, own.phrase), "explicit");
    return;
  }
  if (draft.evidence.some(({ field }) => field === "condition")) {
    fields.condition = "NEW";
    return;
  }
  for (const part of draft.inherited) {
    const reading = readCondition([part], date);
    if (reading === undefined) continue;
    fields.condition = reading.condition;
    addEvidence(draft, "condition", quotePhrase(part, reading.phrase), "section");
    return;
  }
}

/** "126334 mint jub N7": the N says that the watch is new, so mint is the colour of its dial. */
function isMintDial(
  { segment, evidence }: ListingDraft,
  { part, phrase }: ConditionReading,
): boolean {
  return (
    segment.reference?.brand === "Rolex" &&
    quotePhrase(part, phrase).words.toLowerCase() === "mint" &&
    evidence.some(({ field }) => field === "condition") &&
    readDial(segment) === undefined
  );
}

/**
 * Returns the condition that the text states. Like new beats new and used. Alternatives state none ("new or slider"). In
 * "16610 9/10 full set" the numbers are the date of the watch, and no mark.
 */
function readCondition(
  parts: readonly LinePart[],
  date: LineSpan | undefined,
): ConditionReading | undefined {
  if (!parts.some(({ reading }) => hasPhrase(reading, "condition"))) return undefined;
  const found: ConditionReading[] = [];
  for (const part of parts) {
    const phrases = within(part.reading.line.phrases, part);
    for (const [index, phrase] of phrases.entries()) {
      if (phrase.meaning.kind !== "condition") continue;
      if (describesDial(part, phrase) || isDate(part, phrase, date)) continue;
      if (isAlternative(part, phrases, index)) return undefined;
      found.push({ condition: phrase.meaning.condition, part, phrase });
    }
  }
  return chooseCondition(found);
}

function isDate({ reading }: LinePart, { from }: PhraseMatch, date: LineSpan | undefined): boolean {
  const { source, tokens } = reading.line;
  return date?.line === source.sourceLine && date.start === tokens[from]?.start;
}

function chooseCondition(found: readonly ConditionReading[]): ConditionReading | undefined {
  if (found.length < 2) return found[0];
  const likeNew = findCondition(found, "LIKE_NEW");
  if (likeNew !== undefined) return likeNew;
  const [used, unused] = [findCondition(found, "USED"), findCondition(found, "NEW")];
  if (used === undefined || unused === undefined) return unused ?? used;
  // "Preowned, new strap fitted", "strap new, used": if they contradict each other, the first one describes the watch.
  return found.find((reading) => reading.condition === "USED" || !isOfPart(reading));
}

function findCondition(
  found: readonly ConditionReading[],
  condition: Condition,
): ConditionReading | undefined {
  return found.find((reading) => reading.condition === condition);
}

/** Words between a part and "new", as in "strap is new" or "Lederband (neu)". */
const PART_GAP_MAX = 2;

/** "Strap new", "new OEM strap": it may be the part that is new. */
function isOfPart({ part, phrase }: ConditionReading): boolean {
  const { tokens } = part.reading.line;
  return (
    tokens.slice(Math.max(0, phrase.from - PART_GAP_MAX), phrase.from).some(isPart) ||
    tokens.slice(phrase.to, phrase.to + PART_GAP_MAX).some(isPart)
  );
}

/** "Mint silver dial": the dial is mint, and the watch need not be. "Mint dial" is a colour. */
function describesDial(part: LinePart, phrase: PhraseMatch): boolean {
  const { tokens } = part.reading.line;
  if (!isA(tokens[phrase.from], "flawless")) return false;
  const behind = tokens.slice(phrase.to, phrase.to + DIAL_GAP_MAX);
  const end = behind.findIndex((token) => token.kind !== "letters" || isA(token, "dial_word"));
  return end > 0 && isA(behind[end], "dial_word");
}

/** Words between "mint" and "dial", as in "mint white porcelain roman dial". */
const DIAL_GAP_MAX = 5;

/** Tokens between two conditions that are alternatives, as in "new complete or mint complete". */
const ALTERNATIVE_GAP_MAX = 4;

/** "new or used", "new/slider", "new and pre-owned": two different conditions joined by a word or a slash. */
function isAlternative(part: LinePart, phrases: readonly PhraseMatch[], index: number): boolean {
  const phrase = phrases[index];
  if (phrase?.meaning.kind !== "condition") return false;
  const { tokens } = part.reading.line;
  if (isSign(tokens[phrase.to], "&/") || isA(tokens[phrase.to], "and")) {
    const next = phrases[index + 1];
    if (next?.from === phrase.to + 1 && next.meaning.kind === "condition") {
      const pair = [phrase.meaning.condition, next.meaning.condition];
      // "Excellent/like new" is no alternative: only a new watch excludes the others.
      return pair[0] !== pair[1] && pair.includes("NEW");
    }
  }
  let isAfterOr = false;
  for (const next of phrases.slice(index + 1, index + 1 + ALTERNATIVE_GAP_MAX)) {
    const { meaning } = next;
    if (next.from - phrase.to > ALTERNATIVE_GAP_MAX) return false;
    // "Nuovo o come nuovo", "nieuw of gebruikt".
    isAfterOr ||= isA(tokenAt(tokens, next.from - 1), "or");
    if (meaning.kind === "cue" && meaning.cue === "or") isAfterOr = true;
    else if (isAfterOr && meaning.kind === "condition")
      return phrase.meaning.condition !== meaning.condition;
    // "New or retail ready" is undecided too.
    else if (isAfterOr && meaning.kind === "cue" && meaning.cue === "ignored") return true;
  }
  return false;
}
