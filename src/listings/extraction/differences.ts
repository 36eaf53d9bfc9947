import type { Part } from "./anchors.ts";
import { within } from "./span.ts";

/** "Pepsi oyster", then "Bruce Wayne oyster": without a reference, two nicknames are two watches. */
export function haveTwoNicknames(a: Part, b: Part): boolean {
  const [first, second] = [nicknameOf(a), nicknameOf(b)];
  return first !== undefined && second !== undefined && first !== second;
}

function nicknameOf(part: Part): string | undefined {
  for (const { meaning } of within(part.reading.line.marks, part)) {
    if (meaning.kind === "model" && meaning.nickname !== undefined) return meaning.nickname;
  }
  return undefined;
}

/** Two mentions of one reference are two watches when their dates or dials differ. */
export function differs(a: Part, b: Part): boolean {
  const [datesA, datesB] = [datesOf(a), datesOf(b)];
  if (datesA !== "" && datesB !== "" && datesA !== datesB) return true;
  const [dialA, dialB] = [dialsOf(a), dialsOf(b)];
  return dialA.length > 0 && dialB.length > 0 && !dialA.some((word) => dialB.includes(word));
}

export function datesOf(part: Part): string {
  const dates = within(part.reading.dates, part).slice(0, COMPARED_MAX);
  return dates.map((date) => `${date.year ?? ""}/${date.month ?? ""}`).join(" ");
}

function dialsOf(part: Part): string[] {
  const marks = within(part.reading.line.marks, part);
  const dials = marks.flatMap(({ meaning }) => (meaning.kind === "dial" ? [meaning.dial] : []));
  return dials.slice(0, COMPARED_MAX);
}

/** So many words are enough to tell two watches apart. */
const COMPARED_MAX = 4;
