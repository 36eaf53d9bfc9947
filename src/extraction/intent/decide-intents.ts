/** Corrects what `intents.ts` weighs where words decide: an explicit word of sale makes an offer. */
import type { LineReading } from "../lines/line-reading.ts";
import { isExplicitWish, type SideReading } from "../lines/sides.ts";
import type { ListingDraft } from "../listing/listing-draft.ts";
import { segmentSide } from "../listing/side.ts";
import { foldLetters } from "../text/token.ts";
import { isA } from "../words/words.ts";
import type { MessageFacts } from "./intent-facts.ts";
import { type IntentChances, weighIntents, weighWords } from "./intents.ts";
import {
  findSaleWord,
  findSaleWords,
  isPartForSale,
  isQuestion,
  type SaleWords,
} from "./sale-words.ts";

/** The chances of a watch, and the word of sale that decided them. */
interface DecidedIntent {
  readonly draft: ListingDraft;
  readonly chances: IntentChances;
  readonly word: SideReading | undefined;
}

/** Returns the watches of a message in their order. */
export function decideIntents(
  drafts: readonly ListingDraft[],
  message: MessageFacts,
  readings: readonly LineReading[],
): readonly DecidedIntent[] {
  const words = findSaleWords(readings);
  const isTitle = isBareTitle(drafts, message, readings);
  const sums = drafts.length === 0 ? [] : weighWords(readings);
  const weighed = drafts.map((draft) => {
    const chances = weighIntents(draft, message, sums);
    return { draft, chances: isTitle ? asOffer(chances) : chances };
  });
  return weighed.map(({ draft, chances }, at) => {
    if (isPartForSale(draft, words)) return { draft, chances: PART, word: undefined };
    const word = findSaleWord(draft, message, words);
    if (word !== undefined) {
      if (isTitleOf(draft, weighed.slice(at + 1)))
        return { draft, chances: TITLE, word: undefined };
      return { draft, chances: raiseOffer(chances), word };
    }
    if (staysBehind(draft, message, words)) return { draft, chances: TITLE, word: undefined };
    return { draft, chances: isWanted(draft) ? asRequest(chances) : chances, word: undefined };
  });
}

/**
 * "Seiko Presage Sharp Edged SPB309J1 Open Heart Automatic Men's Watch": one line that names a house and a watch of it, and nothing else.
 * Most texts that the weights are fitted on and that lack an ask are requests, and they have a word of a wish.
 */
function isBareTitle(
  drafts: readonly ListingDraft[],
  { lineCount, watchCount }: MessageFacts,
  readings: readonly LineReading[],
): boolean {
  const [draft] = drafts;
  if (draft === undefined || watchCount !== 1 || lineCount !== 1) return false;
  const isAsked = draft.evidence.some(
    ({ field, source }) => field === "side" && source !== "default",
  );
  const { brand } = draft.fields;
  if (isAsked || brand === undefined) return false;
  const line = readings.find(({ isBlank }) => !isBlank)?.line;
  if (line === undefined || isQuestion(line)) return false;
  let letters = 0;
  for (const token of line.tokens) {
    if (token.kind === "letters") letters += 1;
    if (isA(token, "sentence", "speaker", "plea") || isA(token, "greeting")) return false;
  }
  if (letters < TITLE_WORDS_MIN) return false;
  const [house] = foldLetters(brand).split(" ");
  return line.tokens.some(({ word }) => word === house);
}

/** "Rolex 126610LN" in a group may be either. */
const TITLE_WORDS_MIN = 3;

/** A title asks for nothing, so the chance of a request is that of an offer. */
function asOffer({ offer, request, talk, part }: IntentChances): IntentChances {
  return { offer: offer + request, request: 0, talk, part };
}

/** "[WTS] Omega 2531.80 €2,400. Rolex 16570 stays with me": behind what is for sale, a sentence about another watch. */
function staysBehind(
  { segment: { parts, ordinal }, fields }: ListingDraft,
  { askCount }: MessageFacts,
  words: SaleWords,
): boolean {
  const [own] = parts;
  if (own === undefined || ordinal === 0 || fields.price !== undefined || askCount === 0)
    return false;
  const { line } = own.reading;
  return (
    words.has(line) &&
    line.tokens
      .slice(own.from, Math.min(own.to, own.from + TOKENS_MAX))
      .some((token) => isA(token, "speaker", "mine", "my"))
  );
}

/** Longer text is judged by its beginning. */
const TOKENS_MAX = 60;

/** "WTB 126610LN 2024 full set €9,000" has all that an offer has, and is none. */
function isWanted({ segment, fields }: ListingDraft): boolean {
  if (fields.side !== "want_to_buy") return false;
  const found = segmentSide(segment);
  return found !== undefined && isExplicitWish(found.reading);
}

/** Of what is offered or wanted, so much is wanted if a word says so by itself. */
const WANTED_SHARE = 0.95;

function asRequest(chances: IntentChances): IntentChances {
  const { offer, request, talk, part } = chances;
  const wanted = Math.max(request, WANTED_SHARE * (offer + request));
  return { offer: offer + request - wanted, request: wanted, talk, part };
}

/** From here on a watch is offered. */
const LIKELY_MIN = 0.5;

/** "[WTS] Tudor Ranger 79950, €2,000", then "Today I offer a Tudor Ranger 79950 …": the title is no second watch. */
function isTitleOf(
  { fields: title, doubts }: ListingDraft,
  below: readonly { readonly draft: ListingDraft; readonly chances: IntentChances }[],
): boolean {
  return below.some(
    ({ draft: { fields }, chances }) =>
      chances.offer >= LIKELY_MIN &&
      isSameName(title, fields) &&
      (title.price === undefined ||
        doubts.includes("price_bare") ||
        title.price.amountMinor === fields.price?.amountMinor),
  );
}

type Fields = ListingDraft["fields"];

function isSameName(title: Fields, below: Fields): boolean {
  const [reference, referenceBelow] = [title.referenceNormalized, below.referenceNormalized];
  if (reference !== undefined && referenceBelow !== undefined) return reference === referenceBelow;
  return title.brand === below.brand && title.model === below.model;
}

/** What only names the watch below it offers nothing by itself. */
const TITLE: IntentChances = { offer: 0, request: 0, talk: 1, part: 0 };

const PART: IntentChances = { offer: 0.1, request: 0, talk: 0.1, part: 0.8 };

/** A lower chance would leave an explicit word one fact among others. */
const EXPLICIT_MIN = 0.9;

function raiseOffer(chances: IntentChances): IntentChances {
  const { offer, request, talk, part } = chances;
  if (offer >= EXPLICIT_MIN) return chances;
  const share = (1 - EXPLICIT_MIN) / (1 - offer);
  return {
    offer: EXPLICIT_MIN,
    request: request * share,
    talk: talk * share,
    part: part * share,
  };
}
