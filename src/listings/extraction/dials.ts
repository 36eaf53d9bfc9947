import { DIAL_STYLES } from "./catalogue/dial-words.ts";
import type { PhraseMatch } from "./lexicon.ts";
import type { LinePart } from "./line-part.ts";
import type { Segment } from "./segment-draft.ts";
import { within } from "./span.ts";

/** More words than this describe a picture, not a dial. */
const DIAL_WORDS_MAX = 3;

export interface WordsReading {
  readonly value: string;
  readonly part: LinePart;
  readonly phrases: readonly PhraseMatch[];
}

/** The dial in its own words, in the order in which they stand: those beside the reference, else the first that come. */
export function readDial(segment: Segment): WordsReading | undefined {
  for (const part of segment.parts) {
    const phrases = within(part.reading.line.phrases, part).filter(
      ({ meaning }) => meaning.kind === "dial",
    );
    const code = part === segment.parts[0] ? segment.reference?.dial : undefined;
    const words = phrases.flatMap(({ meaning }) => (meaning.kind === "dial" ? [meaning.dial] : []));
    const all = [...words, ...(code === undefined ? [] : [code])];
    if (all.length === 0) continue;
    const distinct = [...new Set(all)].slice(0, DIAL_WORDS_MAX);
    const isStyle = (word: string): boolean => DIAL_STYLES.has(word);
    const value = [...distinct.filter((word) => !isStyle(word)), ...distinct.filter(isStyle)].join(
      " ",
    );
    return { value, part, phrases: phrases.slice(0, DIAL_WORDS_MAX) };
  }
  return undefined;
}

/** The bracelet if one is named, else the nickname: of the two, the bracelet changes the price. */
export function readVariant(segment: Segment): WordsReading | undefined {
  let nickname: WordsReading | undefined;
  for (const part of segment.parts) {
    for (const phrase of within(part.reading.line.phrases, part)) {
      if (phrase.meaning.kind === "bracelet")
        return { value: phrase.meaning.bracelet, part, phrases: [phrase] };
      if (phrase.meaning.kind !== "model" || phrase.meaning.nickname === undefined) continue;
      nickname ??= { value: phrase.meaning.nickname, part, phrases: [phrase] };
    }
  }
  return nickname;
}
