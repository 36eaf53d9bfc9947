import { ACCESSORY_WORDS, FIT_WORDS, PART_WORDS } from "./catalogue/cue-words.ts";
import type { Reading } from "./reading.ts";
import type { Segment } from "./segments.ts";

/** Gloves, bags, clocks: where one is named, the message offers no watch. */
export function namesAccessory(reading: Reading): boolean {
  return reading.line.tokens.some(
    (token) => token.kind === "letters" && ACCESSORY_WORDS.has(token.word),
  );
}

export function namesPart(reading: Reading): boolean {
  return reading.line.tokens.some(
    (token) => token.kind === "letters" && PART_WORDS.has(token.word),
  );
}

/** "Strap for 5167A", "116610LN bezel only": the reference says what a part fits. */
export function isPartOnly(segment: Segment): boolean {
  const part = segment.parts[0];
  if (part === undefined) return false;
  if (namesAccessory(part.reading)) return true;
  const { tokens } = part.reading.line;
  const { reference } = segment;
  if (reference === undefined) return false;
  const before = tokens.slice(Math.max(part.from, reference.from - 6), reference.from);
  const fit = before.findIndex((token) => FIT_WORDS.has(token.word));
  if (fit > 0 && before.slice(0, fit).some((token) => PART_WORDS.has(token.word))) {
    return before.slice(fit).length <= 3;
  }
  const [next, after] = [tokens[reference.to], tokens[reference.to + 1]];
  if (next === undefined || !PART_WORDS.has(next.word)) return false;
  return after === undefined || after.word === "only" || FIT_WORDS.has(after.word);
}
