/**
 * Divides a line into the watches that it names.
 *
 * Idea: references name watches, and so do a brand or a model with an ask of its own. The text between two names is cut where
 * the second watch starts: at a separator, else before the words that lead to its name. Which kinds of words lead shows
 * the text before the first name: where the first watch opens with its year, so do the others.
 *
 * Example: "2021 126610LN W/C $10,400 2023 124060 FS $9,900" opens with a year, so the cut is before 2023.
 */
import type { PlacedReference } from "../lines/line.ts";
import {
  hasPhrase,
  type LinePart,
  type LineReading,
  namesModel,
  wholeLine,
} from "../lines/line-reading.ts";
import { isForSaleAbbreviation } from "../lines/sides.ts";
import { isWatchWord } from "../lines/written-house.ts";
import { firstFrom, lastUntil, type Span, type Token, within } from "../text/token.ts";
import { isA } from "../words/words.ts";
import {
  findTrade,
  haveDifferentWords,
  isCheaperThan,
  isCompared,
  isOnlyCompared,
  isSameReference,
  isWished,
  type Trade,
  withoutCash,
} from "./differences.ts";
import { findStart, isSeparator, listLeads } from "./line-cuts.ts";
import { findModelWords } from "./model-words.ts";
import { listPieces } from "./pieces.ts";

/** A place in a line that offers or asks for one watch. */
export interface WatchMention {
  /** Undefined if the watch is named by its model only. */
  readonly reference: PlacedReference | undefined;
  readonly part: LinePart;
  /** Other parts of the line that describe this watch too, because they apply to several watches. */
  readonly shared: readonly LinePart[];
  /** Position among the watches of the line, from 0. */
  readonly ordinal: number;
}

/** What the whole message has. */
interface MessageFacts {
  /** No line names a watch of the catalogue, so a house alone names one. */
  readonly isWide: boolean;
  readonly hasReferences: boolean;
  /** The brands of the references. */
  readonly brands: ReadonlySet<string>;
  /** More than one line has a reference. */
  readonly hasSeveralReferences: boolean;
  /** An amount with a currency or a unit. */
  readonly hasAsk: boolean;
  /** A line of its own says that all watches are wanted, and none has an ask. */
  readonly isWishList: boolean;
}

/** One watch of a line: its reference, or the brand or model that names it. */
interface WatchName extends Span {
  readonly reference: PlacedReference | undefined;
  /** A code that no rule understands. Its text is of no watch, so its ask goes to none. */
  readonly isUnread?: boolean;
}

/**
 * Returns the watches that a line names: one for each reference, and one for each model with an ask of its own. If any
 * line of the message has a reference, a model name alone is not enough. `isBelowOffer` is true below a watch with an ask.
 */
export function findWatchMentions(
  line: LineReading,
  message: MessageFacts,
  isBelowOffer: boolean,
): WatchMention[] {
  if (message.hasSeveralReferences && isOnlyCompared(line.line)) return [];
  const trade = line.line.references.length === 0 ? undefined : findTrade(line.line);
  const references = distinctReferences(line, trade && { trade, isBelowOffer });
  if (references.length === 0) {
    if (line.line.references.length > 0 && !message.isWide) return [];
    if (!namesModel(line) && !namesUnknownModel(line, message)) return [];
    if (message.hasReferences && !isOffer(line, message) && !isOfWishList(line, message)) return [];
  }
  const reading = trade === undefined ? line : withoutCash(line);
  const names = listNames(reading, references);
  if (names.length > 1) return divideLine(reading, names);
  const reference = names[0]?.reference;
  const part = wholeLine(reading);
  return reading.prices.length < 2
    ? [{ reference, part, shared: [], ordinal: 0 }]
    : toMentions([{ reference, part, shared: [] }]);
}

/** Gives each name its part of the line, and what the line says about all of them. */
function divideLine(reading: LineReading, names: readonly WatchName[]): WatchMention[] {
  const [first] = names;
  if (first === undefined) return [];
  const leads = listLeads(reading, { from: first.from, to: names.at(-1)?.to ?? first.to });
  const starts = names.map((name, index) =>
    index === 0 ? 0 : findStart(reading, { from: names[index - 1]?.to ?? 0, to: name.from }, leads),
  );
  const parts = names.map((_, index) => ({
    reading,
    from: starts[index] ?? 0,
    to: starts[index + 1] ?? reading.line.tokens.length,
  }));
  const prefix = { reading, from: 0, to: first.from };
  const joinedTails = findJoinedTails(reading, names, parts);
  const closing = findClosingForAll(reading, names);
  return toMentions(
    names.flatMap(({ reference, isUnread }, index) => {
      if (isUnread === true) return [];
      const isBehindPrefix = index > 0 && first.isUnread !== true;
      const shared = [
        ...(joinedTails[index] ?? []),
        ...(isBehindPrefix ? [prefix] : []),
        ...closing,
      ];
      return [{ reference, part: parts[index] ?? prefix, shared }];
    }),
  );
}

