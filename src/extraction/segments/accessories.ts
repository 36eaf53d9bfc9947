import {
  hasPhrase,
  isSmallSum,
  type LinePart,
  type LineReading,
  pricesOf,
} from "../lines/line-reading.ts";
import { type Span, type Token, tokenAt, within } from "../text/token.ts";
import { isA, isPart } from "../words/words.ts";
import type { Segment } from "./segment-draft.ts";

/** Drops what is only a part of a watch, and the other watches that the part fits: "strap for 16610 / 14060". */
export function dropParts(segments: readonly Segment[]): readonly Segment[] {
  if (!segments.some(isWatchPartOnly)) return segments;
  const partLines = new Set<LineReading | undefined>();
  return segments.filter((segment) => {
    const line = segment.parts[0]?.reading;
    const isPart = isWatchPartOnly(segment);
    if (isPart && line?.prices.length !== undefined && line.prices.length < 2) partLines.add(line);
    return !isPart && !(segment.ordinal > 0 && partLines.has(line));
  });
}

/** "Strap for 5167A", "116610LN bezel only", "box and papers, no watch": only a part of the watch is offered. */
function isWatchPartOnly(segment: Segment): boolean {
  const part = segment.parts[0];
  if (part === undefined) return false;
  // Most offers name no part at all.
  if (!segment.parts.some(hasPartWord) && !announcesParts(segment.headers.at(-1))) return false;
  const watchLine = part.reading.line.source.sourceLine;
  const isHeadline = ({ reading }: LinePart): boolean =>
    reading.line.source.sourceLine <= watchLine && namesAccessory(reading);
  if (segment.parts.some(isHeadline)) return true;
  if (fitsOtherWatches(part.reading)) return true;
  const { tokens } = part.reading.line;
  const name = segment.reference ?? firstModel(part);
  if (name === undefined) return false;
  return (
    startsWithPart(tokens, name.from) ||
    isPartForWatch(tokens.slice(Math.max(part.from, name.from - FIT_GAP_MAX), name.from)) ||
    isPartThatFits(tokens, name.from) ||
    isPartRequested(part, name.from) ||
    isLoosePart(part) ||
    isStrapOfWatch(part, name.from) ||
    announcesParts(segment.headers.at(-1)) ||
    isTakenFromWatch(tokens.slice(Math.max(part.from, name.from - 4), name.from)) ||
    isPartNamedByModel(segment, tokens, name) ||
    isPartBehindWatch(tokens, name.to) ||
    saysNoWatch(tokens.slice(part.from, part.to))
  );
}

/** Gloves, bags, clocks: a line that names one offers no watch. */
export function namesAccessory(reading: LineReading): boolean {
  const { tokens, references } = reading.line;
  const firstReference = references[0]?.from ?? tokens.length;
  return tokens.some(
    (token, at) =>
      token.kind === "letters" &&
      (isA(token, "accessory", "gift") || isCuffLink(tokens, at)) &&
      // "At 12 o'clock" is not a clock. After a reference, a pen or a bag comes with the watch.
      !(token.word === "clock" && tokenAt(tokens, at - 1)?.word === "'") &&
      !(at > firstReference && isA(token, "gift")),
  );
}

/** "Cuff links". */
function isCuffLink(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.word === "cuff" && /^links?$/.test(tokens[at + 1]?.word ?? "");
}

/** An ask below this share of the usual price, in a line that names a part, is the ask for the part. */
const PART_RATIO_MAX = 0.2;

/** "5711 original buckle HKD 38,000": a part is named, and the ask is far too low for the watch. */
export function isPriceOfPart(segment: Segment, ratio: number | undefined): boolean {
  const isSmallSum = ratio === undefined && asksSmallSum(segment);
  if (!isSmallSum && (ratio === undefined || ratio >= PART_RATIO_MAX)) return false;
  const isWatch = segment.parts.some(
    ({ reading }) => reading.dates.length > 0 || hasPhrase(reading, "set"),
  );
  if (isWatch) return false;
  return segment.parts.some(({ reading }) =>
    isSmallSum ? namesWatchPart(reading) : namesLoosePart(reading),
  );
}

