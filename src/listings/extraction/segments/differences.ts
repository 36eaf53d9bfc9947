import type { LinePart } from "../lines/line-part.ts";
import { within } from "../lines/span.ts";

/** "Pepsi oyster", then "Bruce Wayne oyster": without references, two nicknames mean two watches. */
export function haveTwoNicknames(a: LinePart, b: LinePart): boolean {
  const [first, second] = [findNickname(a), findNickname(b)];
  return first !== undefined && second !== undefined && first !== second;
}

function findNickname(part: LinePart): string | undefined {
  for (const { meaning } of within(part.reading.line.phrases, part)) {
    if (meaning.kind === "model" && meaning.nickname !== undefined) return meaning.nickname;
  }
  return undefined;
}

/** Returns true if two mentions of one reference are two watches, because their dates or dials differ. */
export function haveDifferentDetails(a: LinePart, b: LinePart): boolean {
  const [datesA, datesB] = [datesKey(a), datesKey(b)];
  if (datesA !== "" && datesB !== "" && datesA !== datesB) return true;
  const [dialA, dialB] = [listDials(a), listDials(b)];
  return dialA.length > 0 && dialB.length > 0 && !dialA.some((word) => dialB.includes(word));
}

/** Returns the dates of a part as a string to compare, such as "2025/9 2026/"; empty if there are none. */
export function datesKey(part: LinePart): string {
  const dates = within(part.reading.dates, part).slice(0, COMPARED_WORDS_MAX);
  return dates.map((date) => `${date.year ?? ""}/${date.month ?? ""}`).join(" ");
}

function listDials(part: LinePart): string[] {
  const phrases = within(part.reading.line.phrases, part);
  const dials = phrases.flatMap(({ meaning }) => (meaning.kind === "dial" ? [meaning.dial] : []));
  return dials.slice(0, COMPARED_WORDS_MAX);
}

/** Enough words to distinguish two watches. The bound keeps the work linear. */
const COMPARED_WORDS_MAX = 4;