/** Divides each watch into its pieces, and numbers them. */
function toMentions(watches: readonly Omit<WatchMention, "ordinal">[]): WatchMention[] {
  return watches
    .flatMap(({ reference, part, shared }) =>
      listPieces(part, reference).map((piece) => ({
        reference,
        part: piece.part,
        shared: [...piece.shared, ...shared],
      })),
    )
    .map((mention, ordinal) => ({ ...mention, ordinal }));
}

/**
 * Returns the references, and the brands and models beside them that name another watch: "5980/1R 1.71m FPJ Souverain
 * 410k". Such a name has an ask of its own, and is behind an ask or behind a separator.
 */
function listNames(
  reading: LineReading,
  references: readonly PlacedReference[],
): readonly WatchName[] {
  const names: WatchName[] = references.map((reference) => ({
    from: reference.from,
    to: reference.to,
    reference,
  }));
  if (reading.prices.length === 0 || reading.line.phrases.length === 0) return names;
  let last = references[0]?.from ?? 0;
  for (const { from, to, meaning } of reading.line.phrases) {
    if (meaning.kind !== "brand" && meaning.kind !== "model") continue;
    const ask = firstFrom(reading.prices, to);
    const next = firstFrom(references, to);
    const hasAsk = ask !== undefined && (next === undefined || ask.to <= next.from);
    if (next === references[0] && next !== undefined && names.length === references.length) {
      if (hasAsk && isOtherWatch(reading, { from, to: next.from }, [meaning.brand, next.brand]))
        names.push({ from, to, reference: undefined });
      continue;
    }
    if (from < last) continue;
    last = Math.max(last, lastUntil(references, from)?.from ?? 0);
    const above = lastUntil(references, from);
    const before = lastUntil(reading.prices, from);
    const isBehindAsk = before !== undefined && before.from >= last && before.strength !== "bare";
    const isApart =
      above !== undefined && above.brand !== meaning.brand && isSeparator(reading.line, from - 1);
    if (isBehindAsk || isApart ? !hasAsk : names.length > 0) continue;
    names.push({ from, to, reference: undefined });
    last = from;
  }
  return [...names, ...listUnread(reading, references)].sort((a, b) => a.from - b.from);
}

/** "Ulysse Nardin 263-67 €3.200; Tudor 79230B": before the first reference, another house with its ask. */
function isOtherWatch(
  reading: LineReading,
  span: Span,
  [brand, next]: readonly [string, string],
): boolean {
  if (brand === next) return false;
  const behindAsk = lastUntil(reading.prices, span.to)?.to ?? span.from;
  const hasSeparator = reading.line.tokens
    .slice(behindAsk, span.to)
    .some((_, index) => isSeparator(reading.line, behindAsk + index));
  return (
    hasSeparator ||
    within(reading.line.phrases, { from: behindAsk, to: span.to }).some(
      ({ meaning }) => meaning.kind === "brand" && meaning.brand === next,
    )
  );
}

/** "…; L2.673.4 USD 2,100": between separators, a code that opens the text and has an ask. */
function listUnread(
  { line, prices }: LineReading,
  references: readonly PlacedReference[],
): WatchName[] {
  const unread: WatchName[] = [];
  if (references.length === 0) return unread;
  const { tokens } = line;
  for (const { from: end } of prices) {
    let from = end;
    while (from > 0 && end - from < UNREAD_GAP_MAX && !isSeparator(line, from - 1)) from -= 1;
    const isWhole = from === 0 || isSeparator(line, from - 1);
    const isCode =
      tokens[from]?.kind === "letters" &&
      tokens[from + 1]?.kind === "digits" &&
      tokens[from + 1]?.isGlued === true &&
      line.claims[from + 1] === undefined;
    const isNamed = within(references, { from, to: end }).length > 0;
    if (isWhole && isCode && !isNamed && line.starts[from] === undefined)
      unread.push({ from, to: end, reference: undefined, isUnread: true });
  }
  return unread;
}

/** Tokens from a code to its ask. The bound keeps the work linear. */
const UNREAD_GAP_MAX = 12;

export function namesBrand(reading: LineReading): boolean {
  return hasPhrase(reading, "brand");
}

/** A brand with words behind it that no list knows, in a message with an ask. */
function namesUnknownModel(reading: LineReading, message: MessageFacts): boolean {
  if (message.isWide && namesBrand(reading) && (saysWatch(reading) || isPosted(reading)))
    return true;
  const isOffered = message.isWide || message.hasAsk || statesSide(reading);
  return isOffered && findModelWords([wholeLine(reading)]) !== undefined;
}

/** Houses in kana and hangul are written where watches are sold. */
const EASTERN = /^[\u3040-\u30FF\uAC00-\uD7AF]/;

function saysWatch({ line, prices }: LineReading): boolean {
  if (line.tokens.some((token, at) => isWatchWord(line.tokens, token, at))) return true;
  return (
    prices.length > 0 &&
    line.phrases.some(
      ({ meaning, from }) =>
        meaning.kind === "brand" && EASTERN.test(line.tokens[from]?.word ?? ""),
    )
  );
}

