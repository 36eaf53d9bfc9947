/**
 * Explicit words of sale: "[WTS]", "FS:", "vendo", "出售". They decide, where the facts of `intents.ts` are only weighed.
 *
 * Idea: few of the texts that the weights are fitted on have such a word, so it must never count against the offer. It holds
 * for a watch whose house is named, unless something speaks against it: a wish or a refusal anywhere in the text, a question
 * in its line, a part or what it fits before the watch, or a trade between it and the watch.
 *
 * Example: "[WTS] Tudor Ranger 79950" is an offer. "Anyone selling a Tudor Ranger?", "WTS strap for a Tudor Ranger" and
 * "Tudor Ranger, not for sale" are weighed.
 */
import type { Line } from "../lines/line.ts";
import { type LinePart, type LineReading, wholeLine } from "../lines/line-reading.ts";
import { findExplicitSale, isWish, type SideReading } from "../lines/sides.ts";
import type { ListingDraft } from "../listing/listing-draft.ts";
import { foldLetters, isSign, type Span, type Token, within } from "../text/token.ts";
import type { PhraseMatch } from "../words/lexicon.ts";
import { classSet, isA, isOneOf, isPart } from "../words/words.ts";
import type { MessageFacts } from "./intent-facts.ts";
import { startsListed } from "./listed-words.ts";

type Fields = ListingDraft["fields"];

/** The first word of sale of each line that has one. */
export type SaleWords = ReadonlyMap<Line, SideReading>;

const NO_WORDS: SaleWords = new Map();

/** Returns the words of sale that count. A wish or a refusal anywhere in the text leaves none. */
export function findSaleWords(readings: readonly LineReading[]): SaleWords {
  const found = new Map<Line, SideReading>();
  let opensText = true;
  for (const reading of readings) {
    const { line, isBlank } = reading;
    const phrase = findExplicitSale(line, opensText);
    opensText &&= isBlank;
    if (phrase !== undefined && !isQuestion(line)) found.set(line, toReading(reading, phrase));
  }
  return found.size === 0 || readings.some(speaksAgainst) ? NO_WORDS : found;
}

function toReading(reading: LineReading, phrase: PhraseMatch): SideReading {
  return { side: "for_sale", part: wholeLine(reading), phrase };
}

const QUESTIONS: ReadonlySet<string> = new Set(["asker", "seeking", "seeks"]);
const REFUSALS: ReadonlySet<string> = new Set(["refusal"]);

/** In the line of the word, weak words of a wish count anywhere: "FS: wanted, Rolex 14060M". */
export function isQuestion({ tokens, phrases }: Line): boolean {
  return (
    phrases.some(
      ({ meaning }) => meaning.kind === "side" && meaning.side === "want_to_buy" && meaning.isWeak,
    ) || tokens.some(({ word }, at) => word === "?" || startsListed(tokens, at, QUESTIONS))
  );
}

function speaksAgainst(reading: LineReading): boolean {
  const { tokens, phrases } = reading.line;
  return (
    phrases.some((phrase) => isWish(reading, phrase)) ||
    tokens.some((_, at) => startsListed(tokens, at, REFUSALS))
  );
}

/** Returns the word that says of this watch that it is for sale. */
export function findSaleWord(
  draft: ListingDraft,
  message: MessageFacts,
  words: SaleWords,
): SideReading | undefined {
  if (words.size === 0 || !namesHouse(draft)) return undefined;
  const { parts, shared, headers, ordinal } = draft.segment;
  const [own] = parts;
  // "Selling a 14060 €280. My SARB035 does the job": a line that offers with asks speaks of others without.
  if (ordinal > 0 && draft.fields.price === undefined && message.askCount > 0) return undefined;
  const name = own === undefined ? undefined : nameOf(draft, own);
  if (own === undefined || name === undefined) return undefined;
  if (isForPart(own, name) || isOfPart(own, name, draft.fields)) return undefined;
  for (const part of [...parts, ...shared, ...headers.map(wholeLine)]) {
    const word = words.get(part.reading.line);
    if (word !== undefined && isAbout(word, part, { own, name })) return word;
  }
  return undefined;
}

/** Digits of a known reference that are no other number. */
const CERTAIN_DIGITS = 5;

/** The house, a reference of the catalogue that cannot be another number, or one with letters whose shape tells the house. */
function namesHouse({ segment, fields, inherited }: ListingDraft): boolean {
  const { reference, parts } = segment;
  const { brand } = fields;
  const isCertain =
    reference?.isDigitsOnly === true
      ? reference.isKnown && reference.text.length >= CERTAIN_DIGITS
      : reference !== undefined && (reference.isKnown || brand !== undefined);
  if (isCertain) return true;
  return brand !== undefined && [...parts, ...inherited].some((part) => namesBrand(part, brand));
}

/** Longer text is judged by its beginning. The bound keeps the work linear. */
const TOKENS_MAX = 60;

function namesBrand({ reading, from, to }: LinePart, brand: string): boolean {
  const { phrases, tokens } = reading.line;
  const start = { from, to: Math.min(to, from + TOKENS_MAX) };
  return within(phrases, start).some(({ meaning, from: at }) => {
    if (meaning.kind === "brand") return meaning.brand === brand;
    // "Sinn 556" is a model that names its house.
    const first = tokens[at]?.word ?? "";
    return (
      meaning.kind === "model" && meaning.brand === brand && foldLetters(brand).startsWith(first)
    );
  });
}

