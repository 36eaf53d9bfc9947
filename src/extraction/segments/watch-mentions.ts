import type { PlacedReference } from "../lines/line.ts";
import {
  hasPhrase,
  type LinePart,
  type LineReading,
  namesModel,
  wholeLine,
} from "../lines/line-reading.ts";
import { isCheaperThan, isCompared, isOnlyCompared } from "../lines/talk.ts";
import type { Meaning } from "../text/meaning.ts";
import { firstFrom, lastUntil, type Span, within } from "../text/token.ts";
import { isA } from "../words/words.ts";
import { haveDifferentWords, isSameReference } from "./differences.ts";
import { findModelWords } from "./model-words.ts";

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
  readonly hasReferences: boolean;
  /** The brands of the references. */
  readonly brands: () => ReadonlySet<string>;
  /** More than one line has a reference. */
  readonly hasSeveralReferences: boolean;
  /** An amount with a currency or a unit. */
  readonly hasAsk: boolean;
}

/** One watch of a line: its reference, or the brand or model that names it. */
interface WatchName extends Span {
  readonly reference: PlacedReference | undefined;
}

/**
 * Returns the watches that a line names: one for each reference, and one for each model with an ask of its own. If any
 * line of the message has a reference, a model name alone is not enough.
 */
export function findWatchMentions(reading: LineReading, message: MessageFacts): WatchMention[] {
  if (message.hasSeveralReferences && isOnlyCompared(reading.line)) return [];
  const references = distinctReferences(reading);
  const names = listNames(reading, references);
  if (references.length === 0) {
    if (!namesModel(reading) && !namesUnknownModel(reading, message)) return [];
    if (message.hasReferences && !isOffer(reading, message)) return [];
  }
  if (names.length < 2)
    return [{ reference: names[0]?.reference, part: wholeLine(reading), shared: [], ordinal: 0 }];
  const leads = hasLeadingCondition(reading, names[0]);
  const starts = names.map((name, index) =>
    index === 0 ? 0 : findStart(reading, names[index - 1] ?? name, { name, leads }),
  );
  const parts = names.map((_, index) => ({
    reading,
    from: starts[index] ?? 0,
    to: starts[index + 1] ?? reading.line.tokens.length,
  }));
  const prefix = { reading, from: 0, to: names[0]?.from ?? 0 };
  const joinedTails = findJoinedTails(reading, names, parts);
  const closing = findClosingForAll(reading, names);
  return names.map(({ reference }, index) => ({
    reference,
    part: parts[index] ?? prefix,
    shared: [
      ...(joinedTails[index] ?? []),
      ...(index > 0 ? [prefix] : []),
      ...(index > 0 && reference === names[0]?.reference ? parts.slice(0, 1) : []),
      ...closing,
    ],
    ordinal: index,
  }));
}

/**
 * Returns the references, and between them the brands and models that start another watch: "5980/1R 1.71m FPJ Souverain
 * 410k". Such a name is behind an ask, and the next ask comes before the next reference. A dial in the same place starts
 * another piece of the only reference: "126233 champ N2 95k / slate N1 92k".
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
  if (reading.prices.length < 2) return names;
  let last = references[0]?.from ?? 0;
  for (const { from, to, meaning } of reading.line.phrases) {
    const isPiece = meaning.kind === "dial" && references.length === 1;
    if ((meaning.kind !== "brand" && meaning.kind !== "model" && !isPiece) || from < last) continue;
    last = Math.max(last, lastUntil(references, from)?.from ?? 0);
    const before = lastUntil(reading.prices, from);
    const isBehindAsk = before !== undefined && before.from >= last && before.strength !== "bare";
    const ask = firstFrom(reading.prices, to);
    const next = firstFrom(references, to);
    const hasAsk = ask !== undefined && (next === undefined || ask.to <= next.from);
    if (isBehindAsk ? !hasAsk : names.length > 0) continue;
    if (isPiece && names.length === 0) continue;
    names.push({ from, to, reference: isPiece ? references[0] : undefined });
    last = from;
  }
  return names.sort((a, b) => a.from - b.from);
}

export function namesBrand(reading: LineReading): boolean {
  return hasPhrase(reading, "brand");
}

/** A brand with words behind it that no list knows, in a message with an ask. */
function namesUnknownModel(reading: LineReading, message: MessageFacts): boolean {
  const isOffered = message.hasAsk || statesSide(reading);
  return isOffered && findModelWords([wholeLine(reading)]) !== undefined;
}

