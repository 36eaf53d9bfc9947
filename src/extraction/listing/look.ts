import type { Quote } from "../extraction.ts";
import { endsReference, type PlacedReference } from "../lines/line.ts";
import { joinQuotes, type LinePart, quotePhrase, quoteText } from "../lines/line-reading.ts";
import type { Segment } from "../segments/segment-draft.ts";
import type { Meaning } from "../text/meaning.ts";
import { tokenAt, within } from "../text/token.ts";
import type { PhraseMatch } from "../words/lexicon.ts";
import { isA } from "../words/words.ts";
import { addEvidence, type ListingDraft } from "./listing-draft.ts";

/** Text with more dial words than this describes something else too, so only the first ones count. */
const DIAL_WORDS_MAX = 3;

interface WordsReading {
  readonly value: string;
  readonly quote: Quote;
}

/** Takes the dial, and the variant: its bracelet or nickname. */
export function fillLook(draft: ListingDraft): void {
  const dial = readDial(draft.segment);
  if (dial !== undefined) {
    draft.fields.dialType = dial.value;
    addEvidence(draft, "dialType", dial.quote, "explicit");
  }
  const variant = readVariant(draft.segment);
  if (variant !== undefined) {
    draft.fields.variant = variant.value;
    addEvidence(draft, "variant", variant.quote, "explicit");
  }
}

/**
 * Returns the dial words of the first part that has any, colours first, then styles. The dial code counts as a word. Words
 * that apply to several pieces ("126334 blue", then one line for each date) count last.
 */
export function readDial(segment: Segment): WordsReading | undefined {
  for (const part of allParts(segment)) {
    const code = part === segment.parts[0] ? segment.reference?.dial : undefined;
    const found = dialWords(part, code === undefined ? undefined : segment.reference);
    if (found !== undefined) return found;
  }
  return undefined;
}

function allParts({ parts, shared }: Segment): readonly LinePart[] {
  return shared.length === 0 ? parts : [...parts, ...shared];
}

function dialWords(part: LinePart, coded: PlacedReference | undefined): WordsReading | undefined {
  const words: string[] = [];
  const quotes: Quote[] = [];
  for (const phrase of within(part.reading.line.phrases, part)) {
    const dial = dialOf(phrase.meaning);
    if (dial === undefined || isPreposition(part, phrase) || isColourOfThing(part, phrase))
      continue;
    words.push(dial);
    if (quotes.length < DIAL_WORDS_MAX) quotes.push(quotePhrase(part, phrase));
  }
  if (words.length === 0 && coded === undefined) return undefined;
  if (coded?.dial !== undefined) words.push(coded.dial);
  if (coded !== undefined) quotes.push(quoteDialCode(coded));
  const [only = ""] = words;
  const { dialStyles } = part.reading.line.lexicon;
  const value = words.length === 1 ? only : joinDialWords(words, dialStyles);
  return { value, quote: joinQuotes(quotes, " ") };
}

/** Colours first, then styles. */
function joinDialWords(words: readonly string[], dialStyles: ReadonlySet<string>): string {
  const colours: string[] = [];
  const styles: string[] = [];
  for (const word of words) {
    if (colours.length + styles.length === DIAL_WORDS_MAX) break;
    const list = dialStyles.has(word) ? styles : colours;
    if (!list.includes(word)) list.push(word);
  }
  return colours.concat(styles).join(" ");
}

/** "116519 met full links" is meteorite. In Dutch, "met" before another word means "with". */
function isPreposition(part: LinePart, phrase: PhraseMatch): boolean {
  const { line } = part.reading;
  if (line.tokens[phrase.from]?.word !== "met" || phrase.to > phrase.from + 1) return false;
  const next = line.starts[phrase.to]?.meaning;
  const isBehindWatch = endsReference(line, phrase.from);
  const isOtherWord =
    line.tokens[phrase.to]?.kind === "letters" &&
    (next === undefined || (next.kind === "cue" && next.cue !== "ignored"));
  return !isBehindWatch || isOtherWord;
}

/** "Schwarze Lünette", "correa negra": the colour of something else. */
function isColourOfThing({ reading }: LinePart, { from, to, meaning }: PhraseMatch): boolean {
  if (meaning.kind !== "dial") return false;
  const { tokens } = reading.line;
  return isA(tokens[to], "colour_before") || isA(tokenAt(tokens, from - 1), "colour_behind");
}

function dialOf(meaning: Meaning): string | undefined {
  return meaning.kind === "dial" || meaning.kind === "model" ? meaning.dial : undefined;
}

function nicknameOf(meaning: Meaning): string | undefined {
  return meaning.kind === "dial" || meaning.kind === "model" ? meaning.nickname : undefined;
}

/** "126334g": the letters between the end of the reference's own text and the end of what is written. */
function quoteDialCode({ source, start, end, text }: PlacedReference): Quote {
  const code = source.text.slice(start + text.length, end).trimStart();
  return quoteText(source, { start: end - code.length, end });
}

/** Returns the bracelet if one is named, else the nickname. The bracelet comes first because it changes the price. */
function readVariant(segment: Segment): WordsReading | undefined {
  let nickname: WordsReading | undefined;
  for (const part of allParts(segment)) {
    for (const phrase of within(part.reading.line.phrases, part)) {
      if (phrase.meaning.kind === "bracelet")
        return { value: phrase.meaning.bracelet, quote: quotePhrase(part, phrase) };
      const name = nicknameOf(phrase.meaning);
      if (name !== undefined) nickname ??= { value: name, quote: quotePhrase(part, phrase) };
    }
  }
  return nickname;
}
