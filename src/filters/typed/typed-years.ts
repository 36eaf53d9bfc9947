/**
 * The years in typed words. The extraction finds the dates; the words around them make them bounds.
 *
 * Examples: "2023+" and "ab 2023" are 2023 or later, "2019-2021" is 2019 to 2021, "before 2010" is 2009 or earlier.
 */
import type { MessageDate } from "../../extraction/extraction.ts";
import { toYear } from "../../extraction/lines/date-parts.ts";
import { type Line, phraseEndingAt } from "../../extraction/lines/line.ts";
import type { DateMention } from "../../extraction/lines/line-reading.ts";
import { type Span, tokenAt } from "../../extraction/text/token.ts";
import { isA } from "../../extraction/words/words.ts";
import {
  endsWords,
  isFreeSpan,
  type Piece,
  queryPhraseAt,
  queryPhraseBefore,
  queryPhraseBehind,
  type TypedLine,
  take,
} from "./typed-line.ts";

interface YearBounds {
  readonly gte?: number;
  readonly lte?: number;
  readonly values?: readonly number[];
}

export function takeYears(typed: TypedLine, today: MessageDate): Piece[] {
  const { line, dates } = typed.reading;
  const pieces: Piece[] = [];
  for (const date of dates) {
    if (!isFreeSpan(typed, date)) continue;
    const found = readYears(typed, date, today);
    if (found === undefined || !isFreeSpan(typed, found)) continue;
    const joined = joinYears(line, pieces.at(-1), found);
    if (joined !== undefined) pieces.pop();
    const piece = toPiece(joined ?? found);
    take(typed, piece);
    pieces.push(piece);
  }
  return pieces;
}

type FoundYears = Span & { readonly years: YearBounds };

function readYears(
  typed: TypedLine,
  date: DateMention,
  today: MessageDate,
): FoundYears | undefined {
  const { from, to, year } = date;
  const { line } = typed.reading;
  if (date.isRange) {
    const named = yearsIn(line, date, today);
    const [first] = named;
    if (first === undefined) return undefined;
    if (named.length > 1) {
      const isChoice = line.tokens.slice(from, to).some((token) => isA(token, "or"));
      const [gte, lte] = [Math.min(...named), Math.max(...named)];
      return { from, to, years: isChoice ? { values: named } : { gte, lte } };
    }
    const isLed = isA(tokenAt(line.tokens, from - 1), "from_year");
    return { from: isLed ? from - 1 : from, to, years: { gte: first } };
  }
  return year === undefined ? undefined : boundYear(typed, { from, to, year });
}

function yearsIn(line: Line, { from, to }: Span, today: MessageDate): number[] {
  return line.tokens
    .slice(from, to)
    .filter(({ kind }) => kind === "digits")
    .flatMap((token) => toYear(token, today) ?? []);
}

/** "since 2024", "bis 2015", "2015\u4E4B\u524D": the words before a year, or right behind it. */
function boundYear(
  typed: TypedLine,
  { from, to, year }: Span & { readonly year: number },
): FoundYears {
  const { line } = typed.reading;
  const classes = ["at_least", "more_than", "at_most", "less_than"] as const;
  const before = queryPhraseBefore(line.tokens, from, classes);
  const next = before === undefined ? queryPhraseBehind(line.tokens, to, classes) : undefined;
  // In "2022 or under 15k" the word is of the price.
  const behind = next !== undefined && isFreeSpan(typed, next) ? next : undefined;
  const found = before ?? behind;
  const span = { from: before?.from ?? from, to: behind?.to ?? to };
  switch (found?.value) {
    case "at_least":
    case "or_more":
      return { ...span, years: { gte: year } };
    case "more_than":
      return { ...span, years: { gte: year + 1 } };
    case "at_most":
    case "or_less":
      return { ...span, years: { lte: year } };
    case "less_than":
      return { ...span, years: { lte: year - 1 } };
    default:
      return line.tokens[to]?.word === "plus" && endsWords(line.tokens[to + 1])
        ? { from, to: to + 1, years: { gte: year } }
        : limitedYear(line, { from, to, year });
  }
}

/** "max 2015", "at least 2020": the limits of an ask count for a year too. */
function limitedYear(line: Line, { from, to, year }: Span & { readonly year: number }): FoundYears {
  const phrase = phraseEndingAt(line, from);
  const bound = phrase?.meaning.kind === "cue" ? phrase.meaning.bound : undefined;
  if (phrase !== undefined && bound === "at_most")
    return { from: phrase.from, to, years: { lte: year } };
  if (phrase !== undefined && bound === "at_least")
    return { from: phrase.from, to, years: { gte: year } };
  return { from, to, years: { values: [year] } };
}

/** "2019 bis 2021", "between 2019 and 2021": two years with a joint are one piece. */
function joinYears(line: Line, last: Piece | undefined, next: FoundYears): FoundYears | undefined {
  const low =
    (last?.value as YearBounds | undefined)?.values?.[0] ??
    (last?.value as YearBounds | undefined)?.gte;
  const high = next.years.values?.[0] ?? next.years.lte;
  if (last === undefined || low === undefined || high === undefined || low >= high)
    return undefined;
  // "2015-2016 2020-2021" are two ranges.
  if (next.years.gte !== undefined) return undefined;
  const isTouching = last.to === next.from;
  const joint = queryPhraseAt(line.tokens, last.to, ["joint"]);
  if (joint?.to !== next.from && !(isTouching && next.years.lte !== undefined)) return undefined;
  const between = queryPhraseBefore(line.tokens, last.from, ["between"]);
  return { from: between?.from ?? last.from, to: next.to, years: { gte: low, lte: high } };
}

function toPiece({ from, to, years }: FoundYears): Piece {
  return { from, to, member: "year", value: years, label: labelOf(years) };
}

function labelOf({ gte, lte, values = [] }: YearBounds): string {
  if (values.length > 0) return values.join(" or ");
  if (gte !== undefined && lte !== undefined) return `${gte} to ${lte}`;
  return gte === undefined ? `${lte} or earlier` : `${gte} or later`;
}
