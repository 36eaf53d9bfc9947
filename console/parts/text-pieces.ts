/**
 * Cuts a text into pieces, each with the fields that were read in it, and finds the parts of a long text that are worth reading
 * first.
 *
 * Values share words: a reference also says brand and model. So a piece has a list of fields, and the spans of a field are
 * the pieces that name it, joined.
 *
 * Example: `reference` at 0-8 and `price` at 4-12 are the pieces 0-4 (reference), 4-8 (both) and 8-12 (price).
 */

/** UTF-16 units `start` up to but not including `end`. */
interface TextRange {
  readonly start: number;
  readonly end: number;
}

export interface TextMark extends TextRange {
  readonly field: string;
}

export interface TextPiece extends TextRange {
  /** Empty between the marks. Each field once, in the order of the marks. */
  readonly fields: readonly string[];
}

interface Reach {
  readonly charactersMax: number;
  readonly linesMax: number;
}

/** A text within both bounds is shown whole. */
const WHOLE = { charactersMax: 2_000, linesMax: 40 };
const HEAD = { charactersMax: 400, linesMax: 6 };
const AROUND = { charactersMax: 200, linesMax: 3 };
/** Spans are few; a text that was made to have many shows the first ones. */
const EXCERPTS_MAX = 20;

/** The pieces of one range of the text, in order and without gaps. Marks that are partly outside are cut. */
export function toPieces(range: TextRange, marks: readonly TextMark[]): readonly TextPiece[] {
  const inside = marks
    .map(({ field, start, end }) => ({
      field,
      start: Math.max(start, range.start),
      end: Math.min(end, range.end),
    }))
    .filter(({ start, end }) => start < end);
  const bounds = new Set(inside.flatMap(({ start, end }) => [start, end]));
  const cuts = [range.start, ...bounds, range.end].toSorted((left, right) => left - right);
  const pieces: TextPiece[] = [];
  for (const [at, start] of cuts.entries()) {
    const end = cuts[at + 1];
    if (end === undefined || start === end) continue;
    const covering = inside.filter((mark) => mark.start <= start && mark.end >= end);
    pieces.push({ start, end, fields: [...new Set(covering.map(({ field }) => field))] });
  }
  return pieces;
}

/**
 * The beginning of the text, and what surrounds the words that were read: a stock list of 4,000 lines stays a few lines high, and
 * the words of this watch are among them. In order and apart; one range that is the whole text if it is short.
 */
export function findExcerpts(text: string, marks: readonly TextRange[]): readonly TextRange[] {
  if (reachAfter(text, 0, WHOLE) === text.length) return [{ start: 0, end: text.length }];
  const ranges = [{ start: 0, end: reachAfter(text, 0, HEAD) }];
  for (const { start, end } of marks.toSorted((left, right) => left.start - right.start)) {
    const around = {
      start: reachBefore(text, start, AROUND),
      end: reachAfter(text, Math.min(end, start + WHOLE.charactersMax), AROUND),
    };
    const last = ranges.at(-1);
    if (last !== undefined && around.start <= last.end) {
      ranges[ranges.length - 1] = { start: last.start, end: Math.max(last.end, around.end) };
    } else if (ranges.length < EXCERPTS_MAX) ranges.push(around);
  }
  return ranges;
}

/** The end of the last line that is within reach, or of the characters if that line is too long. */
function reachAfter(text: string, from: number, { charactersMax, linesMax }: Reach): number {
  const limit = Math.min(text.length, from + charactersMax);
  let end = from;
  for (let lines = 0; lines < linesMax; lines += 1) {
    const lineBreak = text.indexOf("\n", end);
    const lineEnd = lineBreak < 0 ? text.length : lineBreak + 1;
    if (lineEnd > limit) return lines === 0 || limit === text.length ? whole(text, limit) : end;
    end = lineEnd;
    if (end === text.length) break;
  }
  return end;
}

function reachBefore(text: string, from: number, { charactersMax, linesMax }: Reach): number {
  const limit = Math.max(0, from - charactersMax);
  let start = from;
  for (let lines = 0; lines < linesMax && start > 0; lines += 1) {
    const lineBreak = text.lastIndexOf("\n", start - (lines === 0 ? 1 : 2));
    const lineStart = lineBreak + 1;
    if (lineStart < limit) return lines === 0 ? whole(text, limit) : start;
    start = lineStart;
  }
  return start;
}

/** Never between the two units of one character. */
function whole(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
