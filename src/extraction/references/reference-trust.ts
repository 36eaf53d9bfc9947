import type { BrandShape } from "../catalogue/catalogue.ts";
import { type Token, tokenAt, YEAR_LIKE } from "../text/token.ts";
import { isA, isPart } from "../words/words.ts";
import type { ReferenceContext, ReferenceMatch } from "./reference-context.ts";

/** "2021/22" and "2019-2021" are years too, and "1970s" is a decade. */
const YEARS = /^(?:19\d\d|20[0-4]\d|(?:19|20)\d\d[/-](?:19|20)?\d\d|(?:19|20)\d0s)$/i;

/** Returns true if a match is a reference, and false if it is a price, a year or the number of something else. */
export function isTrusted(
  context: ReferenceContext,
  candidate: {
    readonly match: ReferenceMatch;
    readonly at: number;
    readonly brandShape: BrandShape;
    /** The reference before it on the line. */
    readonly previous: ReferenceMatch | undefined;
  },
): boolean {
  const { match, at, brandShape, previous } = candidate;
  const isFirst = previous === undefined;
  const hasBrand = context.brands.has(brandShape.brand);
  // Most amounts have the shape of a reference, and end here.
  if (brandShape.trust === "context" && !match.isKnown && !(hasBrand && isFirst)) return false;
  if (isOtherNumber(context, match, at)) return false;
  if (match.isDigitsOnly && isMoney(context, at) && !isCodeBehindReference(context, candidate))
    return false;
  // "€66000 or 599,000 HKD": digits with a word after a space are a reference only if the catalogue knows them.
  const hasWordBehind = match.text.includes(" ") && /^\d/.test(match.text);
  if (hasWordBehind && (!match.isKnown || isMoney(context, at))) return false;
  if ((match.isDigitsOnly || !match.isKnown) && isNumberOfSomething(context, at)) return false;
  const digits = /^\d+/.exec(match.text)?.[0] ?? "";
  if (YEARS.test(match.text) || isWordBeforeYear(context, match.text)) return false;
  if (match.isDigitsOnly && isPartOfPhoneNumber(context, match, at)) return false;
  if (TIMES.test(match.text) && context.brands.size === 0) return false;
  // "Rm 1207, 12/F" is a room.
  if (brandShape.brand === "Richard Mille" && !match.isKnown && /^rm ?\d{4}$/i.test(match.text))
    return false;
  if (brandShape.trust === "shape") {
    return !match.isDigitsOnly || match.isKnown || !digits.endsWith("00");
  }
  // Below "5117J", a line with only "16000" is the ask, even if the catalogue knows 16000.
  const isRound = /(00|50)$/.test(digits);
  if (match.isDigitsOnly && isRound && context.isBelowReference && hasNoWords(context))
    return false;
  // "Seiko Tank 5933": a number of another brand than the one that the line names.
  const isOfOtherBrand = match.isDigitsOnly && !hasBrand && context.facts.namesBrand;
  if (isOfOtherBrand && !isBesideMaker(context, match, at)) return false;
  if (match.isDigitsOnly && !hasBrand && isLostInWords(context) && !isAnyOf(context, match, at))
    return false;
  if (match.isKnown)
    return hasBrand || isFirst || !match.isDigitsOnly || startsNextWatch(context, candidate);
  // A round number next to a brand is more likely a price.
  const digitCount = match.text.replace(/\D/g, "").length;
  return !/(00|50)$/.test(digits) && (digitCount > 3 || /^0/.test(digits));
}

/** "16520 Zenith white", "any clean 16520 Zenith": a known number opens the line, or comes before the maker of its movement. */
function isBesideMaker(context: ReferenceContext, match: ReferenceMatch, at: number): boolean {
  if (!match.isKnown || match.text.length < 5) return false;
  if (context.tokens[at + 1]?.word === "zenith") return true;
  return context.tokens.slice(0, at).every((token) => token.kind === "symbol");
}

/** "Any 69178 around?": a known number behind an indefinite article, in whatever sentence. */
function isAnyOf(context: ReferenceContext, match: ReferenceMatch, at: number): boolean {
  if (!match.isKnown || match.text.length < 5) return false;
  return /^(a|an|any|one)$/.test(tokenAt(context.tokens, at - 1)?.word ?? "");
}

/**
 * "16800 naked $8,900 / 16750 naked $11,400": a separator before a number of the same brand as the one before. In
 * "16700 from 1997, $9,900. And a 14060 from 1999, $6,400" it is an article, and each of the two has an amount.
 */
