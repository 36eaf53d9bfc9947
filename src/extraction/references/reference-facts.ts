import type { BrandShape } from "../catalogue/catalogue.ts";
import { isSign, type Token, tokenAt, YEAR_LIKE } from "../text/token.ts";
import { type NumberFact, scoreOf } from "../weights/weights.ts";
import { classSet, isA, isOneOf, isPart } from "../words/words.ts";
import { isBesideMoney, isMoneySign, isUnit } from "./money-beside.ts";
import type { ReferenceContext, ReferenceMatch } from "./reference-context.ts";

/** A match of a shape of a brand at a token. */
interface ShapeMatch {
  readonly match: ReferenceMatch;
  readonly at: number;
  readonly brandShape: BrandShape;
  /** The reference before it on the line. */
  readonly previous: ReferenceMatch | undefined;
}

type Fact = NumberFact<"reference">;

/** "2021/22" and "2019-2021" are years too, and "1970s" is a decade. */
const YEARS = /^(?:19\d\d|20[0-4]\d|(?:19|20)\d\d[/-](?:19|20)?\d\d|(?:19|20)\d0s)$/i;

/** Scores a match. Below zero it is a price, a year or the number of something else. */
export function scoreReference(context: ReferenceContext, candidate: ShapeMatch): number {
  const { match, brandShape, previous } = candidate;
  const hasBrand = context.brands.has(brandShape.brand);
  const isOpen = brandShape.trust === "context";
  // Most amounts have the shape of a reference, and end here.
  if (isOpen && !match.isKnown && !(hasBrand && previous === undefined)) return -1;
  const facts: Fact[] = [isOpen ? "shape_of_numbers" : "shape_of_brand"];
  if (match.isKnown) facts.push("known_reference");
  if (hasBrand) facts.push("brand_named");
  const other = otherNumber(context, candidate);
  if (other !== undefined) facts.push(other);
  if (isOpen) addOpenFacts(context, candidate, facts);
  else {
    if (match.isDigitsOnly && !match.isKnown && match.text.endsWith("00")) facts.push("round");
    // "Hamilton Murph H70605731": the house that the line names first beats the shape of another one.
    if (!match.isKnown && !hasBrand && context.facts.firstBrandEnd <= candidate.at)
      facts.push("other_house_named");
  }
  return scoreOf("reference", facts);
}

/** What else the number is, if something says so. */
function otherNumber(context: ReferenceContext, candidate: ShapeMatch): Fact | undefined {
  const { match, at, brandShape } = candidate;
  if (isOtherNumber(context, match, at)) return "part_of_code";
  const isBare = match.isDigitsOnly;
  // "\u20AC66000 or 599,000 HKD": digits with a word after a space are a reference only if the catalogue knows them.
  const hasWordBehind = match.text.includes(" ") && /^\d/.test(match.text);
  if ((isBare || hasWordBehind) && isBesideMoney(context, at) && !isCodeBehind(context, candidate))
    return "currency_beside";
  if (hasWordBehind && !match.isKnown) return "words_behind";
  if ((isBare || !match.isKnown) && isNumberOfSomething(context, at)) return "behind_stock_word";
  if (!(match.isKnown && brandShape.trust === "shape") && isNumberOfPart(context, at))
    return "behind_part";
  if (YEARS.test(match.text) || isWordBeforeYear(context, match.text)) return "like_year";
  if (isBare && isPartOfPhoneNumber(context, match, at)) return "phone_group";
  if (context.brands.size === 0 && TIMES.test(match.text)) return "like_time";
  // "Rm 1207, 12/F" is a room.
  const isRoom = !match.isKnown && /^rm ?\d{4}$/i.test(match.text);
  return isRoom && brandShape.brand === "Richard Mille" ? "like_room" : undefined;
}

/** Adds what counts for shapes that prices and years have too. */
function addOpenFacts(context: ReferenceContext, candidate: ShapeMatch, facts: Fact[]): void {
  const { match, at, brandShape, previous } = candidate;
  const { isKnown, isDigitsOnly } = match;
  const hasBrand = context.brands.has(brandShape.brand);
  const digits = /^\d+/.exec(match.text)?.[0] ?? "";
  const isRound = /(00|50)$/.test(digits);
  if (isDigitsOnly && isRound && context.isBelowReference && hasNoWords(context))
    // Below "5117J", a line with only "16000" is the ask, even if the catalogue knows 16000.
    facts.push("alone_below_reference");
  // "Seiko Tank 5933": a number of another brand than the one that the line names.
  const isOfOtherBrand = isDigitsOnly && !hasBrand && context.facts.namesBrand;
  if (isOfOtherBrand && !isBesideMaker(context, match, at)) facts.push("other_brand_named");
  if (isDigitsOnly && !hasBrand && isLostInWords(context) && !isAnyOf(context, match, at))
    facts.push("lost_in_words");
  if (isKnown) {
    if (previous !== undefined && isDigitsOnly && !hasBrand && !startsNextWatch(context, candidate))
      facts.push("behind_reference");
    return;
  }
  // A round number next to a brand is more likely a price.
  if (isRound) facts.push("round");
  const digitCount = match.text.replace(/\D/g, "").length;
  if (digitCount < 4 && !digits.startsWith("0")) facts.push("few_digits");
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
  return isA(tokenAt(context.tokens, at - 1), "a");
}

