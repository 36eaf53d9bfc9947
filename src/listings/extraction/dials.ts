import type { Part } from "./anchors.ts";
import { DIAL_STYLES } from "./catalogue/dial-words.ts";
import type { Mark } from "./lexicon.ts";
import type { Segment } from "./segments.ts";
import { within } from "./span.ts";

/** More words than this describe a picture, not a dial. */
const DIAL_WORDS_MAX = 3;

export interface WordsReading {
  readonly value: string;
  readonly part: Part;
  readonly marks: readonly Mark[];
}

/** The dial in its own words, in the order in which they stand: those beside the reference, else the first that come. */
export function readDial(segment: Segment): WordsReading | undefined {
  for (const part of segment.parts) {
    const marks = within(part.reading.line.marks, part).filter(
      ({ meaning }) => meaning.kind === "dial",
    );
    const code = part === segment.parts[0] ? segment.reference?.dial : undefined;
    const words = marks.flatMap(({ meaning }) => (meaning.kind === "dial" ? [meaning.dial] : []));
    const all = [...words, ...(code === undefined ? [] : [code])];
    if (all.length === 0) continue;
    const distinct = [...new Set(all)].slice(0, DIAL_WORDS_MAX);
    const isStyle = (word: string): boolean => DIAL_STYLES.has(word);
    const value = [...distinct.filter((word) => !isStyle(word)), ...distinct.filter(isStyle)].join(
      " ",
    );
    return { value, part, marks: marks.slice(0, DIAL_WORDS_MAX) };
  }
  return undefined;
}

/** The bracelet if one is named, else the nickname: of the two, the bracelet changes the price. */
export function readVariant(segment: Segment): WordsReading | undefined {
  let nickname: WordsReading | undefined;
  for (const part of segment.parts) {
    for (const mark of within(part.reading.line.marks, part)) {
      if (mark.meaning.kind === "bracelet")
        return { value: mark.meaning.bracelet, part, marks: [mark] };
      if (mark.meaning.kind !== "model" || mark.meaning.nickname === undefined) continue;
      nickname ??= { value: mark.meaning.nickname, part, marks: [mark] };
    }
  }
  return nickname;
}
