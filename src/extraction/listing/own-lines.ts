/**
 * Says for each line of a message whose it is: a watch's own, a header of some watches, or shared by all because it belongs to
 * no watch.
 *
 * Idea: the segments say most. Two things are left. Every line above the first watch waits as a header, a greeting too; it is
 * one only if it looks like one or gave a value. And the lines below the last watch go to it, also the terms of the sale: in
 * a message with several watches, what stands below an empty line and gave nothing to its watch is shared, and so are last lines
 * of the message about the place, the payment or the shipping.
 * Invariant: no line is both own and a header of one watch, and a shared line is neither of any. A line that names several watches
 * is each one's own; then each also has the parts of it that are about it.
 *
 * Example: "Hi all" (shared), "USED" (header of both), "126334 €9.500" (own), "126333 €11.200" (own), "", "Pick-up in Milan"
 * (shared).
 */
import type { LineSpan } from "../extraction.ts";
import type { LinePart, LineReading } from "../lines/line-reading.ts";
import { isHeaderLike, type Segment } from "../segments/segment-draft.ts";
import { isA } from "../words/words.ts";
import { firstLineOf, type ListingDraft } from "./listing-draft.ts";

interface AssignedLines {
  readonly drafts: readonly ListingDraft[];
  /** The watches that are not offered. */
  readonly leftOut: readonly ListingDraft[];
  /** All watches of the message, also those that became no listing. */
  readonly segments: readonly Segment[];
}

/** Sets the own lines and the headers of each watch. Returns the lines that belong to none, in their order. */
export function assignLines(
  readings: readonly LineReading[],
  { drafts, leftOut, segments }: AssignedLines,
): readonly number[] {
  const all = leftOut.length === 0 ? drafts : [...drafts, ...leftOut];
  const [first] = all;
  if (first === undefined) return [];
  // Most messages have one watch, and no other line.
  const isAllOwn = first.fields.sourceLines?.length === readings.length;
  if (isAllOwn && segments.length === 1) return [];
  const headers = findHeaders(segments, all);
  const talk = new Set(drafts.length === 0 ? [] : leftOut);
  if (all.length > 1) dropClosingLines(readings, all, { headers, talk });
  if (all.length > 1) splitLines(all);
  const taken = new Set<number>(headers);
  const isDraft = new Set(all.map(({ segment }) => segment));
  for (const { fields } of all) for (const line of fields.sourceLines ?? []) taken.add(line);
  for (const segment of segments)
    if (!isDraft.has(segment)) for (const line of unbrokenLines(segment)) taken.add(line);
  for (const { fields, segment } of all) {
    if (segment.headers.length === 0) continue;
    const own = new Set(fields.sourceLines);
    fields.headerLines = segment.headers
      .map(lineOf)
      .filter((line) => headers.has(line) && !own.has(line));
  }
  return readings
    .filter((reading) => !reading.isBlank)
    .map(lineOf)
    .filter((line) => !taken.has(line));
}

function lineOf({ line }: LineReading): number {
  return line.source.sourceLine;
}

/** The line that names the watch, and those right below it. */
function unbrokenLines(segment: Segment): readonly number[] {
  const first = firstLineOf(segment);
  const lines = new Set(segment.parts.map(({ reading }) => lineOf(reading)));
  const unbroken: number[] = [];
  for (let line = first; lines.has(line); line += 1) unbroken.push(line);
  return unbroken;
}

/**
 * Takes from each watch the lines below it that say nothing about it: those below an empty line, and all of them if it is talk
 * beside offers.
 */
function dropClosingLines(
  readings: readonly LineReading[],
  drafts: readonly ListingDraft[],
  {
    headers,
    talk,
  }: { readonly headers: ReadonlySet<number>; readonly talk: ReadonlySet<ListingDraft> },
): void {
  const afterBlank = listAfterBlank(readings);
  const termsFrom = findClosingTerms(readings);
  for (const draft of drafts) {
    const { fields, evidence, segment, leftOut } = draft;
    const lines = fields.sourceLines ?? [];
    if (lines.length === 1) continue;
    const said = [...evidence.filter(({ source }) => source === "explicit"), ...leftOut];
    let lastSaid = firstLineOf(segment);
    for (const { lineSpans } of said)
      for (const { line } of lineSpans) lastSaid = Math.max(lastSaid, line);
    const from = lines.findIndex(
      (line) => line > lastSaid && (line >= termsFrom || afterBlank.has(line) || talk.has(draft)),
    );
    if (from < 0) continue;
    fields.sourceLines = lines.filter((line, at) => at < from || headers.has(line));
  }
}

/** "Dubai stock", "payment by wire": the first of the last lines that speak of nothing else. */
function findClosingTerms(readings: readonly LineReading[]): number {
  let from = Number.POSITIVE_INFINITY;
  for (let at = readings.length - 1; at >= 0; at -= 1) {
    const reading = readings[at];
    if (reading === undefined || !(reading.isBlank || speaksOfTerms(reading))) break;
    if (!reading.isBlank) from = lineOf(reading);
  }
  return from;
}

function speaksOfTerms({ line, prices }: LineReading): boolean {
  if (line.references.length > 0 || prices.length > 0) return false;
  return (
    line.tokens.some((token) => isA(token, "terms")) ||
    line.phrases.some(({ meaning }) => meaning.kind === "place")
  );
}

/** Sets the parts of lines that several watches have: "126334 €9.500 / 126333 €11.200". */
function splitLines(drafts: readonly ListingDraft[]): void {
  const owners = new Map<number, number>();
  let isAnySplit = false;
  for (const { fields } of drafts) {
    for (const line of fields.sourceLines ?? []) {
      const count = (owners.get(line) ?? 0) + 1;
      owners.set(line, count);
      isAnySplit ||= count > 1;
    }
  }
  if (!isAnySplit) return;
  for (const { fields, segment } of drafts) {
    const isSplit = (line: number) => (owners.get(line) ?? 0) > 1;
    if (!fields.sourceLines?.some(isSplit)) continue;
    const own = new Set(fields.sourceLines.filter(isSplit));
    fields.ownSpans = [...segment.parts, ...segment.shared]
      .filter(({ reading }) => own.has(lineOf(reading)))
      .flatMap(spanOf)
      .sort((left, right) => left.line - right.line || left.start - right.start);
  }
}

function spanOf({ reading, from, to }: LinePart): readonly LineSpan[] {
  const { tokens } = reading.line;
  const [first, last] = [tokens[from], tokens[to - 1]];
  if (first === undefined || last === undefined) return [];
  return [{ line: lineOf(reading), start: first.start, end: last.end }];
}

/** The lines right below an empty one. */
function listAfterBlank(readings: readonly LineReading[]): ReadonlySet<number> {
  const lines = new Set<number>();
  for (const [at, reading] of readings.entries())
    if (readings[at - 1]?.isBlank === true) lines.add(lineOf(reading));
  return lines;
}

/** The lines above or below watches that look like a header, or that gave a value to one of them. */
function findHeaders(
  segments: readonly Segment[],
  drafts: readonly ListingDraft[],
): ReadonlySet<number> {
  const waiting = new Set<LineReading>();
  for (const { headers } of segments) for (const reading of headers) waiting.add(reading);
  if (waiting.size === 0) return new Set();
  const said = new Set<number>();
  for (const { evidence } of drafts)
    for (const { lineSpans } of evidence) for (const { line } of lineSpans) said.add(line);
  const headers = [...waiting].filter(
    (reading) => isHeaderLike(reading) || said.has(lineOf(reading)),
  );
  return new Set(headers.map(lineOf));
}
