/**
 * Finds the words of a reading in the text as it was sent.
 *
 * Idea: a normalised line is what remains of its folded characters after some blanks, breaks and tildes are removed. So
 * the characters of the original line are folded once more, one by one, and matched with the normalised line from left
 * to right. This runs only if positions are asked for, and costs the extraction nothing.
 * Invariant: a span has whole characters only. The text of a span normalises to the words of its quote.
 *
 * Example: "*126334*  🆕" is normalised to "126334 new". Its characters 7 to 10 ("new") are units 10 to 12 of the text.
 */
import type { LineSpan } from "../extraction.ts";
import {
  FOLDED_TEXT_MAX,
  foldCharacter,
  hideKeycapBullets,
  LINE_BREAK,
  LINES_MAX,
  TEXT_MAX,
  toNormalLine,
} from "./normalize.ts";

/** UTF-16 units `start` up to but not including `end` of the message text. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Returns a function that finds spans of normalised lines in `text`. It maps each line once. */
export function makeSpanFinder(
  text: string,
): (lineSpans: readonly LineSpan[]) => readonly TextSpan[] {
  const lines = listLines(text.slice(0, TEXT_MAX));
  const maps = new Map<number, readonly TextSpan[]>();
  return (lineSpans) =>
    lineSpans.flatMap(({ line, start, end }) => {
      const source = lines[line];
      if (source === undefined) return [];
      const map = maps.get(line) ?? mapLine(source);
      maps.set(line, map);
      const [first, last] = [map[start], map[end - 1]];
      return first === undefined || last === undefined
        ? []
        : [{ start: first.start, end: last.end }];
    });
}

/** Returns where each line that is read is, by its zero-based number, without its line break. */
export function listLineSpans(text: string): readonly TextSpan[] {
  return listLines(text.slice(0, TEXT_MAX))
    .slice(0, LINES_MAX)
    .map(({ text: line, start }) => ({ start, end: start + line.length }));
}

interface OriginalLine {
  readonly text: string;
  /** Where the line starts in the message. */
  readonly start: number;
}

function listLines(text: string): OriginalLine[] {
  const lines: OriginalLine[] = [];
  let start = 0;
  for (const lineBreak of text.matchAll(new RegExp(LINE_BREAK, "g"))) {
    lines.push({ text: text.slice(start, lineBreak.index), start });
    start = lineBreak.index + lineBreak[0].length;
  }
  return [...lines, { text: text.slice(start), start }];
}

/** Returns, for each unit of the normalised line, the character of the message that it came from. */
function mapLine(line: OriginalLine): readonly TextSpan[] {
  const normal = toNormalLine(line.text, 0);
  const map: TextSpan[] = [];
  let isBeforeStrike = normal.isStruckThrough;
  let start = line.start;
  for (const character of hideKeycapBullets(line.text)) {
    if (map.length >= FOLDED_TEXT_MAX) break;
    const span = { start, end: start + character.length };
    const folded = foldCharacter(character);
    start = span.end;
    if (isBeforeStrike) {
      isBeforeStrike = folded !== "~";
      continue;
    }
    const before = map.at(-1);
    // The frame of a keycap, or the tone of a skin, belongs to the character before it.
    if (folded === "" && before?.end === span.start && belongsToPrevious(character)) {
      extendLast(map, before, span.end);
      continue;
    }
    for (let at = 0; at < folded.length; at += 1)
      if (folded[at] === normal.text[map.length]) map.push(span);
  }
  return map;
}

/**
 * Returns false for half of a surrogate pair, because the cut at `TEXT_MAX` can separate the two, and for blanks without a
 * width and marks of direction: they are invisible at the end of a word.
 */
function belongsToPrevious(character: string): boolean {
  return !/^[\p{Surrogate}\u200B\u200C\u2060\uFEFF\p{Bidi_Control}]$/u.test(character);
}

/** A character can give several units, and all of them have its span. */
function extendLast(map: TextSpan[], last: TextSpan, end: number): void {
  const extended = { start: last.start, end };
  for (let at = map.length - 1; map[at] === last; at -= 1) map[at] = extended;
}