function namesLoosePart(reading: LineReading): boolean {
  return reading.line.tokens.some(
    (token) =>
      isA(token, "loose_part", "part") || (isA(token, "strap") && !/^links?$/.test(token.word)),
  );
}

/** "Empty box 116500LN €150": all amounts are small sums. */
function asksSmallSum(segment: Segment): boolean {
  const prices = pricesOf(segment.parts);
  return (
    prices.length > 0 && prices.every((price) => price.currency !== undefined && isSmallSum(price))
  );
}

/** "Fits 1500, 1600, 1601": the line says for which watches a part is. */
function fitsOtherWatches({ line }: LineReading): boolean {
  const first = line.tokens.find((token) => token.kind === "letters")?.word ?? "";
  return /^(fits|fit|fitting|passend|past|compatible)$/.test(first);
}

export function namesWatchPart(reading: LineReading): boolean {
  return reading.line.tokens.some(isPart);
}

/** A word that one of the rules above looks for. */
function hasPartWord({ reading }: LinePart): boolean {
  return reading.line.tokens.some(
    (token) =>
      isPart(token) || isA(token, "accessory", "gift", "from") || PART_NEIGHBOURS.has(token.word),
  );
}

/** Tokens between the part and the watch that it fits. */
const FIT_GAP_MAX = 6;

function firstModel(part: LinePart): Span | undefined {
  return within(part.reading.line.phrases, part).find(({ meaning }) => meaning.kind === "model");
}

/** "Dial 126334 blue", "Links 126610": a part is the only word before the watch. */
function startsWithPart(tokens: readonly Token[], at: number): boolean {
  const before = tokens
    .slice(0, Math.min(at, FIT_GAP_MAX))
    .filter((token) => token.kind === "letters");
  const [first, second] = [before[0]?.word ?? "", before[1]?.word];
  const opensWithPart = isPart(before[0]);
  // "Papers only (open, blank) for IW3714".
  if (second === "only" && (opensWithPart || first === "card")) return true;
  // "TAG" is a brand, too.
  if (at > FIT_GAP_MAX || !opensWithPart || first === "tag") return false;
  // "Dial only 126334".
  if (second === "only" || second === "set") return before.length === 2;
  return before.length === 1 && !/^(box(es)?|papers|warranty|certificate)$/.test(first);
}

/** "16760 coke insert": a part that is always loose, in a line without a set or a date. */
function isLoosePart(part: LinePart): boolean {
  const { line, dates } = part.reading;
  const isDescribed = hasPhrase(part.reading, "set") || hasPhrase(part.reading, "condition");
  if (dates.length > 0 || isDescribed) return false;
  return line.tokens.slice(part.from, part.to).some((token) => isA(token, "loose_part"));
}

/** "Four straps here, size 2, fit 126515LN and 126519LN": a part, a word of fitting, and then the watches. */
function isPartThatFits(tokens: readonly Token[], at: number): boolean {
  const near = tokens.slice(Math.max(0, at - FITTED_GAP_MAX), at);
  const fit = near.findIndex(({ word }) => /^(fit|fits|fitting)$/.test(word));
  if (fit < 0) return false;
  const end = at - near.length + fit;
  // "Fits wrists up to 20 cm" is about the watch.
  if (near.slice(fit + 1).some((token) => !isOfWatchList(token))) return false;
  return tokens.slice(Math.max(0, end - FITTED_GAP_MAX), end).some(isPart);
}

/** "126515LN and", "all": what can be between the word of fitting and the watch. */
function isOfWatchList({ kind, word, isGlued }: Token): boolean {
  return kind !== "letters" || isGlued || /^(and|or|the|any|all|also|ref|rolex)$/.test(word);
}

/** Tokens between the part and the word of fitting, and from there to the second of two watches. */
const FITTED_GAP_MAX = 8;

/** "PP original rubber strap 5167": a strap or buckle right before the reference, and no model before it. */
function isStrapOfWatch(part: LinePart, at: number): boolean {
  const { tokens, phrases } = part.reading.line;
  if (!isA(tokenAt(tokens, at - 1), "strap")) return false;
  return !phrases.some(({ meaning, to }) => meaning.kind === "model" && to <= at);
}

