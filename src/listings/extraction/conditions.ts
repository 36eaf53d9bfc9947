import type { Part } from "./anchors.ts";
import type { Condition } from "./extraction.ts";
import type { Mark } from "./lexicon.ts";
import { within } from "./span.ts";

export interface ConditionReading {
  readonly condition: Condition;
  readonly part: Part;
  readonly mark: Mark;
}

/**
 * What the words say of the watch's state. "Used like new" is like new, and so is a new-looking watch with stickers;
 * alternatives ("new or slider") say nothing, which `undefined` in `reading` beside `isOpen` tells.
 */
export function readCondition(parts: readonly Part[]): {
  readonly reading?: ConditionReading;
  readonly isOpen: boolean;
} {
  const found: ConditionReading[] = [];
  for (const part of parts) {
    const marks = within(part.reading.line.marks, part);
    for (const [index, mark] of marks.entries()) {
      if (mark.meaning.kind !== "condition" || isNegated(marks[index - 1], mark)) continue;
      if (isAlternative(part, marks, index)) return { isOpen: true };
      found.push({ condition: mark.meaning.condition, part, mark });
    }
  }
  const best = choose(found);
  return { isOpen: false, ...(best === undefined ? {} : { reading: best }) };
}

function choose(found: readonly ConditionReading[]): ConditionReading | undefined {
  const of = (condition: Condition): ConditionReading | undefined =>
    found.find((reading) => reading.condition === condition);
  const [likeNew, used, isNew] = [of("LIKE_NEW"), of("USED"), of("NEW")];
  if (likeNew !== undefined) return likeNew;
  // "Preowned, new strap fitted": of two plain words that contradict, the first describes the watch.
  return used !== undefined && isNew !== undefined ? found[0] : (isNew ?? used);
}

function isNegated(before: Mark | undefined, mark: Mark): boolean {
  return (
    before?.to === mark.from && before.meaning.kind === "cue" && before.meaning.cue === "without"
  );
}

/** "new or used", "new and pre-owned": two different states joined by a word. */
function isAlternative(part: Part, marks: readonly Mark[], index: number): boolean {
  const mark = marks[index];
  const next = marks[index + 1];
  if (mark?.meaning.kind !== "condition" || next === undefined) return false;
  const isOr = next.meaning.kind === "cue" && next.meaning.cue === "or" && next.from === mark.to;
  const isAnd = /^(and|&)$/.test(part.reading.line.tokens[mark.to]?.word ?? "");
  const other = isOr ? marks[index + 2] : isAnd ? next : undefined;
  if (other === undefined || other.from !== mark.to + 1) return false;
  if (other.meaning.kind === "condition") return mark.meaning.condition !== other.meaning.condition;
  // "New or retail ready" leaves it open as well.
  return isOr && other.meaning.kind === "cue" && other.meaning.cue === "nothing";
}