function startsNextWatch(
  context: ReferenceContext,
  candidate: {
    readonly match: ReferenceMatch;
    readonly at: number;
    readonly previous: ReferenceMatch | undefined;
  },
): boolean {
  const { match, at, previous } = candidate;
  const before = tokenAt(context.tokens, at - 1);
  if (previous === undefined || before === undefined) return false;
  // "16610 16613 116613", "114270 or 14270": right behind a reference of its brand, a known number that is no round amount.
  const last = OR_WORDS.test(before.word) ? tokenAt(context.tokens, at - 2) : before;
  if (last?.end === previous.end && previous.brand === match.brand)
    return !/(00|50)$/.test(match.text);
  if (before.kind === "symbol")
    return previous.brand === match.brand && /^[/|;,\u2022+&]$/.test(before.word);
  // "And 16600" could be an amount. "And a 16600" is not.
  const isJoined = AND_WORDS.test(before.word) && !match.text.endsWith("00");
  if (!isJoined && !ARTICLES.test(before.word)) return false;
  const between = context.tokens.slice(Math.max(0, at - ASK_GAP_MAX), at);
  return (
    between.some((token) => token.start >= previous.end && isMoneyWord(token, false)) &&
    context.tokens.slice(at + 1, at + ASK_GAP_MAX).some((token) => isMoneyWord(token, false))
  );
}

/** Tokens from a watch to its ask in a sentence. The bound keeps the work linear. */
const ASK_GAP_MAX = 40;

const ARTICLES = /^(a|an|my|another|eine|ein|meine|een|mijn|une|un|ma|una|uno|mi)$/;
const AND_WORDS = /^(and|plus|und|en|et|e|y)$/;
const OR_WORDS = /^(or|oder|of|ou|o)$/;

/** "Invoice #126334", "room 1680", "acct 012-5711-1001": a number of something else in a line without a brand. */
function isOtherNumber(context: ReferenceContext, match: ReferenceMatch, at: number): boolean {
  const { tokens } = context;
  const before = tokenAt(tokens, at - 2);
  const joint = tokenAt(tokens, at - 1);
  const next = tokens[at + 1];
  const isJoined = joint?.word === "-" && joint.isGlued && tokens[at]?.isGlued === true;
  // "SO-15400", "5-PAM-372": part of a longer code. "1-126334" is the number of a line.
  if (isJoined && before !== undefined) {
    if (before.kind === "digits" && tokens[at]?.kind === "letters") return true;
    if (before.kind === "digits" && before.text.length > 2) return true;
    if (before.kind === "letters" && isUnknownCode(context, before) && match.isDigitsOnly)
      return true;
  }
  if (isOwnReference(context, at)) return true;
  if (!/^[\d/ -]+$/.test(match.text) || context.facts.namesBrand) return false;
  if (next?.word === "-" && next.isGlued && tokens[at + 2]?.kind === "digits" && isJoined)
    return true;
  if (!context.facts.hasOtherNumberWords) return false;
  // "1680 Michigan Ave".
  if (tokens.slice(at + 1, at + 4).some(({ word }) => STREETS.test(word))) return true;
  const nearest = tokens.slice(Math.max(0, at - OTHER_NUMBER_GAP_MAX), at);
  return !context.facts.hasWatchWords || nearest.some((token) => isA(token, "place", "serial"));
}

const STREETS = /^(ave|avenue|street|blvd|boulevard|road|rd|plaza|strasse|straat)$/;

/** Tokens between the word and its number, as in "confirmation no. 79030". */
const OTHER_NUMBER_GAP_MAX = 3;

/** "Our ref: 4410" is a stock number. */
function isOwnReference(context: ReferenceContext, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && context.tokens[before]?.kind === "symbol") before -= 1;
  // "Our Ref: B4410": letters can be glued to the number.
  if (context.tokens[at]?.isGlued === true && tokenAt(context.tokens, before)?.kind === "letters")
    before -= 1;
  while (before >= 0 && context.tokens[before]?.kind === "symbol") before -= 1;
  if (!isA(tokenAt(context.tokens, before), "reference")) return false;
  return /^(our|my|stock|shop|internal|dealer)$/.test(
    tokenAt(context.tokens, before - 1)?.word ?? "",
  );
}

function isUnknownCode(context: ReferenceContext, token: Token): boolean {
  return !context.catalogue.lexicon.vocabulary.has(token.word) && !isA(token, "reference");
}

/** "Opening hours 1000-1730". */
const TIMES = /^(?:[01]\d|2[0-3])[0-5][05]-(?:[01]\d|2[0-3])[0-5][05]$/;

/** From this number of unknown words on, a line is about something else. */
const UNKNOWN_MIN = 3;

/** "Leaving Sunday AA 1016": without a brand, four or five digits among unknown words are no reference. */
function isLostInWords(context: ReferenceContext): boolean {
  return !context.facts.hasWatchWords && context.facts.unknownWordCount >= UNKNOWN_MIN;
}

/** "set2021" is a known word that is glued to a year. */
function isWordBeforeYear(context: ReferenceContext, text: string): boolean {
  const word = /^([a-z]{2,16})(?:19|20)\d\d$/i.exec(text)?.[1]?.toLowerCase();
  return word !== undefined && context.catalogue.lexicon.vocabulary.has(word);
}