/** "WTS", "wanted": the line offers or asks for a watch, even without an ask. */
function statesSide(reading: LineReading): boolean {
  return reading.line.phrases.some(({ meaning }) => meaning.kind === "side" && !meaning.isWeak);
}

/** "124060 / 124060-0001" names one watch twice. So does a case number right before the full reference. */
function distinctReferences(reading: LineReading): PlacedReference[] {
  const kept: PlacedReference[] = [];
  for (const reference of reading.line.references) {
    const last = kept.at(-1);
    if (last === undefined) {
      // "Cheaper than 126610LN: 124060 €9.100".
      if (reading.line.references.length > 1 && isCheaperThan(reading.line, reference)) continue;
      kept.push(reference);
      continue;
    }
    const between = { from: last.to, to: reference.from };
    const hasPriceBetween = within(reading.prices, between).length > 0;
    if (!hasPriceBetween && isCompared(reading.line, reference)) continue;
    const isLastCaseNumber =
      reference.from === last.to &&
      last.brand === reference.brand &&
      !last.isKnown &&
      last.isDigitsOnly;
    if (!hasPriceBetween && isSameReference(last, reference)) {
      if (hasOtherDial(reading, last, reference)) {
        kept.push(reference);
        continue;
      }
      if (reference.text.length > last.text.length)
        kept.splice(-1, 1, { ...reference, from: last.from });
    } else if (isLastCaseNumber) {
      kept.splice(-1, 1, { ...reference, from: last.from });
    } else {
      kept.push(reference);
    }
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
      ({ meaning }) => meaning.kind === "model" && !brands().has(meaning.brand),
    )
  );
}

/** Returns where the text of a watch starts: its brand, model or condition can be right before its reference. */
function findStart(
  reading: LineReading,
  previous: WatchName,
  watch: { readonly name: WatchName; readonly leads: boolean },
): number {
  const { name, leads } = watch;
  const between = { from: previous.to, to: name.from };
  const earliest = within(reading.prices, between).at(-1)?.to ?? previous.to;
  let start = name.from;
  const phrases = within(reading.line.phrases, { ...between, from: earliest }).toReversed();
  for (const [index, phrase] of phrases.entries()) {
    const { kind } = phrase.meaning;
    const before = phrases[index + 1];
    // "RM USED RM72-10": a brand before the condition shows that it is about the next watch.
    const isBehindBrand = before?.meaning.kind === "brand" && before.to === phrase.from;
    const isLeading =
      kind === "brand" ||
      kind === "model" ||
      kind === "side" ||
      (kind === "condition" && (leads || isBehindBrand));
    if (!isLeading || !hasOnlySymbols(reading, phrase.to, start)) break;
    // A bullet between a condition and the next watch ends the one before.
    if (kind === "condition" && hasBullet(reading, phrase.to, start)) break;
    start = phrase.from;
  }
  return start;
}

function hasBullet(reading: LineReading, from: number, to: number): boolean {
  return reading.line.tokens.slice(from, to).some(({ word }) => /^[\u2022|;]$/.test(word));
}

/** "New 126334 9k used 126300 7k": in such a line every condition is before its watch, else behind it. */
function hasLeadingCondition(reading: LineReading, first: WatchName | undefined): boolean {
  const before = { from: 0, to: first?.from ?? 0 };
  const isCondition = ({ meaning }: { readonly meaning: Meaning }): boolean =>
    meaning.kind === "condition";
  const leads = within(reading.line.phrases, before).some(isCondition);
  return leads || reading.prices.length === 0;
}

function hasOnlySymbols(reading: LineReading, from: number, to: number): boolean {
  return reading.line.tokens.slice(from, to).every((token) => token.kind === "symbol");
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
