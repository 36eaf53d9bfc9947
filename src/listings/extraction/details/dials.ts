import { DIAL_STYLES } from "../catalogue/dial-words.ts";
import type { PhraseMatch } from "../lines/lexicon.ts";
import type { LinePart } from "../lines/line-part.ts";
import { within } from "../lines/span.ts";
import type { Segment } from "../segments/segment-draft.ts";

/** Text with more dial words than this describes something else too, so only the first ones count. */
const DIAL_WORDS_MAX = 3;

export interface WordsReading {
  readonly value: string;
  readonly part: LinePart;
  readonly phrases: readonly PhraseMatch[];
}

/** Returns the dial words of the first part that has any, colours first, then styles. The dial code counts as a word. */
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

/** Returns the bracelet if one is named, else the nickname. The bracelet comes first because it changes the price. */
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
