import type { Condition } from "../extraction.ts";
import type { PhraseMatch } from "../lines/lexicon.ts";
import type { LinePart } from "../lines/line-part.ts";
import { within } from "../lines/span.ts";

export interface ConditionReading {
  readonly condition: Condition;
  readonly part: LinePart;
  readonly phrase: PhraseMatch;
}

/**
 * Returns the condition that the text states, if any. Like new beats new and used. `isUndecided` is true for alternatives
 * ("new or slider"): then no header may fill in the condition either.
 */
export function readCondition(parts: readonly LinePart[]): {
  readonly reading?: ConditionReading;
  readonly isUndecided: boolean;
} {
  const found: ConditionReading[] = [];
  for (const part of parts) {
    const phrases = within(part.reading.line.phrases, part);
    for (const [index, phrase] of phrases.entries()) {
      if (phrase.meaning.kind !== "condition" || isNegated(phrases[index - 1], phrase)) continue;
      if (isAlternative(part, phrases, index)) return { isUndecided: true };
      found.push({ condition: phrase.meaning.condition, part, phrase });
    }
  }
  const best = chooseCondition(found);
  return { isUndecided: false, ...(best === undefined ? {} : { reading: best }) };
}

function chooseCondition(found: readonly ConditionReading[]): ConditionReading | undefined {
  const findCondition = (condition: Condition): ConditionReading | undefined =>
    found.find((reading) => reading.condition === condition);
  const likeNew = findCondition("LIKE_NEW");
  if (likeNew !== undefined) return likeNew;
  const [used, unused] = [findCondition("USED"), findCondition("NEW")];
  // "Preowned, new strap fitted": if used and new contradict each other, the first one describes the watch.
  return used !== undefined && unused !== undefined ? found[0] : (unused ?? used);
}

/** "no scratches". */
function isNegated(before: PhraseMatch | undefined, phrase: PhraseMatch): boolean {
  return (
    before?.to === phrase.from && before.meaning.kind === "cue" && before.meaning.cue === "without"
  );
}

/** "new or used", "new and pre-owned": two different conditions joined by a word. */
function isAlternative(part: LinePart, phrases: readonly PhraseMatch[], index: number): boolean {
  const phrase = phrases[index];
  const next = phrases[index + 1];
  if (phrase?.meaning.kind !== "condition" || next === undefined) return false;
  const isOr = next.meaning.kind === "cue" && next.meaning.cue === "or" && next.from === phrase.to;
  const isAnd = /^(and|&)$/.test(part.reading.line.tokens[phrase.to]?.word ?? "");
  const other = isOr ? phrases[index + 2] : isAnd ? next : undefined;
  if (other === undefined || other.from !== phrase.to + 1) return false;
  if (other.meaning.kind === "condition")
    return phrase.meaning.condition !== other.meaning.condition;
  // "New or retail ready" is undecided too.
  return isOr && other.meaning.kind === "cue" && other.meaning.cue === "ignored";
}
