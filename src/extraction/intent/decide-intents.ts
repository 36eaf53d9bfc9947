/** Corrects what `intents.ts` weighs where words decide: an explicit word of sale makes an offer. */
import type { LineReading } from "../lines/line-reading.ts";
import type { SideReading } from "../lines/sides.ts";
import type { ListingDraft } from "../listing/listing-draft.ts";
import { foldLetters } from "../text/token.ts";
import { isA } from "../words/words.ts";
import type { MessageFacts } from "./intent-facts.ts";
import { type IntentChances, weighIntents } from "./intents.ts";
import { findSaleWord, findSaleWords, isQuestion } from "./sale-words.ts";

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
  const weighed = drafts.map((draft) => {
    const chances = weighIntents(draft, message);
    return { draft, chances: isTitle ? asOffer(chances) : chances };
  });
  return weighed.map(({ draft, chances }) => {
    const word = findSaleWord(draft, message, words);
    if (word !== undefined && !isOfferedBelow(draft, chances, weighed))
      return { draft, chances: raiseOffer(chances), word };
    return { draft, chances, word: undefined };
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
  const [house] = foldLetters(brand).split(" ");
  const tokens = readings.flatMap(({ line }) => (isQuestion(line) ? [] : line.tokens));
  return (
    tokens.some(({ word }) => word === house) &&
    tokens.filter(({ kind }) => kind === "letters").length >= TITLE_WORDS_MIN &&
    !tokens.some((token) => isA(token, "sentence", "speaker", "plea") || isA(token, "greeting"))
  );
}

/** "Rolex 126610LN" in a group may be either. */
const TITLE_WORDS_MIN = 3;

/** A title asks for nothing, so the chance of a request is that of an offer. */
function asOffer({ offer, request, talk, part }: IntentChances): IntentChances {
  return { offer: offer + request, request: 0, talk, part };
}

/** From here on a watch is offered. */
const LIKELY_MIN = 0.5;

/** "[WTS] Tudor Ranger 79950", then "Today I offer a Tudor Ranger 79950 …": the title is no second watch. */
function isOfferedBelow(
  draft: ListingDraft,
  { offer }: IntentChances,
  weighed: readonly { readonly draft: ListingDraft; readonly chances: IntentChances }[],
): boolean {
  if (offer >= LIKELY_MIN || weighed.length === 1) return false;
  return weighed.some(
    (other) => other.chances.offer >= LIKELY_MIN && isSameName(draft.fields, other.draft.fields),
  );
}

type Fields = ListingDraft["fields"];

function isSameName(title: Fields, below: Fields): boolean {
  const [reference, referenceBelow] = [title.referenceNormalized, below.referenceNormalized];
  if (reference !== undefined && referenceBelow !== undefined) return reference === referenceBelow;
  return title.brand === below.brand && title.model === below.model;
}

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
