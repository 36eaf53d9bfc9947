import { normalizeReference } from "../../../base/text.ts";
import type { Meaning } from "../lines/lexicon.ts";
import { JOINING_WORDS, type PlacedReference } from "../lines/line.ts";
import { type LinePart, wholeLine } from "../lines/line-part.ts";
import { within } from "../lines/span.ts";
import type { LineReading } from "../reading.ts";

/** A place in a line that offers or asks for one watch. */
export interface WatchMention {
  /** Absent if the watch is named by its model only. */
  readonly reference?: PlacedReference;
  readonly part: LinePart;
  /** Other parts of the line that describe this watch too, because they apply to several watches. */
  readonly shared: readonly LinePart[];
  /** Position among the watches of the line, from 0. */
  readonly ordinal: number;
}

/**
 * Returns the watches that a line names: one for each reference, or one for a model name if the line has no reference.
 * If any line of the message has a reference (`hasReferences`), a model name alone is not enough.
 */
export function findWatchMentions(reading: LineReading, hasReferences: boolean): WatchMention[] {
  const references = distinctReferences(reading);
  if (references.length === 0) {
    if (!namesModel(reading) || (hasReferences && !isOffer(reading))) return [];
    return [{ part: wholeLine(reading), shared: [], ordinal: 0 }];
  }
  const leads = hasLeadingCondition(reading, references[0]);
  const starts = references.map((reference, index) =>
    index === 0 ? 0 : findStart(reading, references[index - 1] ?? reference, { reference, leads }),
  );
  const parts = references.map((_, index) => ({
    reading,
    from: starts[index] ?? 0,
    to: starts[index + 1] ?? reading.line.tokens.length,
  }));
  const prefix = { reading, from: 0, to: references[0]?.from ?? 0 };
  const joinedTails = findJoinedTails(reading, references, parts);
  const closing = findClosingForAll(reading, references);
  return references.map((reference, index) => ({
    reference,
    part: parts[index] ?? prefix,
    shared: [...(joinedTails[index] ?? []), ...(index > 0 ? [prefix] : []), ...closing],
    ordinal: index,
  }));
}

export function namesBrand(reading: LineReading): boolean {
  return reading.line.phrases.some(({ meaning }) => meaning.kind === "brand");
}

export function namesModel(reading: LineReading): boolean {
  return reading.line.phrases.some(
    ({ meaning }) => meaning.kind === "model" && meaning.model !== undefined,
  );
}

/** Returns true if one reference is the beginning of the other: 124060 and 124060-0001. */
export function isSameReference(a: PlacedReference, b: PlacedReference): boolean {
  if (a.brand !== b.brand) return false;
  const [first, second] = [normalizeReference(a.text), normalizeReference(b.text)];
  return first.startsWith(second) || second.startsWith(first);
}

/** "124060 / 124060-0001" names one watch twice. So does a case number right before the full reference. */
function distinctReferences(reading: LineReading): PlacedReference[] {
  const kept: PlacedReference[] = [];
  for (const reference of reading.line.references) {
    const last = kept.at(-1);
    if (last === undefined) {
      kept.push(reference);
      continue;
    }
    const between = { from: last.to, to: reference.from };
    const hasPriceBetween = within(reading.prices, between).length > 0;
    const isLastCaseNumber =
      reference.from === last.to &&
      last.brand === reference.brand &&
      !last.isKnown &&
      last.isDigitsOnly;
    if (!hasPriceBetween && isSameReference(last, reference)) {
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

/** In a message with references, a line without one is a watch only if it has a brand, a model and an ask. */
function isOffer(reading: LineReading): boolean {
  return namesBrand(reading) && reading.prices.some((price) => price.strength !== "bare");
}

/** Returns where the text of a watch starts: its brand, model or condition can be right before its reference. */
function findStart(
  reading: LineReading,
  previous: PlacedReference,
  watch: { readonly reference: PlacedReference; readonly leads: boolean },
): number {
  const { reference, leads } = watch;
  const between = { from: previous.to, to: reference.from };
  const earliest = within(reading.prices, between).at(-1)?.to ?? previous.to;
  let start = reference.from;
  for (const phrase of within(reading.line.phrases, { ...between, from: earliest }).toReversed()) {
    const { kind } = phrase.meaning;
    const isLeading =
      kind === "brand" || kind === "model" || kind === "side" || (kind === "condition" && leads);
    if (!isLeading || !hasOnlySymbols(reading, phrase.to, start)) break;
    start = phrase.from;
  }
  return start;
}

/** "New 126334 9k used 126300 7k": in such a line every condition is before its watch, else behind it. */
function hasLeadingCondition(
  reading: LineReading,
  first: PlacedReference | undefined,
): boolean {
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
  references: readonly PlacedReference[],
  parts: readonly LinePart[],
): (readonly LinePart[])[] {
  const tails: (readonly LinePart[])[] = references.map(() => []);
  for (let index = references.length - 2; index >= 0; index -= 1) {
    const [before, after, next] = [references[index], references[index + 1], parts[index + 1]];
    if (before === undefined || after === undefined || next === undefined) continue;
    const between = reading.line.tokens.slice(before.to, after.from);
    const isJoined = between.every(
      (token) => token.kind === "symbol" || JOINING_WORDS.has(token.word),
    );
    if (!isJoined) continue;
    const last = tails[index + 1] ?? [];
    tails[index] = last.length > 0 ? last : [next];
  }
  return tails;
}

export const FOR_ALL: ReadonlySet<string> = new Set(
  "all both each alle beide tutti todos tous".split(" "),
);

/** "124060 96k, 126610LN 107k, all N2/26": the text from "all" on applies to every watch of the line. */
function findClosingForAll(
  reading: LineReading,
  references: readonly PlacedReference[],
): readonly LinePart[] {
  const last = references.at(-1);
  if (last === undefined || references.length === 1) return [];
  const { tokens } = reading.line;
  const from = tokens.findIndex((token, at) => at >= last.to && FOR_ALL.has(token.word));
  return from === -1 ? [] : [{ reading, from, to: tokens.length }];
}
