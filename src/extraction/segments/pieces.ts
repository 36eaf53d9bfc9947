/**
 * Several pieces of one reference on one line.
 *
 * Idea: pieces differ in their dates or dials, and each has its ask. Either date and ask take turns ("N7 905k N10 930k"), or a
 * list of dates comes with a list of as many asks ("21/22/23 fs 82k/85k/88k").
 * Invariant: two amounts in different currencies are one ask.
 */
import type { PlacedReference } from "../lines/line.ts";
import {
  type DateMention,
  isListPrice,
  isSmallSum,
  type LinePart,
  type PriceMention,
  pricesIn,
} from "../lines/line-reading.ts";
import { type Span, within, YEAR_LIKE } from "../text/token.ts";
import { isA } from "../words/words.ts";
import { datesKey, haveDifferentWords } from "./differences.ts";

interface Piece {
  readonly part: LinePart;
  /** What the line says about all its pieces. */
  readonly shared: readonly LinePart[];
}

/** Returns the pieces of a watch's text, or the whole text if it is about one piece. */
export function listPieces(part: LinePart, reference: PlacedReference | undefined): Piece[] {
  const asks = pricesIn(part).filter(isAsk);
  const whole = [{ part, shared: [] }];
  if (reference === undefined || asks.length < 2 || asks.length > PIECES_MAX) return whole;
  return listByTurns(part, reference, asks) ?? listByRows(part, asks) ?? whole;
}

/** A line with more asks is a table. The bound keeps the work linear. */
const PIECES_MAX = 16;

function isAsk(price: PriceMention): boolean {
  return !isListPrice(price) && !price.isLowered && !isSmallSum(price);
}

interface Mark extends Span {
  readonly kind: "ask" | "date" | "dial";
}

/** Dates, dials and asks behind the reference, in order. */
function listMarks(part: LinePart, from: number, asks: readonly PriceMention[]): Mark[] {
  const range = { from: Math.max(part.from, from), to: part.to };
  const marks: Mark[] = within(asks, range).map((ask) => ({
    from: ask.from,
    to: ask.to,
    kind: "ask",
  }));
  for (const date of within(part.reading.dates, range))
    if (!date.isOtherEvent) marks.push({ from: date.from, to: date.to, kind: "date" });
  for (const { from: start, to, meaning } of within(part.reading.line.phrases, range))
    if (meaning.kind === "dial") marks.push({ from: start, to, kind: "dial" });
  return marks.sort((a, b) => a.from - b.from);
}

/** "N7 HKD 905k N10 HKD 930k", "champ 95k / slate 92k", "95k champ / 92k slate". */
function listByTurns(
  part: LinePart,
  reference: Span,
  asks: readonly PriceMention[],
): Piece[] | undefined {
  const marks = listMarks(part, reference.to, asks);
  const starts = listStarts(marks);
  const spans = starts.map((from, index) => ({
    reading: part.reading,
    from,
    to: starts[index + 1] ?? part.to,
  }));
  const end = marks.at(-1)?.to ?? part.to;
  if (spans.length < 2 || !spans.every((span, index) => isPiece(span, spans[index - 1])))
    return undefined;
  const head = { ...part, to: starts[0] ?? part.to };
  const tail = { ...part, from: end };
  return spans.map((span, index) =>
    index === 0
      ? { part: { ...span, from: part.from }, shared: [tail] }
      : { part: span, shared: index === spans.length - 1 ? [head] : [head, tail] },
  );
}

/** Each piece opens with the same kind of mark: the one that the second piece opens with. */
function listStarts(marks: readonly Mark[]): readonly number[] {
  const isAskFirst = marks[0]?.kind === "ask" && marks.at(-1)?.kind !== "ask";
  const starts: Mark[] = [];
  let isComplete = false;
  for (const mark of marks) {
    const isOpening = (mark.kind === "ask") === isAskFirst;
    if (isOpening && isComplete) starts.push(mark);
    isComplete = !isOpening || (isComplete && !starts.includes(mark));
  }
  const first = marks.find(({ kind }) => kind === starts[0]?.kind);
  return first === undefined ? [] : [first, ...starts].map(({ from }) => from);
}

/** Has an ask in the currency of the piece before, and another date or dial. */
function isPiece(part: LinePart, before: LinePart | undefined): boolean {
  const [ask] = pricesIn(part);
  if (ask === undefined) return false;
  if (before === undefined) return true;
  const currency = pricesIn(before)[0]?.currency;
  if (ask.currency !== undefined && currency !== undefined && ask.currency !== currency)
    return false;
  const [date, dateBefore] = [datesKey(part), datesKey(before)];
  const isOtherDate = date !== "" && dateBefore !== "" && date !== dateBefore;
  return isOtherDate || haveDifferentWords(before, part, "dial");
}

/** "21/22/23 fs 82k/85k/88k", "blue/black 82k/85k": the first date has the first ask. */
function listByRows(part: LinePart, asks: readonly PriceMention[]): Piece[] | undefined {
  const { reading } = part;
  const currencies = new Set(asks.flatMap(({ currency }) => currency ?? []));
  if (currencies.size > 1 || !isRow(part, asks)) return undefined;
  const years = listYears(part, asks.length);
  const dials = within(reading.line.phrases, part).filter(({ meaning }) => meaning.kind === "dial");
  const isDialRow = dials.length === asks.length && isRow(part, dials);
  if (years === undefined && !isDialRow) return undefined;
  return asks.map((ask, index) => {
    const phrases = reading.line.phrases.filter(
      (phrase) => !isDialRow || phrase.meaning.kind !== "dial" || phrase === dials[index],
    );
    const line = isDialRow ? { ...reading.line, phrases } : reading.line;
    const dates = years === undefined ? reading.dates : years.slice(index, index + 1);
    return { part: { ...part, reading: { ...reading, line, dates, prices: [ask] } }, shared: [] };
  });
}

/** Returns true if only a joint is between each span and the next: "82k/85k/88k". */
function isRow({ reading }: LinePart, spans: readonly Span[]): boolean {
  return spans.every(({ from }, index) => {
    const before = spans[index - 1];
    if (before === undefined) return true;
    const between = reading.line.tokens.slice(before.to, from);
    const [joint] = between;
    return between.length === 1 && (joint?.kind === "symbol" || isA(joint, "and", "or"));
  });
}

/** Returns a row of dates, or of years that no reader took for dates: "21/22/23". */
function listYears(part: LinePart, count: number): readonly DateMention[] | undefined {
  const dates = within(part.reading.dates, part).filter(
    ({ isOtherEvent, isRange }) => !isOtherEvent && !isRange,
  );
  if (dates.length === count && isRow(part, dates)) return dates;
  const { tokens } = part.reading.line;
  const last = part.to - 2 * (count - 1);
  for (let from = part.from; from < last; from += 1) {
    const years = Array.from({ length: count }, (_, index) =>
      toYear(tokens[from + 2 * index]?.text),
    );
    const isList =
      years.every((year, index) => year !== undefined && year > (years[index - 1] ?? 0)) &&
      years.slice(1).every((_, index) => tokens[from + 2 * index + 1]?.word === "/");
    if (isList) return years.map((year, index) => toDate(from + 2 * index, year));
  }
  return undefined;
}

function toYear(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (YEAR_LIKE.test(text)) return Number(text);
  return /^[12]\d$/.test(text) ? 2000 + Number(text) : undefined;
}

function toDate(from: number, year: number | undefined): DateMention {
  return {
    from,
    to: from + 1,
    year,
    month: undefined,
    isNew: false,
    isRange: false,
    isOtherEvent: false,
  };
}