/** Returns the name of the watch in its line: from its first word to the end of the names that follow each other. */
function nameOf({ segment: { reference } }: ListingDraft, own: LinePart): Span | undefined {
  const { line } = own.reading;
  const first =
    reference?.source === line.source
      ? reference
      : within(line.phrases, own).find(({ meaning }) => isName(meaning.kind));
  if (first === undefined) return undefined;
  let { to } = first;
  for (;;) {
    // "(Omega) Speedmaster".
    const at = isSign(line.tokens[to], ")]") ? to + 1 : to;
    const next = line.starts[at];
    if (!isName(next?.meaning.kind)) return { from: first.from, to };
    to = next?.to ?? to;
  }
}

function isName(kind: string | undefined): boolean {
  return kind === "brand" || kind === "model";
}

/** "WTS strap for 5167A": a part, or what it fits, is before the watch. */
function isForPart({ reading, from }: LinePart, name: Span): boolean {
  const { tokens, starts } = reading.line;
  for (let at = Math.max(from, name.from - TOKENS_MAX); at < name.from; at += 1) {
    const phrase = starts[at];
    const kind = phrase?.meaning.kind;
    // "For sale", "Tag Heuer", "Big Crown".
    if (phrase !== undefined && (kind === "side" || isName(kind))) at = phrase.to - 1;
    else if (isThing(tokens[at]) || isA(tokens[at], "for", "fit")) return true;
  }
  return false;
}

/** Words from a watch to its part, as in "HydroConquest OEM black rubber strap". */
const PART_GAP_MAX = 6;

/**
 * "Rolex 16610 bezel", "Breitling outer box", "Tudor Ranger steel bracelet 20mm": the part ends the name. A sign or a word such as "on" or "with"
 * before it, and "watch" behind it, make it a part of the watch that is offered.
 */
function isOfPart({ reading, to }: LinePart, name: Span, { fullSetStatus }: Fields): boolean {
  const { tokens, starts } = reading.line;
  const behind = tokens[name.to];
  // "A17350 Box & Papers" is sold with them.
  const isSet = isA(behind, "set_piece") && fullSetStatus !== undefined;
  if (isThing(behind) && !isSet) return true;
  const first = starts[name.from];
  const isHouse = first?.meaning.kind === "brand" && first.to === name.to;
  const end = Math.min(to, name.to + PART_GAP_MAX);
  for (let at = name.to; at < end; at += 1) {
    const token = tokens[at];
    if (isSign(token, "&'")) continue;
    if (token?.kind === "symbol" || isOneOf(token, JOINTS)) return false;
    const isPiece = isA(token, "set_piece") && (isHouse || fullSetStatus === undefined);
    if (isPiece || isA(token, "strap", "loose_part") || isBracelet(token))
      return !isA(tokens[at + 1], "watch");
  }
  return false;
}

/** "[WTS] Aquaracer steel bracelet (22mm)": below a word of sale, the part that ends the name of a watch is what is for sale. */
export function isPartForSale(draft: ListingDraft, words: SaleWords): boolean {
  if (words.size === 0) return false;
  const [own] = draft.segment.parts;
  if (own === undefined || !words.has(own.reading.line)) return false;
  const name = nameOf(draft, own);
  if (name === undefined || draft.segment.reference !== undefined) return false;
  if (draft.fields.fullSetStatus !== undefined) return false;
  const { tokens, claims } = own.reading.line;
  let last: Token | undefined;
  for (let at = name.to; at < Math.min(own.to, name.to + TOKENS_MAX); at += 1) {
    const token = tokens[at];
    if (isSign(token, "&'/")) continue;
    if (token?.kind === "symbol" || claims[at] === "date" || claims[at] === "amount") break;
    // "Timex Waterbury automatic … leather strap" is a watch on a strap.
    if (token === undefined || isOneOf(token, OF_WATCH)) return false;
    if (token.kind === "letters") last = token;
  }
  return isA(last, "strap", "set_piece") || last?.word === "bracelet" || last?.word === "bracelets";
}

/** Of no part: what only a watch has, and words that join a part to its watch. */
const OF_WATCH = classSet(
  "sentence",
  "with",
  "and",
  "for",
  "no",
  "or",
  "from",
  "missing",
  "watch",
  "watch_kind",
  "dial_word",
);

const JOINTS = classSet("sentence", "with", "and", "for", "no", "or", "from");

function isBracelet(token: Token | undefined): boolean {
  return isA(token, "part_of_watch") && !isA(token, "dial_word");
}

function isThing(token: Token | undefined): boolean {
  return isPart(token) || isA(token, "accessory", "gift");
}

/** The word is in the part of the line that is about the watch, or in a line of its own that is about no part. */
function isAbout(
  { part: { reading }, phrase }: SideReading,
  part: LinePart,
  watch: { readonly own: LinePart; readonly name: Span },
): boolean {
  const { tokens } = reading.line;
  if (phrase.from < part.from || phrase.to > part.to) return false;
  const { own, name } = watch;
  if (reading.line === own.reading.line) return !isBehindTrade(reading.line, phrase, name);
  const isBelow = reading.line.source.sourceLine > own.reading.line.source.sourceLine;
  return isBelow || !tokens.slice(0, TOKENS_MAX).some(isThing);
}

/** "[WTS] Hamilton Murph 38, open to trades, maybe a Seiko SPB143": behind a trade is what is wished for. */
function isBehindTrade({ tokens }: Line, word: Span, name: Span): boolean {
  const from = Math.max(word.to, name.from - TOKENS_MAX);
  return tokens.slice(from, Math.max(from, name.from)).some((token) => isA(token, "trade"));
}