/** "[WTS] Orient Bambino 3": a word of sale, a house, and more. */
function isPosted(reading: LineReading): boolean {
  const { tokens, starts } = reading.line;
  if (!statesSide(reading)) return false;
  for (let at = 0; at < tokens.length; at += 1) {
    const phrase = starts[at];
    if (phrase !== undefined) at = phrase.to - 1;
    else if (tokens[at]?.kind !== "symbol") return true;
  }
  return false;
}

/** "WTS", "FS:", "wanted": the line offers or asks for a watch, even without an ask. */
function statesSide({ line }: LineReading): boolean {
  return line.phrases.some(
    (phrase) =>
      (phrase.meaning.kind === "side" && !phrase.meaning.isWeak) ||
      isForSaleAbbreviation(line, phrase),
  );
}

/**
 * Returns the references that name watches. "124060 / 124060-0001" names one watch twice, and so does a case number right
 * before the full reference. References that are compared or wished for in a trade are left out.
 */
function distinctReferences(
  reading: LineReading,
  deal: { readonly trade: Trade; readonly isBelowOffer: boolean } | undefined,
): PlacedReference[] {
  const kept: PlacedReference[] = [];
  const { line } = reading;
  for (const reference of line.references) {
    const last = kept.at(-1);
    if (deal !== undefined && isWished(reading, reference, { ...deal, offered: kept[0] })) continue;
    if (last === undefined) {
      // "Cheaper than 126610LN: 124060 €9.100".
      if (line.references.length === 1 || !isCheaperThan(line, reference)) kept.push(reference);
      continue;
    }
    const between = { from: last.to, to: reference.from };
    const hasPriceBetween = within(reading.prices, between).length > 0;
    if (!hasPriceBetween && isCompared(line, reference)) continue;
    const isLastCaseNumber =
      reference.from === last.to &&
      last.brand === reference.brand &&
      !last.isKnown &&
      last.isDigitsOnly;
    const isRepeated =
      !hasPriceBetween &&
      isSameReference(last, reference) &&
      !hasOtherDial(reading, last, reference);
    const isLonger = reference.text.length > last.text.length;
    if (isLastCaseNumber || (isRepeated && isLonger))
      kept.splice(-1, 1, { ...reference, from: last.from });
    else if (!isRepeated) kept.push(reference);
  }
  return kept;
}

/** Tokens from a reference to its dial. The bound keeps the work linear. */
const DIAL_GAP_MAX = 8;

/** "336935 blue or 336935 slate": the same reference with another dial is another watch. */
function hasOtherDial(reading: LineReading, first: Span, second: Span): boolean {
  if (second.from - first.to > DIAL_GAP_MAX) return false;
  const between = { reading, from: first.to, to: second.from };
  const behind = { reading, from: second.to, to: second.to + DIAL_GAP_MAX };
  return haveDifferentWords(between, behind, "dial");
}

/**
 * In a message with references, a line without one is a watch only if it has a brand, a model and an ask. "Sinn 556" is a
 * model, and below a Rolex it is another watch.
 */
function isOffer(reading: LineReading, { brands }: MessageFacts): boolean {
  if (!reading.prices.some((price) => price.strength !== "bare")) return false;
  return (
    namesBrand(reading) ||
    reading.line.phrases.some(
      ({ meaning }) => meaning.kind === "model" && !brands.has(meaning.brand),
    )
  );
}

/** "Need today:", "- 15202BC", "- ALS Datograph": a short line of a list of wishes names a watch by its model. */
function isOfWishList(reading: LineReading, { isWishList }: MessageFacts): boolean {
  if (!isWishList || !namesModel(reading)) return false;
  return reading.line.tokens.length <= WISH_TOKENS_MAX && !reading.line.tokens.some(isSentence);
}

/** A longer line tells something. */
const WISH_TOKENS_MAX = 9;

function isSentence(token: Token): boolean {
  return isA(token, "sentence", "speaker");
}

/** "116610LN and 114060 with papers": the text after the last of joined references applies to all of them. */
function findJoinedTails(
  reading: LineReading,
  names: readonly WatchName[],
  parts: readonly LinePart[],
): (readonly LinePart[])[] {
  const tails: (readonly LinePart[])[] = names.map(() => []);
  for (let index = names.length - 2; index >= 0; index -= 1) {
    const [before, after, next] = [names[index], names[index + 1], parts[index + 1]];
    if (before === undefined || after === undefined || next === undefined) continue;
    const between = reading.line.tokens.slice(before.to, after.from);
    const isJoined = between.every((token) => token.kind === "symbol" || isA(token, "and", "or"));
    if (!isJoined) continue;
    const last = tails[index + 1] ?? [];
    tails[index] = last.length > 0 ? last : [next];
  }
  return tails;
}

/** "124060 96k, 126610LN 107k, all N2/26": the text from "all" on applies to every watch of the line. */
function findClosingForAll(reading: LineReading, names: readonly WatchName[]): readonly LinePart[] {
  const last = names.at(-1);
  if (last === undefined || names.length === 1) return [];
  const { tokens } = reading.line;
  const from = tokens.findIndex((token, at) => at >= last.to && isA(token, "all"));
  return from === -1 ? [] : [{ reading, from, to: tokens.length }];
}
