/** Corrects what `intents.ts` weighs where words decide: an explicit word of sale makes an offer. */
import type { LineReading } from "../lines/line-reading.ts";
import type { SideReading } from "../lines/sides.ts";
import type { ListingDraft } from "../listing/listing-draft.ts";
import type { MessageFacts } from "./intent-facts.ts";
import { type IntentChances, weighIntents } from "./intents.ts";
import { findSaleWord, findSaleWords } from "./sale-words.ts";

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
  const weighed = drafts.map((draft) => ({ draft, chances: weighIntents(draft, message) }));
  return weighed.map(({ draft, chances }) => {
    const word = findSaleWord(draft, message, words);
    if (word !== undefined && !isOfferedBelow(draft, chances, weighed))
      return { draft, chances: raiseOffer(chances), word };
    return { draft, chances, word: undefined };
  });
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