/** "+852 5164 0726", "1Z 5164 0726": digits beside digits that are no reference, no amount and no year. */
function isPartOfPhoneNumber(
  context: ReferenceContext,
  match: ReferenceMatch,
  at: number,
): boolean {
  const { tokens } = context;
  // "+852 5167 7118": digits behind a plus and a country.
  let first = at;
  while (first > at - PHONE_GROUPS_MAX && tokenAt(tokens, first - 1)?.kind === "digits") first -= 1;
  if (tokenAt(tokens, first - 1)?.word === "+" && tokens[first]?.isGlued === true) return true;
  if (match.text.length > 5) return false;
  // "7712 6610 5167": a number between two numbers.
  if (isGroup(tokenAt(tokens, at - 1)) && isGroup(tokenAt(tokens, at - 2))) return true;
  let last = at;
  while ((tokens[last]?.end ?? match.end) < match.end) last += 1;
  return isStrayGroup(context, at - 1) || isStrayGroup(context, last + 1);
}

const PHONE_GROUPS_MAX = 4;

function isGroup(token: Token | undefined): boolean {
  return token?.kind === "digits" && token.text.length >= 3 && token.text.length <= 4;
}

function isStrayGroup(context: ReferenceContext, at: number): boolean {
  const token = tokenAt(context.tokens, at);
  if (token?.kind !== "digits" || token.text.length !== 4) return false;
  if (YEAR_LIKE.test(token.text) || context.catalogue.known.has(token.text)) return false;
  const next = context.tokens[at + 1];
  const isJoined = next?.isGlued === true && (next.kind !== "symbol" || /^[/-]$/.test(next.word));
  return !isMoney(context, at) && !isJoined;
}

function hasNoWords(context: ReferenceContext): boolean {
  return context.tokens.every((token) => token.kind !== "letters");
}

/** "126622HKD" at the end of a line: an ask is a round number, so this is the reference and its currency. */
function isCodeBehindReference(
  context: ReferenceContext,
  candidate: {
    readonly match: ReferenceMatch;
    readonly at: number;
    readonly previous: ReferenceMatch | undefined;
  },
): boolean {
  const { match, at, previous } = candidate;
  if (
    !match.isKnown ||
    previous !== undefined ||
    context.isBelowReference ||
    context.tokens[at + 2] !== undefined
  )
    return false;
  const [before, after] = [tokenAt(context.tokens, at - 1), context.tokens[at + 1]];
  if (before !== undefined && isMoneyWord(before, true)) return false;
  return match.text.length === 6 && !match.text.endsWith("00") && after?.kind === "letters";
}

/** "SKU: 15500", "calibre 3135", "bracelet: 93150A": the number of something else. */
function isNumberOfSomething(context: ReferenceContext, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && context.tokens[before]?.kind === "symbol") before -= 1;
  const numbered = tokenAt(context.tokens, before);
  const word = numbered?.word ?? "";
  // "Stock no. 77342".
  const isNumber = /^(no|nr|number)$/.test(word);
  if (isNumber && STOCK_WORDS.test(tokenAt(context.tokens, before - 1)?.word ?? "")) return true;
  return (
    isA(numbered, "numbered", "contact_number", "serial") ||
    (tokenAt(context.tokens, at - 1)?.word === ":" && isPart(numbered))
  );
}

const STOCK_WORDS = /^(stock|order|item|serial|invoice|lot|inventory|case|movement)$/;

/** Next to a currency or a unit even a known number is an amount, unless the currency starts the next amount. */
function isMoney(context: ReferenceContext, at: number): boolean {
  const before = tokenAt(context.tokens, at - 1);
  const after = context.tokens[at + 1];
  const next = context.tokens[at + 2];
  if (before !== undefined && isMoneyWord(before, true) && !endsAmount(context, at - 2))
    return true;
  if (after === undefined || !isMoneyWord(after, false)) return false;
  return !(next?.kind === "digits" || next?.word === "$");
}

/** "85k hkd 126231": the code before the number belongs to the amount before it. */
function endsAmount(context: ReferenceContext, at: number): boolean {
  const [before, last, code] = [
    tokenAt(context.tokens, at - 1),
    context.tokens[at],
    context.tokens[at + 1],
  ];
  if (code?.kind !== "letters" || last === undefined) return false;
  if (last.kind === "digits") return last.text.length > 2 && !YEAR_LIKE.test(last.text);
  return before?.kind === "digits" && /^(k|m|mil|mio|million)$/.test(last.word);
}

const MONEY_WORDS: ReadonlySet<string> = new Set([
  "hkd",
  "usd",
  "usdt",
  "eur",
  "euro",
  "euros",
  "gbp",
  "chf",
  "sgd",
  "aed",
  "ustd",
]);

function isMoneyWord(token: Token, isBefore: boolean): boolean {
  if (token.kind === "symbol")
    return (
      token.word === "$" ||
      token.word === "\u20AC" ||
      token.word === "\u00A3" ||
      (token.word === "%" && !isBefore)
    );
  if (MONEY_WORDS.has(token.word)) return true;
  return !isBefore && token.isGlued && /^(k|m|mil|hk|u|w|mm)$/.test(token.word);
}