/**
 * "16800 naked $8,900 / 16750 naked $11,400": a separator before a number of the same brand as the one before. In
 * "16700 from 1997, $9,900. And a 14060 from 1999, $6,400" it is an article, and each of the two has an amount.
 */
function startsNextWatch(context: ReferenceContext, candidate: ShapeMatch): boolean {
  const { match, at, previous } = candidate;
  const before = tokenAt(context.tokens, at - 1);
  if (previous === undefined || before === undefined) return false;
  // "16610 16613 116613", "114270 or 14270": right behind a reference of its brand, a known number that is no round amount.
  const last = isA(before, "or") ? tokenAt(context.tokens, at - 2) : before;
  if (last?.end === previous.end && previous.brand === match.brand)
    return !/(00|50)$/.test(match.text);
  if (before.kind === "symbol")
    return previous.brand === match.brand && isSign(before, "/|;,\u2022+&");
  // "And 16600" could be an amount. "And a 16600" is not.
  const isJoined = isA(before, "and") && !match.text.endsWith("00");
  if (!isJoined && !isA(before, "a", "my")) return false;
  let start = at;
  while (
    start > 0 &&
    start > at - ASK_GAP_MAX &&
    (tokenAt(context.tokens, start - 1)?.start ?? 0) >= previous.end
  )
    start -= 1;
  return hasAsk(context, start, at) && hasAsk(context, at + 1, at + ASK_GAP_MAX);
}

/** Returns true if a token from `from` on and before `to` is a currency or a unit of money. */
function hasAsk(context: ReferenceContext, from: number, to: number): boolean {
  for (let at = from; at < Math.min(to, context.tokens.length); at += 1)
    if (isMoneySign(context, at) || isUnit(context, at)) return true;
  return false;
}

/** Tokens from a watch to its ask in a sentence. The bound keeps the work linear. */
const ASK_GAP_MAX = 40;

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
  const { namesBrand, hasOtherNumberWords } = context.facts;
  const isBetween =
    isJoined && next?.word === "-" && next.isGlued && tokens[at + 2]?.kind === "digits";
  if (namesBrand || !(isBetween || hasOtherNumberWords)) return false;
  if (!/^[\d/ -]+$/.test(match.text)) return false;
  if (isBetween) return true;
  // "1680 Michigan Ave".
  if (tokens.slice(at + 1, at + 4).some((token) => isA(token, "street"))) return true;
  const nearest = tokens.slice(Math.max(0, at - OTHER_NUMBER_GAP_MAX), at);
  return !context.facts.hasWatchWords || nearest.some((token) => isA(token, "place", "serial"));
}

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
  return isA(tokenAt(context.tokens, before - 1), "own");
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
  if (isGroup(tokens, at - 1) && isGroup(tokens, at - 2)) return true;
  let last = at;
  while ((tokens[last]?.end ?? match.end) < match.end) last += 1;
  return isStrayGroup(context, at - 1) || isStrayGroup(context, last + 1);
}

const PHONE_GROUPS_MAX = 4;

/** Three or four digits between spaces that are no year. In "9.450 2019 16610" there is none. */
function isGroup(tokens: readonly Token[], at: number): boolean {
  const token = tokenAt(tokens, at);
  if (token?.kind !== "digits" || token.text.length < 3 || token.text.length > 4) return false;
  return !YEAR_LIKE.test(token.text) && !(token.isGlued && tokens[at - 1]?.kind === "symbol");
}

function isStrayGroup(context: ReferenceContext, at: number): boolean {
  const token = tokenAt(context.tokens, at);
  if (token?.kind !== "digits" || token.text.length !== 4) return false;
  if (YEAR_LIKE.test(token.text) || context.catalogue.known.has(token.text)) return false;
  const next = context.tokens[at + 1];
  const isJoined = next?.isGlued === true && (next.kind !== "symbol" || isSign(next, "/-"));
  return (
    !isJoined &&
    !isMoneySign(context, at - 1) &&
    !isMoneySign(context, at + 1) &&
    !isUnit(context, at + 1)
  );
}

function hasNoWords(context: ReferenceContext): boolean {
  return context.tokens.every((token) => token.kind !== "letters");
}

/** "126622HKD" at the end of a line: an ask is a round number, so this is the reference and its currency. */
function isCodeBehind(context: ReferenceContext, candidate: ShapeMatch): boolean {
  const { match, at, previous } = candidate;
  const { tokens } = context;
  if (!match.isKnown || match.text.length !== 6 || match.text.endsWith("00")) return false;
  if (previous !== undefined || context.isBelowReference || tokens[at + 2] !== undefined)
    return false;
  return tokens[at + 1]?.kind === "letters" && !isMoneySign(context, at - 1);
}

const STOCK = classSet("own", "errand", "numbered", "serial", "place");

/** "SKU: 15500", "calibre 3135", "bracelet: 93150A": the number of something else. */
function isNumberOfSomething(context: ReferenceContext, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && context.tokens[before]?.kind === "symbol") before -= 1;
  const numbered = tokenAt(context.tokens, before);
  // "Stock no. 77342".
  const stock = isA(numbered, "number_sign") ? tokenAt(context.tokens, before - 1) : undefined;
  if (isOneOf(stock, STOCK)) return true;
  return isA(numbered, "numbered", "contact_number", "serial");
}

/** "Bracelet: 93150A". */
function isNumberOfPart({ tokens }: ReferenceContext, at: number): boolean {
  return tokenAt(tokens, at - 1)?.word === ":" && isPart(tokenAt(tokens, at - 2));
}