/** "Parts (no watch!):" above a list. */
function announcesParts(header: LineReading | undefined): boolean {
  if (header === undefined || header.line.references.length > 0) return false;
  const words = header.line.tokens.filter((token) => token.kind === "letters");
  return (
    words.length <= HEADER_WORDS_MAX &&
    /^(parts|accessories|straps|bracelets|spares|ersatzteile)$/.test(words[0]?.word ?? "")
  );
}

const HEADER_WORDS_MAX = 4;

/** "Need strap RM11-03", "looking for a band RM11-03": a request, a part, and the watch that it fits. */
function isPartRequested(part: LinePart, at: number): boolean {
  const { tokens, phrases } = part.reading.line;
  let before = at - 1;
  while (before >= part.from && tokens[before]?.kind === "symbol") before -= 1;
  if (!isPart(tokenAt(tokens, before))) return false;
  return phrases.some(
    ({ meaning, to }) =>
      meaning.kind === "side" &&
      meaning.side === "want_to_buy" &&
      to <= before &&
      before - to <= REQUESTED_GAP_MAX,
  );
}

/** Words between the request and the part, as in "need an original red strap". */
const REQUESTED_GAP_MAX = 3;

/** "Out of a 16610", "removed from 126334": what is offered was taken from the watch. */
function isTakenFromWatch(before: readonly Token[]): boolean {
  if (!before.some((token) => TAKEN_WORDS.has(token.word))) return false;
  const words = before.filter((token) => token.kind === "letters").map((token) => token.word);
  return /\b(out of|off|off of|removed from|taken from|taken off|pulled from|ex)( an?| my| the)?$/.test(
    words.join(" "),
  );
}

const TAKEN_WORDS: ReadonlySet<string> = new Set("out off removed taken pulled ex".split(" "));

/** "Nautilus strap D27": without a reference, a part right behind the model is what is offered. */
function isPartNamedByModel(segment: Segment, tokens: readonly Token[], name: Span): boolean {
  if (segment.reference !== undefined) return false;
  return isPart(tokens[name.to]);
}

/** "Strap for 5167A": a part and "for" shortly before the watch. "Insert 16710": a part that no whole watch is sold by. */
function isPartForWatch(before: readonly Token[]): boolean {
  if (isA(before.at(-1), "loose_part")) return true;
  const first = before.find((token) => token.kind === "letters");
  const fit = before.findLastIndex(isFitWord);
  if (fit > 0 && isA(first, "loose_part")) return true;
  return (
    fit > 0 &&
    before.length - fit <= 5 &&
    before.slice(0, fit).some((token) => isPart(token) || token.word === "rubber")
  );
}

function isFitWord(token: Token): boolean {
  return isA(token, "for", "from") || /^fits?$/.test(token.word);
}

const PART_NEIGHBOURS: ReadonlySet<string> = new Set(
  "cuff card rubber of ex fits fit fitting passend past compatible watch horloge uhr montre orologio reloj".split(
    " ",
  ),
);

/** "116610LN bezel", "116610LN bezel only": a part right after the watch, at the end or with "only" or "wanted". */
function isPartBehindWatch(tokens: readonly Token[], at: number): boolean {
  const [watchPart, next] = [tokens[at], tokens[at + 1]];
  if (watchPart === undefined || !isPart(watchPart)) return false;
  // "126610LN papers only" is the watch with its papers.
  if (/^(box|boxes|papers|certificate|warranty)$/.test(watchPart.word)) return false;
  if (next === undefined || isFitWord(next) || isA(next, "loose_part")) return true;
  return /^(only|wanted|needed)$/.test(next.word);
}

function saysNoWatch(tokens: readonly Token[]): boolean {
  return tokens.some(
    (token, at) =>
      isA(token, "no") &&
      /^(watch|horloge|uhr|montre|orologio|reloj)$/.test(tokens[at + 1]?.word ?? "") &&
      (tokens[at + 2]?.kind !== "letters" || tokens[at + 2]?.word === "erbij"),
  );
}
