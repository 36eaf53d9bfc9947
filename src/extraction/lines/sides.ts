import type { Side } from "../extraction.ts";
import { firstFrom, isSign, lastUntil, tokenAt, within } from "../text/token.ts";
import type { PhraseMatch } from "../words/lexicon.ts";
import { isA } from "../words/words.ts";
import type { Line } from "./line.ts";
import { type LinePart, type LineReading, wholeLine } from "./line-reading.ts";

/** Whether a text offers a watch or asks for one, and the phrase that says so. */
export interface SideReading {
  readonly side: Side;
  readonly part: LinePart;
  readonly phrase: PhraseMatch;
}

/** Returns the side of the message: a request on any line beats an offer. Returns undefined if it states neither. */
export function messageSide(readings: readonly LineReading[]): SideReading | undefined {
  let offer: SideReading | undefined;
  for (const reading of readings) {
    const found = findSide(wholeLine(reading));
    if (found?.side === "want_to_buy") return found;
    offer ??= found;
  }
  return offer;
}

/** Strong words count anywhere. Weak words for a request ("need") count at the start of a line; weak offers never do. */
export function findSide(part: LinePart): SideReading | undefined {
  let weak: SideReading | undefined;
  for (const phrase of within(part.reading.line.phrases, part)) {
    if (phrase.meaning.kind !== "side") continue;
    if (asksForMoney(part.reading, phrase)) continue;
    const reading = { side: phrase.meaning.side, part, phrase };
    if (!phrase.meaning.isWeak) return reading;
    if (phrase.meaning.side === "want_to_buy" && countsAsWish(part.reading, phrase))
      weak ??= reading;
  }
  return weak;
}

function countsAsWish(reading: LineReading, phrase: PhraseMatch): boolean {
  return isAtLineStart(reading, phrase.from) || isRightBehindWatch(reading, phrase);
}

/** Returns true if the phrase asks for a watch where it stands. WTT is about a trade, and not a wish. */
export function isWish(reading: LineReading, phrase: PhraseMatch): boolean {
  const { meaning, from } = phrase;
  if (meaning.kind !== "side" || meaning.side !== "want_to_buy") return false;
  if (asksForMoney(reading, phrase) || isA(reading.line.tokens[from], "trade")) return false;
  return !meaning.isWeak || countsAsWish(reading, phrase);
}

/** Returns the first explicit word of sale of a line. `opensText` is true for the first line of a text. */
export function findExplicitSale(line: Line, opensText: boolean): PhraseMatch | undefined {
  return line.phrases.find((phrase) => {
    const { meaning, from } = phrase;
    if (meaning.kind === "side" && meaning.side === "for_sale" && meaning.explicit !== undefined)
      return meaning.explicit === "anywhere" || isFirstWord(line, from);
    if (!isA(line.tokens[from], "sale_or_set") || phrase.to > from + 1) return false;
    return isMarked(line, from) || (opensText && isFirstWord(line, from));
  });
}

/** "WTB", "Cerco", "NTQ": says by itself that the watch is wanted. */
export function isExplicitWish({ part, phrase: { meaning, from } }: SideReading): boolean {
  if (meaning.kind !== "side" || meaning.side !== "want_to_buy") return false;
  return (
    meaning.explicit === "anywhere" ||
    (meaning.explicit === "first_word" && isFirstWord(part.reading.line, from))
  );
}

/** FS means "for sale" at the start of a line, in brackets, and before a colon above the watch, and "full set" elsewhere. */
export function isForSaleAbbreviation(line: Line, { from, to }: PhraseMatch): boolean {
  if (!isA(line.tokens[from], "sale_or_set") || to > from + 1) return false;
  const hasMore = line.tokens.slice(to).some((token) => token.kind !== "symbol");
  return isMarked(line, from) || (isFirstWord(line, from) && hasMore);
}

/** "[FS]", and "FS:" before the watch. Such a mark opens a text or what is offered in it. */
function isMarked({ tokens, references }: Line, at: number): boolean {
  if (tokenAt(tokens, at - 1)?.word === "[" && tokens[at + 1]?.word === "]") return true;
  return tokens[at + 1]?.word === ":" && (references[0]?.from ?? at) >= at;
}

function isFirstWord({ tokens }: Line, at: number): boolean {
  return tokens.slice(0, at).every(({ kind }) => kind === "symbol");
}

/** "Looking for 10.5k": the dealer asks for money, and not for a watch. "Paying 10.5k" is a bid. */
function asksForMoney(reading: LineReading, phrase: PhraseMatch): boolean {
  if (reading.prices.length === 0) return false;
  const { tokens } = reading.line;
  // The verb opens the phrase, or closes it: "client wants 9k".
  const isVerb = (at: number): boolean => isA(tokens[at], "money_verb", "ask");
  if (!isVerb(phrase.from) && !isVerb(phrase.to - 1)) return false;
  const at = isA(tokens[phrase.to], "about", "around", "for") ? phrase.to + 1 : phrase.to;
  return firstFrom(reading.prices, at)?.from === at;
}

/** "126613LB blue need new 2026": only known words are between the watch and the request. */
function isRightBehindWatch(reading: LineReading, phrase: PhraseMatch): boolean {
  const { line } = reading;
  const reference = lastUntil(line.references, phrase.from);
  if (reference === undefined) return false;
  let at = reference.to;
  if (phrase.from - at > REQUEST_GAP_MAX) return false;
  while (at < phrase.from) {
    const token = line.tokens[at];
    const known = line.starts[at];
    if (known !== undefined && known.meaning.kind !== "cue") at = known.to;
    else if (token?.kind === "symbol" && token.word !== ".") at += 1;
    else return false;
  }
  return true;
}

/** Tokens between a watch and the request behind it. */
const REQUEST_GAP_MAX = 12;

/** Returns true if only symbols, greetings, and words such as "I" or "please" are before the token. */
function isAtLineStart(reading: LineReading, at: number): boolean {
  // A bullet or the end of a sentence starts anew: "Clients are hungry! Need the below".
  if (isSign(tokenAt(reading.line.tokens, at - 1), "\u2022!")) return true;
  return (
    reading.line.tokens.slice(Math.max(0, at - 6), at).every(
      (token, index) =>
        token.kind === "symbol" ||
        isA(token, "plea", "speaker", "greeting") ||
        // "2) Need 126500LN": the number of a line in a list.
        (index === 0 && token.kind === "digits" && token.text.length < 3),
    ) && at <= 6
  );
}
