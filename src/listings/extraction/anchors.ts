import { normalizeReference } from "../../base/text.ts";
import { JOINING_WORDS, type PlacedReference } from "./line.ts";
import type { LineReading } from "./reading.ts";
import { type Span, within } from "./span.ts";

/** A stretch of a line. */
export interface Part extends Span {
  readonly reading: LineReading;
}

/** Where a line names a watch. */
export interface Anchor {
  readonly reference?: PlacedReference;
  readonly part: Part;
  /** Words before the first of several references, or behind the last of joined ones, hold for each of them. */
  readonly shared: readonly Part[];
  readonly ordinal: number;
}

export function wholeLine(reading: LineReading): Part {
  return { reading, from: 0, to: reading.line.tokens.length };
}

export function hasBrand(reading: LineReading): boolean {
  return reading.line.phrases.some(({ meaning }) => meaning.kind === "brand");
}

export function namesModel(reading: LineReading): boolean {
  return reading.line.phrases.some(
    ({ meaning }) => meaning.kind === "model" && meaning.model !== undefined,
  );
}

/** The watches that a line names: by reference, or, where it has none, by a model with a price beside it. */
export function findAnchors(reading: LineReading, hasReferences: boolean): Anchor[] {
  const references = distinctReferences(reading);
  if (references.length === 0) {
    if (!namesModel(reading) || (hasReferences && !isOffer(reading))) return [];
    return [{ part: wholeLine(reading), shared: [], ordinal: 0 }];
  }
  const starts = references.map((reference, index) =>
    index === 0 ? 0 : findStart(reading, references[index - 1] ?? reference, reference),
  );
  const parts = references.map((_, index) => ({
    reading,
    from: starts[index] ?? 0,
    to: starts[index + 1] ?? reading.line.tokens.length,
  }));
  const prefix = { reading, from: 0, to: references[0]?.from ?? 0 };
  const tails = joinedTails(reading, references, parts);
  const all = findClosingForAll(reading, references);
  return references.map((reference, index) => ({
    reference,
    part: parts[index] ?? prefix,
    shared: [...(tails[index] ?? []), ...(index > 0 ? [prefix] : []), ...all],
    ordinal: index,
  }));
}

/** "124060 96k, 126610LN 107k, all N2/26": what "all" opens behind the last of several watches holds for each. */
function findClosingForAll(
  reading: LineReading,
  references: readonly PlacedReference[],
): readonly Part[] {
  const last = references.at(-1);
  if (last === undefined || references.length === 1) return [];
  const { tokens } = reading.line;
  const from = tokens.findIndex((token, at) => at >= last.to && FOR_ALL.has(token.word));
  return from === -1 ? [] : [{ reading, from, to: tokens.length }];
}

const FOR_ALL: ReadonlySet<string> = new Set(
  "all both each alle beide tutti todos tous".split(" "),
);

/** In a message with references, a line without one is a watch of its own only with house, model and ask. */
function isOffer(reading: LineReading): boolean {
  return hasBrand(reading) && reading.prices.some((price) => price.strength !== "bare");
}

/** "116610LN and 114060 with papers": what follows the last of joined references holds for all of them. */
function joinedTails(
  reading: LineReading,
  references: readonly PlacedReference[],
  parts: readonly Part[],
): (readonly Part[])[] {
  const tails: (readonly Part[])[] = references.map(() => []);
  for (let index = references.length - 2; index >= 0; index -= 1) {
    const [before, after, next] = [references[index], references[index + 1], parts[index + 1]];
    if (before === undefined || after === undefined || next === undefined) continue;
    const between = reading.line.tokens.slice(before.to, after.from);
    if (!between.every((token) => token.kind === "symbol" || JOINING_WORDS.has(token.word)))
      continue;
    const last = tails[index + 1] ?? [];
    tails[index] = last.length > 0 ? last : [next];
  }
  return tails;
}

/** "124060 / 124060-0001" names one watch twice, and so does a case number beside a full reference. */
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
    const isCaseNumber =
      reference.from === last.to &&
      last.brand === reference.brand &&
      !last.isKnown &&
      last.isDigitsOnly;
    if (!hasPriceBetween && isSameReference(last, reference)) {
      if (reference.text.length > last.text.length)
        kept.splice(-1, 1, { ...reference, from: last.from });
    } else if (isCaseNumber) {
      kept.splice(-1, 1, { ...reference, from: last.from });
    } else {
      kept.push(reference);
    }
  }
  return kept;
}

export function isSameReference(a: PlacedReference, b: PlacedReference): boolean {
  if (a.brand !== b.brand) return false;
  const [first, second] = [normalizeReference(a.text), normalizeReference(b.text)];
  return first.startsWith(second) || second.startsWith(first);
}

/** Where the words of the next watch begin: its brand, model or condition may stand right before its reference. */
function findStart(
  reading: LineReading,
  before: PlacedReference,
  reference: PlacedReference,
): number {
  const between = { from: before.to, to: reference.from };
  const least = within(reading.prices, between).at(-1)?.to ?? before.to;
  let start = reference.from;
  for (const phrase of within(reading.line.phrases, { ...between, from: least }).toReversed()) {
    const isLeading = ["brand", "model", "condition", "side"].includes(phrase.meaning.kind);
    if (!isLeading || !hasOnlySymbols(reading, phrase.to, start)) break;
    start = phrase.from;
  }
  return start;
}

function hasOnlySymbols(reading: LineReading, from: number, to: number): boolean {
  return reading.line.tokens.slice(from, to).every((token) => token.kind === "symbol");
}
