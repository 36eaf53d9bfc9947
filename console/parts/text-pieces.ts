/**
 * Cuts a text into pieces, each with the fields that were read in it.
 *
 * Values share words: a reference also says brand and model. So a piece has a list of fields, and the spans of a field are
 * the pieces that name it, joined.
 *
 * Example: `reference` at 0-8 and `price` at 4-12 are the pieces 0-4 (reference), 4-8 (both) and 8-12 (price).
 */

/** UTF-16 units `start` up to but not including `end`. */
export interface TextRange {
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
