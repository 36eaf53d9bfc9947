import { DIAL_STYLES } from "../catalogue/dial-words.ts";
import type { Quote } from "../extraction.ts";
import type { PlacedReference } from "../lines/line.ts";
import { joinQuotes, quoteText } from "../lines/quote.ts";
import { within } from "../lines/span.ts";
import type { Segment } from "../segments/segment-draft.ts";
import { quotePhrase } from "./names.ts";

/** Text with more dial words than this describes something else too, so only the first ones count. */
const DIAL_WORDS_MAX = 3;

export interface WordsReading {
  readonly value: string;
  readonly quote: Quote;
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
    const quotes = phrases.slice(0, DIAL_WORDS_MAX).map((phrase) => quotePhrase(part, phrase));
    if (segment.reference !== undefined && code !== undefined)
      quotes.push(quoteDialCode(segment.reference));
    return { value, quote: joinQuotes(quotes, " ") };
  }
  return undefined;
}

/** "126334g": the letters between the end of the reference's own text and the end of what is written. */
function quoteDialCode({ source, start, end, text }: PlacedReference): Quote {
  const code = source.text.slice(start + text.length, end).trimStart();
  return quoteText(source, { start: end - code.length, end });
}

/** Returns the bracelet if one is named, else the nickname. The bracelet comes first because it changes the price. */
export function readVariant(segment: Segment): WordsReading | undefined {
  let nickname: WordsReading | undefined;
  for (const part of segment.parts) {
    for (const phrase of within(part.reading.line.phrases, part)) {
      if (phrase.meaning.kind === "bracelet")
        return { value: phrase.meaning.bracelet, quote: quotePhrase(part, phrase) };
      if (phrase.meaning.kind !== "model" || phrase.meaning.nickname === undefined) continue;
      nickname ??= { value: phrase.meaning.nickname, quote: quotePhrase(part, phrase) };
    }
  }
  return nickname;
}
