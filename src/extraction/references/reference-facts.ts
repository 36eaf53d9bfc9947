import type { BrandShape } from "../catalogue/catalogue.ts";
import { tokenAt, YEAR_LIKE } from "../text/token.ts";
import { type NumberFact, scoreOf } from "../weights/weights.ts";
import { classSet, isA, isOneOf, isPart } from "../words/words.ts";
import {
  isBesideMoney,
  isMoneySign,
  isUnit,
  type ReferenceContext,
  type ReferenceMatch,
  wordBefore,
} from "./reference-context.ts";

/** A match of a shape of a brand at a token. */
interface ShapeMatch {
  readonly match: ReferenceMatch;
  readonly at: number;
  readonly brandShape: BrandShape;
  /** The reference before it on the line. */
  readonly previous: ReferenceMatch | undefined;
}

/** "2021/22" and "2019-2021" are years too, and "1970s" is a decade. */
const YEARS = /^(?:19\d\d|20[0-4]\d|(?:19|20)\d\d[/-](?:19|20)?\d\d|(?:19|20)\d0s)$/i;

/** "Rm 1207, 12/F". */
const ROOM = /^rm ?\d{4}$/i;

/** Scores a match. Below zero it is a price, a year or the number of something else. */
export function scoreReference(context: ReferenceContext, candidate: ShapeMatch): number {
  const { match, at, brandShape, previous } = candidate;
  const hasBrand = context.brands.has(brandShape.brand);
  const isOpen = brandShape.trust === "context";
  // Most amounts have the shape of a reference, and end here.
  if (isOpen && !match.isKnown && !(hasBrand && previous === undefined)) return NO_REFERENCE;
  if (isOtherNumber(context, candidate)) return NO_REFERENCE;
  if (isOpen ? isOpenAmount(context, candidate) : !match.isKnown && isRoundDigits(match))
    return NO_REFERENCE;
  // "Hamilton Murph H70605731": the house that the line names first beats the shape of another one.
  if (!match.isKnown && !hasBrand && context.facts.firstBrandEnd <= at) return NO_REFERENCE;
  const facts: NumberFact<"reference">[] = [isOpen ? "shape_of_numbers" : "shape_of_brand"];
  if (match.isKnown) facts.push("known_reference");
  if (hasBrand) facts.push("brand_named");
  return scoreOf("reference", facts);
}

const NO_REFERENCE = -1;

function isRoundDigits({ isDigitsOnly, text }: ReferenceMatch): boolean {
  return isDigitsOnly && text.endsWith("00");
}

/** Returns true if something says that the number is an amount, a year, or the number of something else. */
function isOtherNumber(context: ReferenceContext, candidate: ShapeMatch): boolean {
  const { match, at, brandShape } = candidate;
  const isBare = match.isDigitsOnly;
  // "\u20AC66000 or 599,000 HKD": digits with a word after a space are a reference only if the catalogue knows them.
  const hasWordBehind = match.text.includes(" ") && /^\d/.test(match.text);
  const isAmount =
    (isBare || hasWordBehind) && isBesideMoney(context, at) && !isCodeBehind(context, candidate);
  return (
    isAmount ||
    (hasWordBehind && !match.isKnown) ||
    isPartOfCode(context, match, at) ||
    ((isBare || !match.isKnown) && isNumberOfSomething(context, at)) ||
    (!(match.isKnown && brandShape.trust === "shape") && isNumberOfPart(context, at)) ||
    YEARS.test(match.text) ||
    (!match.isKnown && ROOM.test(match.text)) ||
    isWordBeforeYear(context, match.text) ||
    (isBare && isPartOfPhoneNumber(context, match, at))
  );
}

/** "set2021" is a known word that is glued to a year. */
function isWordBeforeYear({ catalogue }: ReferenceContext, text: string): boolean {
  const word = /^([a-z]{2,16})(?:19|20)\d\d$/i.exec(text)?.[1]?.toLowerCase();
  return word !== undefined && catalogue.lexicon.vocabulary.has(word);
}

/** Of shapes that prices and years have too: returns true if the number is rather an amount, or lost in other text. */
function isOpenAmount(context: ReferenceContext, candidate: ShapeMatch): boolean {
  const { match, brandShape, previous } = candidate;
  const isRound = /^\d*(?:00|50)(?!\d)/.test(match.text);
  // A round number next to a brand is more likely a price. Below "5117J", a line with only "16000" is the ask, even if
  // the catalogue knows 16000.
  // "Rolex Sea-Dweller", and below it "16600": the number of the model that the line above names.
  const isTitled = match.model !== undefined && context.modelsAbove.has(match.model);
  const isAskBelow = context.isBelowReference && hasNoWords(context) && !isTitled;
  if (isRound && (!match.isKnown || isAskBelow)) return true;
  if (!match.isDigitsOnly || context.brands.has(brandShape.brand)) return false;
  // "Seiko Tank 5933": a number of another brand than the one that the line names.
  if (context.facts.namesBrand && !isBesideMaker(context, candidate)) return true;
  if (isLostInWords(context) && !isAnyOf(context, candidate)) return true;
  return previous !== undefined && !startsNextWatch(context, candidate, previous);
}

function hasNoWords({ tokens }: ReferenceContext): boolean {
  return tokens.every((token) => token.kind !== "letters");
}

/** "16520 Zenith white", "any clean 16520 Zenith": a number opens the line, or comes before the maker of its movement. */
function isBesideMaker({ tokens }: ReferenceContext, { at }: ShapeMatch): boolean {
  if (tokens[at + 1]?.word === "zenith") return true;
  return tokens.slice(0, at).every((token) => token.kind === "symbol");
}

/** From this number of unknown words on, a line is about something else. */
const UNKNOWN_MIN = 3;

/** "Leaving Sunday AA 1016": without a brand, four or five digits among unknown words are no reference. */
function isLostInWords({ facts }: ReferenceContext): boolean {
  return !facts.hasWatchWords && facts.unknownWordCount >= UNKNOWN_MIN;
}

/** "Any 69178 around?": a known number behind an indefinite article, in whatever sentence. */
function isAnyOf({ tokens }: ReferenceContext, { match, at }: ShapeMatch): boolean {
  return match.text.length >= 5 && isA(tokenAt(tokens, at - 1), "a");
}

/**
 * "16800 naked $8,900 / 16750 naked $11,400": a separator before a number of the same brand as the one before. In
 * "16700 from 1997, $9,900. And a 14060 from 1999, $6,400" it is an article, and an amount follows.
 */
function startsNextWatch(
  context: ReferenceContext,
  { match, at }: ShapeMatch,
  previous: ReferenceMatch,
): boolean {
  const before = tokenAt(context.tokens, at - 1);
  // "16610 16613 116613", "114270 or 14270": right behind a reference, a known number that is no round amount.
  const last = isA(before, "or") ? tokenAt(context.tokens, at - 2) : before;
  if (last?.end === previous.end) return !/(00|50)$/.test(match.text);
  if (before?.kind === "symbol") return previous.brand === match.brand;
  return isA(before, "and", "a", "my") && hasAskBehind(context, at + 1);
}

/** Tokens from a watch to its ask in a sentence. The bound keeps the work linear. */
const ASK_GAP_MAX = 40;

/** Returns true if a currency or a unit of money follows. */
function hasAskBehind(context: ReferenceContext, from: number): boolean {
  for (let at = from; at < Math.min(from + ASK_GAP_MAX, context.tokens.length); at += 1)
    if (isMoneySign(context, at) || isUnit(context, at)) return true;
  return false;
}

/** "Invoice 126334", "room 1680", "acct 012-5711-1001": a number of something else in a line without a brand. */
function isPartOfCode(context: ReferenceContext, match: ReferenceMatch, at: number): boolean {
  const { tokens, facts } = context;
  const [before, joint] = [tokenAt(tokens, at - 2), tokenAt(tokens, at - 1)];
  // "1-126334" is the number of a line.
  const isJoined = joint?.word === "-" && tokens[at]?.isGlued === true;
  if (isJoined && before?.kind === "digits" && before.text.length > 2) return true;
  if (facts.namesBrand || !facts.hasOtherNumberWords || !/^[\d/ -]+$/.test(match.text))
    return false;
  const nearest = tokens.slice(Math.max(0, at - OTHER_NUMBER_GAP_MAX), at);
  return !facts.hasWatchWords || nearest.some((token) => isA(token, "place", "serial"));
}

/** Tokens between the word and its number, as in "confirmation no. 79030". */
const OTHER_NUMBER_GAP_MAX = 3;

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
  return isStrayGroup(context, at - 1) || isStrayGroup(context, at + 1);
}

const PHONE_GROUPS_MAX = 4;

function isStrayGroup(context: ReferenceContext, at: number): boolean {
  const token = tokenAt(context.tokens, at);
  return (
    token?.kind === "digits" &&
    token.text.length === 4 &&
    !YEAR_LIKE.test(token.text) &&
    !context.catalogue.known.has(token.text) &&
    !isMoneySign(context, at - 1) &&
    !isMoneySign(context, at + 1) &&
    !isUnit(context, at + 1)
  );
}

/** "126622HKD" at the end of a line: an ask is a round number, so this is the reference and its currency. */
function isCodeBehind({ tokens }: ReferenceContext, { match, at }: ShapeMatch): boolean {
  const isOdd = match.isKnown && match.text.length === 6 && !match.text.endsWith("00");
  return isOdd && tokens[at + 1]?.kind === "letters" && tokens[at + 2] === undefined;
}

const STOCK = classSet("own", "errand", "numbered", "serial", "place");

/** "SKU: 15500", "calibre 3135", "stock no. 77342", "our ref: 4410": the number of something else. */
function isNumberOfSomething({ tokens }: ReferenceContext, at: number): boolean {
  const before = wordBefore(tokens, at);
  const [owner, numbered] = [tokenAt(tokens, before - 1), tokenAt(tokens, before)];
  if (isA(numbered, "number_sign") && isOneOf(owner, STOCK)) return true;
  if (isA(numbered, "reference") && isA(owner, "own")) return true;
  return isA(numbered, "numbered", "contact_number", "serial");
}

/** "Bracelet: 93150A". */
function isNumberOfPart({ tokens }: ReferenceContext, at: number): boolean {
  return tokenAt(tokens, at - 1)?.word === ":" && isPart(tokenAt(tokens, at - 2));
}
